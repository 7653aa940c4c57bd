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

/* vectors */
PyObject *skl_py_turn_matrices(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_matrices", nargs, 1)) return NULL;
    const double *vectors = skl_py_over_frames(args[0], "vectors", NPY_DOUBLE, 2, VECTORS);
    PyObject *out = vectors ? new_frames(args[0], 3) : NULL;
    if (!out) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0);
    PyThreadState *lock = skl_py_release(num);
    skl_turn_matrices(num, vectors, PyArray_DATA((PyArrayObject *)out));
    skl_py_restore(lock);
    return out;
}

/* matrices */
PyObject *skl_py_turn_vectors(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_vectors", nargs, 1)) return NULL;
    const double *matrices = skl_py_over_frames(args[0], "matrices", NPY_DOUBLE, 3, MATRICES);
    PyObject *out = matrices ? new_frames(args[0], 2) : NULL;
    if (!out) return NULL;
    const npy_intp num = PyArray_DIM((PyArrayObject *)args[0], 0);
    PyThreadState *lock = skl_py_release(num);
    skl_turn_vectors(num, matrices, PyArray_DATA((PyArrayObject *)out));
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
