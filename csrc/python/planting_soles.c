/* SPDX-License-Identifier: MIT */
/* Soles of feet over all frames, for Python. The package hands in packed arrays of the right types. */
#include "../planting/skelkin_soles.h"

#include <string.h>

#include "args.h"
#include "module.h"
#include "planting_args.h"

static int take_vector(PyObject *value, const char *name, double out[3]) {
    const npy_intp shape[1] = {3};
    const double *from = skl_py_over_frames(value, name, NPY_DOUBLE, 1, shape);
    if (from) memcpy(out, from, 3 * sizeof *out);
    return from != NULL;
}

/* feet, heel, ball, back, along, drop, up */
PyObject *skl_py_sole_outline(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("sole_outline", nargs, 7)) return NULL;
    const npy_intp any[3] = {SKL_ANY, 3, 3};
    const double *feet = skl_py_over_frames(args[0], "feet", NPY_DOUBLE, 3, any);
    skl_sole sole;
    double up[3];
    if (!feet || !take_vector(args[1], "heel", sole.heel) || !take_vector(args[2], "ball", sole.ball) ||
        !take_vector(args[3], "back", sole.back) || !take_vector(args[4], "along", sole.along) ||
        !take_vector(args[6], "up", up))
        return NULL;
    sole.drop = PyFloat_AsDouble(args[5]);
    if (sole.drop == -1.0 && PyErr_Occurred()) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0);
    npy_intp shape[3] = {3, num, 3};
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_sole_outline(&sole, up, num, feet, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
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
    const npy_intp shape[2] = {into->num_frames, 3};
    into->back = skl_py_over_frames(args[0], "back", NPY_DOUBLE, 2, shape);
    into->ball = into->back ? skl_py_over_frames(args[1], "ball", NPY_DOUBLE, 2, shape) : NULL;
    return into->ball && take_vector(args[2], "up", into->up);
}

PyObject *skl_py_rolls_on_heel(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    paths p;
    if (!take_paths("rolls_on_heel", args, nargs, &p)) return NULL;
    PyObject *out = PyArray_SimpleNew(1, &p.num_frames, NPY_BOOL);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(p.num_frames);
    skl_rolls_on_heel(p.up, p.num_frames, p.back, p.ball, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}

PyObject *skl_py_rolling_steps(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    paths p;
    if (!take_paths("rolling_steps", args, nargs, &p)) return NULL;
    npy_intp shape[2] = {p.num_frames > 0 ? p.num_frames - 1 : 0, 3};
    PyObject *out = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(p.num_frames);
    skl_rolling_steps(p.up, p.num_frames, p.back, p.ball, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}
