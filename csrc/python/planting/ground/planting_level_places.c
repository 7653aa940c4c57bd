/* SPDX-License-Identifier: MIT */
/* Ground that slopes or moves, for Python. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_args.h"

#include "planting/ground/level_places.h"

typedef void move(const skl_level_space *hold, const double *points, const double *rises, double *out);

/* places, turns, points, rises, up */
static PyObject *move_places(const char *function, move *run, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity(function, nargs, 5)) return NULL;
    const npy_intp num = skl_py_rows(args[0], "places");
    if (num < 0) return NULL;
    skl_level_space hold = {.num_frames = num};
    const double *points, *rises;
    if (!(hold.places = skl_py_vectors(args[0], "places", num)) ||
        !(hold.turns = skl_py_matrices(args[1], "turns", num)) || !(points = skl_py_vectors(args[2], "points", num)) ||
        !(rises = skl_py_numbers(args[3], "rises", num)) || !skl_py_vector(args[4], "up", hold.up))
        return NULL;
    PyObject *out = skl_py_new_frames(2, num, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    run(&hold, points, rises, skl_py_data(out));
    return skl_py_give(lock, out);
}

PyObject *skl_py_level_places(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    return move_places("level_places", skl_level_places, args, nargs);
}

PyObject *skl_py_world_places(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    return move_places("world_places", skl_world_places, args, nargs);
}

/* turns, points (P, F, 3), back */
PyObject *skl_py_turn_points(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("turn_points", nargs, 3)) return NULL;
    const int back = PyObject_IsTrue(args[2]);
    const npy_intp num = back < 0 ? -1 : skl_py_rows(args[0], "turns");
    const npy_intp sets = num < 0 ? -1 : skl_py_rows(args[1], "points");
    if (sets < 0) return NULL;
    const npy_intp shape[3] = {sets, num, 3};
    const double *turns, *points;
    if (!(turns = skl_py_matrices(args[0], "turns", num)) ||
        !(points = skl_py_over_frames(args[1], "points", NPY_DOUBLE, 3, shape)))
        return NULL;
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(sets * num);
    skl_turn_points(sets, num, turns, back, points, skl_py_data(out));
    return skl_py_give(lock, out);
}
