/* SPDX-License-Identifier: MIT */
/* Rotations of feet over all frames, for Python. The package hands in packed arrays of the right types. */
#include "../planting/skelkin_turns.h"

#include "args.h"
#include "module.h"
#include "planting_args.h"

static const npy_intp VECTORS[2] = {SKL_ANY, 3}, MATRICES[3] = {SKL_ANY, 3, 3};

/* A new array over as many frames as `like` has. */
static PyObject *new_frames(PyObject *like, int ndim) {
    npy_intp shape[3] = {PyArray_DIM((PyArrayObject *)like, 0), 3, 3};
    return PyArray_SimpleNew(ndim, shape, NPY_DOUBLE);
}

/* From packed vectors (2 dimensions) or matrices (3) of all frames to others. */
typedef void convert(int64_t num_frames, const double *in, double *out);

static PyObject *over_frames(PyObject *value, const char *name, convert *run, int from, int to) {
    const double *in = skl_py_over_frames(value, name, NPY_DOUBLE, from, from == 2 ? VECTORS : MATRICES);
    PyObject *out = in ? new_frames(value, to) : NULL;
    if (!out) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)value, 0);
    PyThreadState *lock = skl_py_release(num);
    run(num, in, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}

PyObject *skl_py_turn_matrices(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_matrices", nargs, 1)) return NULL;
    return over_frames(args[0], "vectors", skl_turn_matrices, 2, 3);
}

PyObject *skl_py_turn_vectors(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_vectors", nargs, 1)) return NULL;
    return over_frames(args[0], "matrices", skl_turn_vectors, 3, 2);
}

PyObject *skl_py_rotations_of(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("rotations_of", nargs, 1)) return NULL;
    return over_frames(args[0], "matrices", skl_rotations_of, 3, 3);
}

PyObject *skl_py_turn_speeds(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_speeds", nargs, 1)) return NULL;
    return over_frames(args[0], "rotations", skl_turn_speeds, 3, 1);
}

PyObject *skl_py_turns_to_mean(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turns_to_mean", nargs, 1)) return NULL;
    return over_frames(args[0], "rotations", skl_turns_to_mean, 3, 2);
}

/* rotations, least */
PyObject *skl_py_resting_turns(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("resting_turns", nargs, 2)) return NULL;
    const double *rotations = skl_py_over_frames(args[0], "rotations", NPY_DOUBLE, 3, MATRICES);
    const double least = rotations ? PyFloat_AsDouble(args[1]) : -1;
    if (!rotations || (least == -1 && PyErr_Occurred())) return NULL;
    npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0);
    PyObject *out = PyArray_SimpleNew(1, &num, NPY_BOOL);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_resting_turns(num, rotations, least, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}

/* matrices, vector */
PyObject *skl_py_turn_into(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_into", nargs, 2)) return NULL;
    const npy_intp three = 3;
    const double *matrices = skl_py_over_frames(args[0], "matrices", NPY_DOUBLE, 3, MATRICES);
    const double *vector = matrices ? skl_py_over_frames(args[1], "vector", NPY_DOUBLE, 1, &three) : NULL;
    PyObject *out = vector ? new_frames(args[0], 2) : NULL;
    if (!out) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0);
    PyThreadState *lock = skl_py_release(num);
    skl_turn_into(num, matrices, vector, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}

/* vectors, feet */
PyObject *skl_py_turn_feet(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_feet", nargs, 2)) return NULL;
    const double *vectors = skl_py_over_frames(args[0], "vectors", NPY_DOUBLE, 2, VECTORS);
    if (!vectors) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0), shape[3] = {num, 3, 3};
    const double *feet = skl_py_over_frames(args[1], "feet", NPY_DOUBLE, 3, shape);
    PyObject *out = feet ? new_frames(args[0], 3) : NULL;
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_turn_feet(num, vectors, feet, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}
