/* SPDX-License-Identifier: MIT */
/* Blender's deformation for Python. The arrays were made by the package: what is not as it should be is a TypeError. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "skelkin/blender_deform.h"

#include <string.h>

/* Offsets rise from 0 to the number of entries, and every entry is below `limit`. */
static int check_rows(const int64_t *offsets, int64_t count, const int32_t *entries, int64_t size, int64_t limit) {
    int good = offsets[0] == 0 && offsets[count] == size;
    for (int64_t v = 0; v < count; v++) good &= offsets[v] <= offsets[v + 1];
    for (int64_t i = 0; i < size; i++) good &= (uint32_t)entries[i] < (uint32_t)limit;
    if (!good) PyErr_SetString(PyExc_TypeError, "offsets must rise from 0 to the number of entries, all in range");
    return good;
}

/* What blender_influences is given, apart from the sizes of the job. */
typedef struct influences_call {
    skl_influences_job job;
    const float *numbers;
    const int32_t *flags;
} influences_call;

static int take_influences(influences_call *c, PyObject *const *args) {
    skl_influences_job *job = &c->job;
    const npy_intp vertices = skl_py_rows(args[0], "points"), entries = skl_py_rows(args[2], "groups");
    const npy_intp groups = skl_py_rows(args[4], "bones"), bones = skl_py_rows(args[5], "envelopes");
    if (PyErr_Occurred()) return 0;
    job->num_vertices = vertices;
    job->num_bones = bones;
    if (!(job->points = skl_py_packed(args[0], "points", NPY_FLOAT, 2, (npy_intp[]){vertices, 3})) ||
        (args[1] != Py_None &&
         !(job->group_offsets = skl_py_packed(args[1], "offsets", NPY_INT64, 1, (npy_intp[]){vertices + 1}))) ||
        !(job->groups = skl_py_packed(args[2], "groups", NPY_INT32, 1, &entries)) ||
        !(job->group_weights = skl_py_packed(args[3], "weights", NPY_FLOAT, 1, &entries)) ||
        !(job->bone_of_group = skl_py_packed(args[4], "bones", NPY_INT32, 1, &groups)) ||
        !(c->numbers = skl_py_packed(args[5], "envelopes", NPY_FLOAT, 2, (npy_intp[]){bones, 10})) ||
        !(c->flags = skl_py_packed(args[6], "flags", NPY_INT32, 2, (npy_intp[]){bones, 2})))
        return 0;
    for (npy_intp i = 0; i < groups; i++)
        if (job->bone_of_group[i] >= job->num_bones) return skl_py_fail(PyExc_TypeError, "bones are not all in range");
    job->use_envelopes = (int32_t)PyObject_IsTrue(args[7]);
    return !job->group_offsets || check_rows(job->group_offsets, job->num_vertices, job->groups, entries, groups);
}

static skl_envelope *take_envelopes(const influences_call *c) {
    skl_envelope *envelopes = PyMem_Calloc((size_t)(c->job.num_bones ? c->job.num_bones : 1), sizeof *envelopes);
    if (!envelopes) {
        (void)PyErr_NoMemory();
        return NULL;
    }
    for (int64_t bone = 0; bone < c->job.num_bones; bone++) {
        const float *n = c->numbers + 10 * bone;
        const int32_t *flags = c->flags + 2 * bone;
        envelopes[bone] =
            (skl_envelope){{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6], n[7], n[8], n[9], flags[0], flags[1]};
    }
    return envelopes;
}

/* 0 with an exception set if it was stopped, or failed. */
static int run_influences(skl_influences_job *job) {
    PyThreadState *lock = skl_py_release(job->num_vertices);
    const skl_code code = skl_influences_run(job);
    return skl_py_restore(lock) && (code == SKL_OK || skl_py_raise(&job->status));
}

static PyArrayObject *new_array(int64_t size, int type) {
    npy_intp shape[1] = {size};
    return (PyArrayObject *)PyArray_SimpleNew(1, shape, type);
}

/* Once to count the entries, once to write them. */
static PyObject *make_influences(skl_influences_job *job) {
    PyArrayObject *offsets = new_array(job->num_vertices + 1, NPY_INT64), *bones = NULL, *weights = NULL;
    PyArrayObject *totals = new_array(job->num_vertices, NPY_FLOAT);
    PyObject *result = NULL;
    if (offsets && totals) {
        job->offsets = PyArray_DATA(offsets);
        if (run_influences(job)) {
            bones = new_array(job->offsets[job->num_vertices], NPY_INT32);
            weights = new_array(job->offsets[job->num_vertices], NPY_FLOAT);
        }
    }
    if (bones && weights) {
        job->bones = PyArray_DATA(bones);
        job->weights = PyArray_DATA(weights);
        job->totals = PyArray_DATA(totals);
        if (run_influences(job)) result = PyTuple_Pack(4, offsets, bones, weights, totals);
    }
    Py_XDECREF(offsets);
    Py_XDECREF(bones);
    Py_XDECREF(weights);
    Py_XDECREF(totals);
    return result;
}

