/* SPDX-License-Identifier: MIT */
/* F-curves for Python. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "skelkin/blender_fcurves.h"

#define KEY_FLOATS 9
#define CYCLES_FLOATS 10
_Static_assert(sizeof(skl_fcurve_key) == KEY_FLOATS * sizeof(float), "a key is a row of the array");
_Static_assert(sizeof(skl_fcurve_cycles) == CYCLES_FLOATS * sizeof(float), "cycles are a row of the array");

/* starts, keys, interpolation, easing, linear, cycles, frames, rounds; fcurves.py has checked what they hold */
PyObject *skl_py_evaluate_fcurves(PyObject *const *args) {
    const npy_intp keys = skl_py_rows(args[1], "keys"), curves = skl_py_rows(args[4], "linear"),
                   frames = skl_py_rows(args[6], "frames");
    const int rounds = PyObject_IsTrue(args[7]);
    if (PyErr_Occurred()) return NULL;
    skl_evaluate_fcurves_job job = {.num_curves = curves, .num_frames = frames, .rounds = rounds};
    if (!(job.starts = skl_py_packed(args[0], "starts", NPY_INT64, 1, (npy_intp[]){curves + 1})) ||
        !(job.keys = skl_py_packed(args[1], "keys", NPY_FLOAT32, 2, (npy_intp[]){keys, KEY_FLOATS})) ||
        !(job.interpolation = skl_py_packed(args[2], "interpolation", NPY_UINT8, 1, (npy_intp[]){keys})) ||
        !(job.easing = skl_py_packed(args[3], "easing", NPY_UINT8, 1, (npy_intp[]){keys})) ||
        !(job.linear = skl_py_packed(args[4], "linear", NPY_UINT8, 1, (npy_intp[]){curves})) ||
        !(job.cycles = skl_py_packed(args[5], "cycles", NPY_FLOAT32, 2, (npy_intp[]){curves, CYCLES_FLOATS})) ||
        !(job.frames = skl_py_packed(args[6], "frames", NPY_FLOAT32, 1, (npy_intp[]){frames})))
        return NULL;
    if (job.starts[0] != 0 || job.starts[curves] != keys)
        return PyErr_Format(PyExc_TypeError, "starts does not span the keys");
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
