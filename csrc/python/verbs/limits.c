/* SPDX-License-Identifier: MIT */
/* Joint limits for Python. */
#include "limits.h"
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include <string.h>

skl_joint_limit *skl_py_take_limits(PyObject *joints, PyObject *numbers, int64_t *count) {
    PyArrayObject *j = (PyArrayObject *)joints, *n = (PyArrayObject *)numbers;
    const int good = PyArray_Check(joints) && PyArray_Check(numbers) && PyArray_TYPE(j) == NPY_INT32 &&
                     PyArray_TYPE(n) == NPY_DOUBLE && PyArray_ISCARRAY_RO(j) && PyArray_ISCARRAY_RO(n) &&
                     PyArray_NDIM(j) == 1 && PyArray_NDIM(n) == 2 && PyArray_DIM(n, 1) == 23 &&
                     PyArray_DIM(n, 0) == PyArray_DIM(j, 0);
    if (!good) {
        PyErr_SetString(PyExc_TypeError, "limits must be (L,) int32 joints and (L, 23) float64 numbers");
        return NULL;
    }
    *count = PyArray_DIM(j, 0);
    skl_joint_limit *limits = PyMem_Calloc((size_t)(*count ? *count : 1), sizeof *limits);
    if (!limits) {
        (void)PyErr_NoMemory();
        return NULL;
    }
    const int32_t *joint = PyArray_DATA(j);
    const double *at = PyArray_DATA(n);
    for (int64_t i = 0; i < *count; i++, at += 23) {
        limits[i].joint = joint[i];
        memcpy(limits[i].frame, at, sizeof limits[i].frame);
        memcpy(limits[i].rest, at + 9, sizeof limits[i].rest);
        memcpy(limits[i].swing, at + 18, sizeof limits[i].swing);
        memcpy(limits[i].twist, at + 20, sizeof limits[i].twist);
        limits[i].soft = at[22];
    }
    return limits;
}

int skl_py_take_given_limits(PyObject *given, skl_joint_limit **limits, int64_t *count) {
    *limits = NULL;
    *count = 0;
    if (given == Py_None) return 1;
    if (!PyTuple_Check(given) || PyTuple_Size(given) != 2) {
        PyErr_SetString(PyExc_TypeError, "limits must be None or a tuple of joints and numbers");
        return 0;
    }
    *limits = skl_py_take_limits(PyTuple_GetItem(given, 0), PyTuple_GetItem(given, 1), count);
    return *limits != NULL;
}

/* skeleton, local, joints, numbers, only_angles, out */
PyObject *skl_py_limit_poses(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("limit_poses", nargs, 6)) return NULL;
    skl_limit_poses_job job = {.skeleton = skl_py_skeleton(module, args[0]), .out_rows = skl_out_rows(args[5])};
    if (!job.skeleton) return NULL;
    skl_joint_limit *limits = skl_py_take_limits(args[2], args[3], &job.num_limits);
    if (!limits) return NULL;
    const int64_t joints = job.skeleton->num_joints;
    const int only_angles = PyObject_IsTrue(args[4]);
    const skl_item pose = {3, 1, {joints, SKL_ROWS, 4}}, out_pose = {3, 1, {joints, job.out_rows, 4}},
                   angles = {1, 0, {job.num_limits}};
    skl_arg in[1] = {{0}};
    skl_out out = {0};
    skl_shape shape;
    PyObject *result = NULL;
    job.limits = limits;
    job.hard = only_angles;
    if (skl_arg_take(&in[0], args[1], "local") && skl_args_dtype(in, 1, &job.dtype) &&
        skl_arg_prepare(&in[0], job.dtype, &pose, &job.local) && skl_args_broadcast(in, 1, &shape) &&
        skl_out_begin(&out, args[5], "out", job.dtype, &shape, only_angles ? &angles : &out_pose, in, 1,
                      only_angles ? &job.out_angle : &job.out)) {
        job.local_rows = (int32_t)PyArray_DIM(in[0].array, PyArray_NDIM(in[0].array) - 2);
        PyThreadState *lock = skl_py_release(skl_shape_items(&shape) * joints);
        const skl_code code = skl_limit_poses_run(&job);
        result = skl_py_restore(lock) && code == SKL_OK ? skl_out_finish(&out) : skl_py_raise(&job.status);
    }
    skl_out_clear(&out);
    skl_args_clear(in, 1);
    PyMem_Free(limits);
    return result;
}
