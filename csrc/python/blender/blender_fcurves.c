/* SPDX-License-Identifier: MIT */
/* F-curves for Python. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "skelkin/blender_fcurves.h"

#define KEY_FLOATS 9
#define CYCLES_FLOATS 10
_Static_assert(sizeof(skl_fcurve_key) == KEY_FLOATS * sizeof(float), "a key is a row of the array");
_Static_assert(sizeof(skl_fcurve_cycles) == CYCLES_FLOATS * sizeof(float), "cycles are a row of the array");

/* The numbers of an array (rows,) or (rows, columns) of that type, or NULL and a TypeError. */
static const void *numbers(PyObject *object, const char *name, int type, npy_intp rows, npy_intp columns) {
    PyArrayObject *array = (PyArrayObject *)object;
    const int ndim = columns ? 2 : 1;
    if (!PyArray_Check(object) || PyArray_TYPE(array) != type || !PyArray_ISCARRAY_RO(array) ||
        PyArray_NDIM(array) != ndim || PyArray_DIM(array, 0) != rows || (columns && PyArray_DIM(array, 1) != columns)) {
        PyErr_Format(PyExc_TypeError, "%s is not the contiguous array that evaluate_fcurves takes", name);
        return NULL;
    }
    return PyArray_DATA(array);
}

/* Number of rows of an array; -1 if it is none. */
static npy_intp rows_of(PyObject *object) {
    return PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) > 0 ? PyArray_DIM((PyArrayObject *)object, 0)
                                                                              : -1;
}

/* starts, keys, interpolation, easing, linear, cycles, frames, rounds; fcurves.py has checked what they hold */
PyObject *skl_py_evaluate_fcurves(PyObject *const *args) {
    const npy_intp keys = rows_of(args[1]), curves = rows_of(args[4]), frames = rows_of(args[6]);
    const int rounds = PyObject_IsTrue(args[7]);
    if (rounds < 0) return NULL;
    skl_evaluate_fcurves_job job = {.num_curves = curves, .num_frames = frames, .rounds = rounds};
    if (!(job.starts = numbers(args[0], "starts", NPY_INT64, curves + 1, 0)) ||
        !(job.keys = numbers(args[1], "keys", NPY_FLOAT32, keys, KEY_FLOATS)) ||
        !(job.interpolation = numbers(args[2], "interpolation", NPY_UINT8, keys, 0)) ||
        !(job.easing = numbers(args[3], "easing", NPY_UINT8, keys, 0)) ||
        !(job.linear = numbers(args[4], "linear", NPY_UINT8, curves, 0)) ||
        !(job.cycles = numbers(args[5], "cycles", NPY_FLOAT32, curves, CYCLES_FLOATS)) ||
        !(job.frames = numbers(args[6], "frames", NPY_FLOAT32, frames, 0)))
        return NULL;
    if (job.starts[0] != 0 || job.starts[curves] != keys) {
        PyErr_SetString(PyExc_TypeError, "starts does not span the keys");
        return NULL;
    }
    npy_intp shape[2] = {frames, curves};
    PyObject *out = PyArray_SimpleNew(2, shape, NPY_FLOAT32);
    if (!out) return NULL;
    job.out = PyArray_DATA((PyArrayObject *)out);
    PyThreadState *lock = skl_py_release(frames * curves);
    const skl_code code = skl_evaluate_fcurves_run(&job);
    if (skl_py_restore(lock) && code == SKL_OK) return out;
    Py_DECREF(out);
    return skl_py_raise(&job.status);
}
