/* SPDX-License-Identifier: MIT */
/* Feet on ground that slopes or moves, for Python. The package hands in its own dataclasses and packed arrays. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/planting/planting_feet.h"

#include "planting/ground/foothold.h"

/* model, feet, up, foothold or None */
PyObject *skl_py_outline_on(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("outline_on", nargs, 4)) return NULL;
    const npy_intp num = skl_py_rows(args[1], "feet"), shape[3] = {3, num, 3};
    const double *feet = num < 0 ? NULL : skl_py_matrices(args[1], "feet", num);
    skl_foot_model model;
    skl_foothold hold;
    double up[3];
    int known;
    if (!feet || !skl_py_foot_model(args[0], &model) || !skl_py_vector(args[2], "up", up) ||
        !skl_py_foothold(args[3], num, &hold, &known))
        return NULL;
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(num);
    const int done = skl_outline_on(&model.sole, up, num, feet, known ? &hold : NULL, &arena, skl_py_data(out));
    return skl_py_finished(lock, out, done, &arena);
}

/* sole (3, F, 3), up, foothold or None */
PyObject *skl_py_roll_on(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("roll_on", nargs, 3)) return NULL;
    const npy_intp any[3] = {3, SKL_ANY, 3};
    const double *sole = skl_py_over_frames(args[0], "sole", NPY_DOUBLE, 3, any);
    const npy_intp num = sole ? PyArray_DIM((PyArrayObject *)args[0], 1) : -1;
    skl_foothold hold;
    double up[3];
    int known;
    if (!sole || !skl_py_vector(args[1], "up", up) || !skl_py_foothold(args[2], num, &hold, &known)) return NULL;
    PyObject *out = skl_py_new_frames(1, num, NPY_INT8);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(num);
    const int done = skl_roll_on(up, num, sole, known ? &hold : NULL, &arena, skl_py_data(out));
    return skl_py_finished(lock, out, done, &arena);
}

/* ground, points (P, F, 3), up */
PyObject *skl_py_carried_steps(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("carried_steps", nargs, 3)) return NULL;
    const npy_intp any[3] = {SKL_ANY, SKL_ANY, 3};
    const double *points = skl_py_over_frames(args[1], "points", NPY_DOUBLE, 3, any);
    double up[3];
    skl_ground ground;
    int known;
    if (!points || !skl_py_vector(args[2], "up", up) || !skl_py_ground(args[0], up, &ground, &known)) return NULL;
    const npy_intp sets = PyArray_DIM((PyArrayObject *)args[1], 0), num = PyArray_DIM((PyArrayObject *)args[1], 1);
    const npy_intp shape[3] = {sets, num > 0 ? num - 1 : 0, 3};
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release_on(&ground, sets * num);
    const int done = skl_carried_steps(&ground, sets, num, points, &arena, skl_py_data(out));
    return skl_py_finished(lock, out, done, &arena);
}

/* --- stances -------------------------------------------------------------------------------------------------------
 */

/* A list of (offset, turn), whose numbers the job fills. */
static PyObject *results_of(skl_stances_job *job) {
    PyObject *list = PyList_New((Py_ssize_t)job->num_legs);
    for (int64_t k = 0; list && k < job->num_legs; k++) {
        PyObject *offset = skl_py_new_frames(2, (npy_intp)job->num_frames, NPY_DOUBLE);
        PyObject *turn = skl_py_new_frames(2, (npy_intp)job->num_frames, NPY_DOUBLE);
        PyObject *pair = offset && turn ? PyTuple_Pack(2, offset, turn) : NULL;
        if (pair) {
            job->legs[k].offset = skl_py_data(offset);
            job->legs[k].turn = skl_py_data(turn);
        }
        Py_XDECREF(offset);
        Py_XDECREF(turn);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)k, pair) < 0) Py_CLEAR(list);
    }
    return list;
}

/* feet (HeldFoot), ground, up, window */
PyObject *skl_py_stances(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("stances", nargs, 4)) return NULL;
    skl_arena arena = {0};
    skl_ground ground;
    skl_stances_job job = {.ground = &ground};
    double up[3];
    int known;
    job.legs = skl_py_held_feet(args[0], &arena, &job.num_legs, &job.num_frames);
    const int taken = job.legs && skl_py_vector(args[2], "up", up) && skl_py_ground(args[1], up, &ground, &known) &&
                      skl_py_integer(args[3], "window", &job.window);
    PyObject *out = NULL;
    if (taken) out = results_of(&job);
    if (out) {
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * job.num_legs);
        const skl_code code = skl_stances_run(&job);
        if (!skl_py_restore(lock) || code != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&job.status);
        }
    }
    skl_arena_free(&arena);
    return out;
}
