/* SPDX-License-Identifier: MIT */
/* FABRIK for Python. */
#include "python/base/call.h"
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

static int take_iterations(PyObject *value, int32_t *into) {
    int64_t number;
    if (!skl_py_integer(value, "max_iterations", &number)) return 0;
    *into = (int32_t)number;
    if (number >= 1 && number <= INT32_MAX) return 1;
    return skl_py_fail(PyExc_ValueError, "max_iterations is %R: it must be 1 .. %d", value, (int)INT32_MAX);
}

/* The number of joints is that of the positions; a tree says how many it has (or -1). */
static int take_sizes(PyArrayObject *positions, int64_t tree, skl_solve_fabrik_job *job) {
    job->num_joints = PyArray_DIM(positions, PyArray_NDIM(positions) - 2);
    if (job->num_joints < 2)
        return skl_fail_shape("positions", positions, PyUnicode_FromString("(..., N, 3) with N ≥ 2 joints"));
    if (tree < 0 || tree == job->num_joints) return 1;
    return skl_py_fail(PyExc_ValueError, "positions has %lld joints: expected %lld, as parents has",
                       (long long)job->num_joints, (long long)tree);
}

/* positions, target, parents, leaves, tolerance, max_iterations, pole, out. */
PyObject *skl_py_solve_fabrik(PyObject *const *args) {
    enum { OUTS = 4 };
    static const char *const names[OUTS] = {"out.positions", "out.status", "out.error", "out.iterations"};
    static const skl_item vector = {1, 0, {3}}, number = {0, 0, {0}}, joints = {2, 1, {SKL_MANY, 3}};
    skl_solve_fabrik_job job = {.num_targets = 1};
    int64_t tree = -1;
    if (!skl_out_check(args[7], OUTS) || !take_iterations(args[5], &job.max_iterations) ||
        !take_joints(args[2], "parents", &tree, &job.parents) ||
        !take_joints(args[3], "leaves", &job.num_targets, &job.leaves))
        return NULL;
    const skl_item leaves = {2, 1, {job.num_targets, 3}};
    const skl_input inputs[] = {{args[0], "positions", &joints, &job.positions, 0},
                                {args[1], "target", job.leaves ? &leaves : &vector, &job.target, 0},
                                {args[6], "pole", &vector, &job.pole, 1}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 3, &job.dtype) || !take_sizes(c.in[0].array, tree, &job)) return skl_call_fail(&c);
    const skl_item points = {2, 1, {job.num_joints, 3}};
    job.tolerance = job.dtype == SKL_FLOAT32 ? 1e-4 : 1e-6;
    if ((args[4] != Py_None && !skl_py_real(args[4], "tolerance", &job.tolerance)) ||
        !skl_call_out(&c, skl_out_given(args[7], 0), names[0], &points, &job.out) ||
        !skl_call_codes(&c, skl_out_given(args[7], 1), names[1], NPY_UINT8, &job.out_status) ||
        !skl_call_out(&c, skl_out_given(args[7], 2), names[2], &number, &job.out_error) ||
        !skl_call_codes(&c, skl_out_given(args[7], 3), names[3], NPY_INT32, &job.out_iterations) ||
        !skl_outs_apart(c.out, names, OUTS))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 4 * job.num_joints * (1 + job.max_iterations / 64), skl_solve_fabrik_run, job);
}
