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

/* The two paths of a foot's sole, and up. */
typedef struct paths {
    npy_intp num_frames;
    const double *back, *ball;
    double up[3];
} paths;

/* back, ball, up */
static int take_paths(const char *function, PyObject *const *args, Py_ssize_t nargs, paths *into) {
    if (!skl_py_arity(function, nargs, 3)) return 0;
    into->num_frames = skl_py_rows(args[0], "back");
    if (into->num_frames < 0) return 0;
    into->back = skl_py_vectors(args[0], "back", into->num_frames);
    into->ball = into->back ? skl_py_vectors(args[1], "ball", into->num_frames) : NULL;
    return into->ball && skl_py_vector(args[2], "up", into->up);
}

PyObject *skl_py_rolls_on_heel(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    paths p;
    if (!take_paths("rolls_on_heel", args, nargs, &p)) return NULL;
    PyObject *out = skl_py_new_frames(1, p.num_frames, NPY_BOOL);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(p.num_frames);
    skl_rolls_on_heel(p.up, p.num_frames, p.back, p.ball, skl_py_data(out));
    return skl_py_give(lock, out);
}

PyObject *skl_py_rolling_steps(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    paths p;
    if (!take_paths("rolling_steps", args, nargs, &p)) return NULL;
    PyObject *out = skl_py_new_frames(2, p.num_frames > 0 ? p.num_frames - 1 : 0, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(p.num_frames);
    skl_rolling_steps(p.up, p.num_frames, p.back, p.ball, skl_py_data(out));
    return skl_py_give(lock, out);
}
