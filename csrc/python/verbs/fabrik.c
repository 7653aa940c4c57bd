/* SPDX-License-Identifier: MIT */
/* FABRIK for Python. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

/* A row of numbers, or None. */
static int take_joints(PyObject *value, const char *name, int64_t *count, const int32_t **into) {
    *into = NULL;
    if (value == Py_None) return 1;
    *count = skl_py_rows(value, name);
    return (*into = skl_py_packed(value, name, NPY_INT32, 1, (npy_intp[]){(npy_intp)*count})) != NULL;
}

/* The number of joints is that of the positions; a tree says how many it has, and targets of its leaves. */
static int take_sizes(const skl_arg *positions, PyObject *parents, PyObject *leaves, skl_solve_fabrik_job *job) {
    const int ndim = PyArray_NDIM(positions->array);
    int64_t tree = -1;
    job->num_joints = ndim >= 2 ? PyArray_DIM(positions->array, ndim - 2) : 0;
    job->num_targets = 1;
    if (!take_joints(parents, "parents", &tree, &job->parents) ||
        !take_joints(leaves, "leaves", &job->num_targets, &job->leaves))
        return 0;
    if (ndim < 2 || job->num_joints < 2)
        return skl_fail_shape("positions", positions->array, PyUnicode_FromString("(..., N, 3) with N ≥ 2 joints"));
    if (tree >= 0 && tree != job->num_joints) {
        PyErr_Format(PyExc_ValueError, "positions has %lld joints: expected %lld, as parents has",
                     (long long)job->num_joints, (long long)tree);
        return 0;
    }
    return 1;
}

enum { OUTS = 4 };

/* The outputs, into the job. */
static int begin_outputs(skl_out *out, PyObject *given, const skl_shape *shape, const skl_item *points,
                         const skl_arg *in, int count, skl_solve_fabrik_job *job) {
    static const skl_item number_item = {0, 0, {0}};
    static const char *const names[OUTS] = {"out.positions", "out.status", "out.error", "out.iterations"};
    return skl_out_begin(&out[0], skl_out_given(given, 0), names[0], job->dtype, shape, points, in, count, &job->out) &&
           skl_out_begin_codes(&out[1], skl_out_given(given, 1), names[1], NPY_UINT8, shape, in, count,
                               &job->out_status) &&
           skl_out_begin(&out[2], skl_out_given(given, 2), names[2], job->dtype, shape, &number_item, in, count,
                         &job->out_error) &&
           skl_out_begin_codes(&out[3], skl_out_given(given, 3), names[3], NPY_INT32, shape, in, count,
                               &job->out_iterations) &&
           skl_outs_apart(out, names, OUTS);
}

static int take_iterations(PyObject *value, int32_t *into) {
    int64_t number;
    if (!skl_py_integer(value, "max_iterations", &number)) return 0;
    *into = (int32_t)number;
    if (number >= 1 && number <= INT32_MAX) return 1;
    PyErr_Format(PyExc_ValueError, "max_iterations is %R: it must be 1 .. %d", value, (int)INT32_MAX);
    return 0;
}

/* positions, target, parents, leaves, tolerance, max_iterations, pole, out. */
PyObject *skl_py_solve_fabrik(PyObject *const *args) {
    enum { POSITIONS, TARGET, POLE, ARGS };
    if (!skl_out_check(args[7], OUTS)) return NULL;
    static const skl_item vector_item = {1, 0, {3}};
    skl_solve_fabrik_job job;
    skl_arg in[ARGS] = {{0}};
    skl_out out[OUTS] = {{0}};
    skl_shape shape;
    PyObject *result = NULL;
    if (!take_iterations(args[5], &job.max_iterations)) return NULL;
    int good = skl_arg_take(&in[POSITIONS], args[0], "positions") && skl_arg_take(&in[TARGET], args[1], "target") &&
               skl_arg_take_optional(&in[POLE], args[6], "pole") && skl_args_dtype(in, ARGS, &job.dtype) &&
               take_sizes(&in[POSITIONS], args[2], args[3], &job);
    if (good) {
        const skl_item points = {2, 1, {job.num_joints, 3}}, targets = {2, 1, {job.num_targets, 3}};
        job.tolerance = job.dtype == SKL_FLOAT32 ? 1e-4 : 1e-6;
        good = (args[4] == Py_None || skl_py_real(args[4], "tolerance", &job.tolerance)) &&
               skl_arg_prepare(&in[POSITIONS], job.dtype, &points, &job.positions) &&
               skl_arg_prepare(&in[TARGET], job.dtype, job.leaves ? &targets : &vector_item, &job.target) &&
               skl_arg_prepare(&in[POLE], job.dtype, &vector_item, &job.pole) && skl_args_broadcast(in, ARGS, &shape) &&
               begin_outputs(out, args[7], &shape, &points, in, ARGS, &job);
    }
    if (good) {
        const int64_t rounds = 1 + job.max_iterations / 64;
        PyThreadState *lock = skl_py_release(4 * skl_shape_items(&shape) * job.num_joints * rounds);
        const skl_code code = skl_solve_fabrik_run(&job);
        result = skl_py_restore(lock) && code == SKL_OK ? skl_out_finish_all(out, OUTS) : skl_py_raise(&job.status);
    }
    for (int k = 0; k < OUTS; k++) skl_out_clear(&out[k]);
    skl_args_clear(in, ARGS);
    return result;
}
