/* SPDX-License-Identifier: MIT */
/* Soles of feet over all frames, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_args.h"

#include "planting/motion/soles.h"

/* feet, heel, ball, back, along, drop, raised, up */
PyObject *skl_py_sole_outline(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("sole_outline", nargs, 8)) return NULL;
    const npy_intp num = skl_py_rows(args[0], "feet");
    const double *feet = num < 0 ? NULL : skl_py_matrices(args[0], "feet", num);
    skl_sole sole;
    double up[3];
    if (!feet || !skl_py_vector(args[1], "heel", sole.heel) || !skl_py_vector(args[2], "ball", sole.ball) ||
        !skl_py_vector(args[3], "back", sole.back) || !skl_py_vector(args[4], "along", sole.along) ||
        !skl_py_vector(args[7], "up", up))
        return NULL;
    sole.drop = PyFloat_AsDouble(args[5]);
    sole.raised = PyFloat_AsDouble(args[6]);
    if ((sole.drop == -1.0 || sole.raised == -1.0) && PyErr_Occurred()) return NULL;
    npy_intp shape[3] = {3, num, 3};
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_sole_outline(&sole, up, num, feet, skl_py_data(out));
    return skl_py_give(lock, out);
}
