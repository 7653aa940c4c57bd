/* SPDX-License-Identifier: MIT */
/* Blender's deformation for Python. The arrays were made by the package: what is not as it should be is a TypeError. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "skelkin/blender_deform.h"

#include <string.h>

enum { ANY = -1 };

/* An array that lies without gaps, as it should be. */
typedef struct wanted {
    const char *name;
    int type;
    int ndim;
    int64_t shape[4]; /* ANY: any size, which goes here */
    int optional;
} wanted;

/* Where the numbers are; NULL for None where that is allowed. Returns 0 with an exception set. */
static int take(PyObject *value, wanted *as, void *into) {
    void *data = NULL;
    PyArrayObject *array = (PyArrayObject *)value;
    if (!(as->optional && value == Py_None)) {
        int good = PyArray_Check(value) && PyArray_TYPE(array) == as->type && PyArray_ISCARRAY_RO(array) &&
                   PyArray_NDIM(array) == as->ndim;
        for (int d = 0; good && d < as->ndim; d++) {
            if (as->shape[d] == ANY) as->shape[d] = PyArray_DIM(array, d);
            good = as->shape[d] == PyArray_DIM(array, d);
        }
        if (!good) {
            PyErr_Format(PyExc_TypeError, "%s is not an array as this function needs it", as->name);
            return 0;
        }
        data = PyArray_DATA(array);
    }
    memcpy(into, &data, sizeof data);
    return 1;
}

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
    int64_t num_entries, num_groups;
    const float *numbers;
    const int32_t *flags;
} influences_call;

static int take_influences(influences_call *c, PyObject *const *args) {
    skl_influences_job *job = &c->job;
    wanted points = {"points", NPY_FLOAT, 2, {ANY, 3}, 0}, numbers = {"envelopes", NPY_FLOAT, 2, {ANY, 10}, 0};
    if (!take(args[0], &points, &job->points) || !take(args[5], &numbers, &c->numbers)) return 0;
    job->num_vertices = points.shape[0];
    job->num_bones = numbers.shape[0];
    wanted offsets = {"offsets", NPY_INT64, 1, {job->num_vertices + 1}, 1}, groups = {"groups", NPY_INT32, 1, {ANY}, 0};
    if (!take(args[1], &offsets, &job->group_offsets) || !take(args[2], &groups, &job->groups)) return 0;
    wanted weights = {"weights", NPY_FLOAT, 1, {groups.shape[0]}, 0}, bones = {"bones", NPY_INT32, 1, {ANY}, 0};
    wanted flags = {"flags", NPY_INT32, 2, {job->num_bones, 2}, 0};
    if (!take(args[3], &weights, &job->group_weights) || !take(args[4], &bones, &job->bone_of_group) ||
        !take(args[6], &flags, &c->flags))
        return 0;
    for (int64_t i = 0; i < bones.shape[0]; i++)
        if (job->bone_of_group[i] >= job->num_bones) {
            PyErr_SetString(PyExc_TypeError, "bones are not all in range");
            return 0;
        }
    job->use_envelopes = (int32_t)PyObject_IsTrue(args[7]);
    return !job->group_offsets ||
           check_rows(job->group_offsets, job->num_vertices, job->groups, groups.shape[0], bones.shape[0]);
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

/* points, into, back, matrices, offsets, indices, weights, totals, masks, out; rows as blender_influences returns them
 * are not looked through again, which would take as long as a part of the work */
PyObject *skl_py_blender_deform_linear(PyObject *const *args) {
    skl_deform_linear_job job;
    wanted points = {"points", NPY_FLOAT, 2, {ANY, 3}, 0}, matrix = {"into", NPY_FLOAT, 2, {4, 4}, 1};
    wanted matrices = {"matrices", NPY_FLOAT, 4, {ANY, ANY, 4, 4}, 0}, indices = {"indices", NPY_INT32, 1, {ANY}, 0};
    if (!take(args[0], &points, &job.points) || !take(args[1], &matrix, &job.into) ||
        !take(args[2], &matrix, &job.back) || !take(args[3], &matrices, &job.matrices) ||
        !take(args[5], &indices, &job.indices))
        return NULL;
    job.num_vertices = points.shape[0];
    job.num_frames = matrices.shape[0];
    job.num_matrices = matrices.shape[1];
    wanted offsets = {"offsets", NPY_INT64, 1, {job.num_vertices + 1}, 0}, numbers = {"weights", NPY_FLOAT, 1, {0}, 0};
    wanted of_vertices = {"totals", NPY_FLOAT, 1, {job.num_vertices}, 0}, masks = of_vertices;
    wanted out = {"out", NPY_FLOAT, 3, {job.num_frames, job.num_vertices, 3}, 0};
    numbers.shape[0] = indices.shape[0];
    masks.optional = 1;
    if (!take(args[4], &offsets, &job.offsets) || !take(args[6], &numbers, &job.weights) ||
        !take(args[7], &of_vertices, &job.totals) || !take(args[8], &masks, &job.masks) ||
        !take(args[9], &out, &job.out))
        return NULL;
    if (job.offsets[0] != 0 || job.offsets[job.num_vertices] != indices.shape[0]) {
        PyErr_SetString(PyExc_TypeError, "offsets must end with the number of entries");
        return NULL;
    }
    PyThreadState *lock = skl_py_release(job.num_frames * job.num_vertices);
    const skl_code code = skl_deform_linear_run(&job);
    return skl_py_restore(lock) && code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(&job.status);
}

/* Sizes and arrays of a deformation by dual quaternions, whose numbers are of `type`. */
static int take_dual(skl_deform_dual_job *job, int type, PyObject *const *args) {
    const int64_t joints = job->weights->num_joints;
    wanted points = {"points", type, 2, {job->weights->num_vertices, 3}, 0};
    wanted motions = {"motions", type, 3, {ANY, joints, 8}, 0}, matrix = {"into", type, 2, {4, 4}, 1};
    if (!take(args[1], &points, &job->points) || !take(args[2], &motions, &job->motions) ||
        !take(args[5], &matrix, &job->into) || !take(args[6], &matrix, &job->back))
        return 0;
    job->num_frames = motions.shape[0];
    wanted scales = {"scales", type, 4, {job->num_frames, joints, 3, 4}, 1};
    wanted out = {"out", type, 3, {job->num_frames, job->weights->num_vertices, 3}, 0};
    job->blend_scales = PyObject_IsTrue(args[4]);
    return take(args[3], &scales, &job->scales) && take(args[7], &out, &job->out);
}

/* weights, points, motions, scales, blend_scales, into, back, out */
PyObject *skl_py_blender_deform_dual(PyObject *module, PyObject *const *args) {
    skl_deform_dual_job job = {.weights = skl_py_weights(module, args[0])};
    if (!job.weights) return NULL;
    const int narrow = PyArray_Check(args[1]) && PyArray_TYPE((PyArrayObject *)args[1]) == NPY_FLOAT;
    job.dtype = narrow ? SKL_FLOAT32 : SKL_FLOAT64;
    if (!take_dual(&job, narrow ? NPY_FLOAT : NPY_DOUBLE, args)) return NULL;
    PyThreadState *lock = skl_py_release(job.num_frames * job.weights->num_vertices);
    const skl_code code = skl_deform_dual_run(&job);
    return skl_py_restore(lock) && code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(&job.status);
}