/* points, offsets or None, groups, weights, bones of groups, envelopes, flags, use_envelopes */
PyObject *skl_py_blender_influences(PyObject *const *args) {
    influences_call call = {.job = {0}};
    if (!take_influences(&call, args)) return NULL;
    skl_envelope *envelopes = take_envelopes(&call);
    if (!envelopes) return NULL;
    call.job.envelopes = envelopes;
    PyObject *result = make_influences(&call.job);
    PyMem_Free(envelopes);
    return result;
}

static const npy_intp matrix[2] = {4, 4};

/* points, into, back, matrices, offsets, indices, weights, totals, masks, out; rows as blender_influences returns them
 * are not looked through again, which would take as long as a part of the work */
PyObject *skl_py_blender_deform_linear(PyObject *const *args) {
    skl_deform_linear_job job = {.into = NULL};
    const npy_intp vertices = skl_py_rows(args[0], "points"), frames = skl_py_rows(args[3], "matrices");
    const npy_intp entries = skl_py_rows(args[5], "indices");
    const npy_intp shape[4] = {frames, SKL_ANY, 4, 4}, out[3] = {frames, vertices, 3};
    if (PyErr_Occurred() || !(job.points = skl_py_packed(args[0], "points", NPY_FLOAT, 2, out + 1)) ||
        (args[1] != Py_None && !(job.into = skl_py_packed(args[1], "into", NPY_FLOAT, 2, matrix))) ||
        (args[2] != Py_None && !(job.back = skl_py_packed(args[2], "back", NPY_FLOAT, 2, matrix))) ||
        !(job.matrices = skl_py_packed(args[3], "matrices", NPY_FLOAT, 4, shape)) ||
        !(job.offsets = skl_py_packed(args[4], "offsets", NPY_INT64, 1, (npy_intp[]){vertices + 1})) ||
        !(job.indices = skl_py_packed(args[5], "indices", NPY_INT32, 1, &entries)) ||
        !(job.weights = skl_py_packed(args[6], "weights", NPY_FLOAT, 1, &entries)) ||
        !(job.totals = skl_py_packed(args[7], "totals", NPY_FLOAT, 1, &vertices)) ||
        (args[8] != Py_None && !(job.masks = skl_py_packed(args[8], "masks", NPY_FLOAT, 1, &vertices))) ||
        !skl_py_packed(args[9], "out", NPY_FLOAT, 3, out))
        return NULL;
    job.num_vertices = vertices;
    job.num_frames = frames;
    job.num_matrices = PyArray_DIM((PyArrayObject *)args[3], 1);
    job.out = skl_py_data(args[9]);
    if (job.offsets[0] != 0 || job.offsets[vertices] != entries)
        return PyErr_Format(PyExc_TypeError, "offsets must end with the number of entries");
    PyThreadState *lock = skl_py_release(job.num_frames * job.num_vertices);
    return skl_py_none(lock, skl_deform_linear_run(&job), &job.status);
}

/* Sizes and arrays of a deformation by dual quaternions, whose numbers are of `type`. */
static int take_dual(skl_deform_dual_job *job, int type, PyObject *const *args) {
    const npy_intp joints = (npy_intp)job->weights->num_joints, frames = skl_py_rows(args[2], "motions");
    const npy_intp out[3] = {frames, (npy_intp)job->weights->num_vertices, 3}, scales[4] = {frames, joints, 3, 4};
    job->num_frames = frames;
    job->blend_scales = PyObject_IsTrue(args[4]);
    return frames >= 0 && (job->points = skl_py_packed(args[1], "points", type, 2, out + 1)) &&
           (job->motions = skl_py_packed(args[2], "motions", type, 3, (npy_intp[]){frames, joints, 8})) &&
           (args[5] == Py_None || (job->into = skl_py_packed(args[5], "into", type, 2, matrix))) &&
           (args[6] == Py_None || (job->back = skl_py_packed(args[6], "back", type, 2, matrix))) &&
           (args[3] == Py_None || (job->scales = skl_py_packed(args[3], "scales", type, 4, scales))) &&
           skl_py_packed(args[7], "out", type, 3, out) && (job->out = skl_py_data(args[7]));
}

/* weights, points, motions, scales, blend_scales, into, back, out */
PyObject *skl_py_blender_deform_dual(PyObject *module, PyObject *const *args) {
    skl_deform_dual_job job = {.weights = skl_py_weights(module, args[0])};
    if (!job.weights) return NULL;
    const int narrow = PyArray_Check(args[1]) && PyArray_TYPE((PyArrayObject *)args[1]) == NPY_FLOAT;
    job.dtype = narrow ? SKL_FLOAT32 : SKL_FLOAT64;
    if (!take_dual(&job, narrow ? NPY_FLOAT : NPY_DOUBLE, args)) return NULL;
    PyThreadState *lock = skl_py_release(job.num_frames * job.weights->num_vertices);
    return skl_py_none(lock, skl_deform_dual_run(&job), &job.status);
}
