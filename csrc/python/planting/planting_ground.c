/* SPDX-License-Identifier: MIT */
/* Feet on ground that slopes or moves, for Python. The package hands in its own dataclasses and packed arrays. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/ground/foot_ground.h"
#include "planting/ground/stances.h"

#include <math.h>
#include <string.h>

/* What a function made, if it is done; else nothing, and an exception. Gives back the memory that it took. */
static PyObject *finished(PyThreadState *lock, PyObject *out, int done, skl_arena *arena) {
    out = skl_py_give(lock, out);
    if (out && !done) {
        Py_CLEAR(out);
        if (!PyErr_Occurred()) PyErr_NoMemory();
    }
    skl_arena_free(arena);
    return out;
}

/* model, feet, up, foothold or None */
PyObject *skl_py_outline_on(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("outline_on", nargs, 4)) return NULL;
    const npy_intp num = skl_py_rows(args[1], "feet"), shape[3] = {3, num, 3};
    const double *feet = num < 0 ? NULL : skl_py_matrices(args[1], "feet", num);
    skl_foot_model model;
    skl_foot_ground hold;
    double up[3];
    int known;
    if (!feet || !skl_py_foot_model(args[0], &model) || !skl_py_vector(args[2], "up", up) ||
        !skl_py_foot_ground(args[3], num, &hold, &known))
        return NULL;
    PyObject *out = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(num);
    const int done = skl_outline_on(&model.sole, up, num, feet, known ? &hold : NULL, &arena, skl_py_data(out));
    return finished(lock, out, done, &arena);
}

/* sole (3, F, 3), up, foothold or None */
PyObject *skl_py_roll_on(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("roll_on", nargs, 3)) return NULL;
    const npy_intp any[3] = {3, SKL_ANY, 3};
    const double *sole = skl_py_over_frames(args[0], "sole", NPY_DOUBLE, 3, any);
    const npy_intp num = sole ? PyArray_DIM((PyArrayObject *)args[0], 1) : -1;
    skl_foot_ground hold;
    double up[3];
    int known;
    if (!sole || !skl_py_vector(args[1], "up", up) || !skl_py_foot_ground(args[2], num, &hold, &known)) return NULL;
    PyObject *out = skl_py_new_frames(1, num, NPY_INT8);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(num);
    const int done = skl_roll_on(up, num, sole, known ? &hold : NULL, &arena, skl_py_data(out));
    return finished(lock, out, done, &arena);
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
    return finished(lock, out, done, &arena);
}

/* --- stances -------------------------------------------------------------------------------------------------------
 */

/* The numbers of a sequence, one per contact; of None, or of points that are None, NaN. */
static double *numbers_of(PyObject *sequence, int64_t count, int columns, skl_arena *arena) {
    double *out = SKL_TAKE(arena, double, count *columns);
    if (!out) PyErr_NoMemory();
    if (out && PySequence_Size(sequence) < count) {
        PyErr_SetString(PyExc_ValueError, "one number is needed per contact");
        return NULL;
    }
    for (int64_t i = 0; out && i < count; i++) {
        PyObject *each = PySequence_GetItem(sequence, (Py_ssize_t)i);
        if (!each) return NULL;
        if (each == Py_None)
            out[columns * i] = NAN;
        else if (columns == 1)
            out[i] = PyFloat_AsDouble(each);
        else
            (void)skl_py_vector(each, "places", out + columns * i);
        Py_DECREF(each);
        if (PyErr_Occurred()) return NULL;
    }
    return out;
}

/* A HeldFoot. */
typedef struct held_foot {
    skl_track track;
    skl_foot_model model;
    skl_hold hold;
    skl_foot_ground ground;
    double step[3];
    int on_ground, steps;
} held_foot;

static int take_foot(PyObject *object, skl_arena *arena, held_foot *into, skl_stance *out) {
    PyObject *track = skl_py_kept(object, "track"), *model = track ? skl_py_kept(object, "model") : NULL;
    PyObject *contacts = model ? skl_py_kept(object, "contacts") : NULL,
             *rises = contacts ? skl_py_kept(object, "rises") : NULL;
    PyObject *hold = rises ? skl_py_kept(object, "hold") : NULL, *places = hold ? skl_py_kept(object, "places") : NULL;
    PyObject *below = places ? skl_py_kept(object, "foothold") : NULL,
             *pinned = below ? skl_py_kept(object, "pinned") : NULL;
    if (!pinned || !skl_py_track(track, &into->track) || !skl_py_foot_model(model, &into->model) ||
        !skl_py_take_spans(contacts, "contacts", into->track.num_frames, arena, &out->foot.contacts) ||
        !skl_py_hold(hold, into->track.num_frames, arena, &into->hold) ||
        !skl_py_foot_ground(below, into->track.num_frames, &into->ground, &into->on_ground) ||
        !skl_py_optional_vector(object, "ground_step", into->step, &into->steps))
        return 0;
    out->foot.track = &into->track;
    out->foot.sole = &into->model.sole;
    out->foot.turn = into->hold.turn;
    out->foot.ground = into->on_ground ? &into->ground : NULL;
    out->foot.ground_step = into->steps ? into->step : NULL;
    out->foot.pinned = PyObject_IsTrue(pinned);
    return (out->rises = numbers_of(rises, out->foot.contacts.count, 1, arena)) &&
           (out->places = numbers_of(places, out->foot.contacts.count, 3, arena));
}

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
    skl_stances_job job = {.num_legs = PySequence_Size(args[0]), .ground = &ground};
    double up[3];
    int known;
    held_foot *feet = job.num_legs < 0 ? NULL : SKL_TAKE(&arena, held_foot, job.num_legs);
    job.legs = feet ? SKL_ZEROS(&arena, skl_stance, job.num_legs) : NULL;
    if (arena.failed) PyErr_NoMemory();
    int taken = job.legs && skl_py_vector(args[2], "up", up) && skl_py_ground(args[1], up, &ground, &known) &&
                skl_py_integer(args[3], "window", &job.window);
    for (int64_t k = 0; taken && k < job.num_legs; k++) {
        PyObject *foot = PySequence_GetItem(args[0], (Py_ssize_t)k);
        taken = foot && take_foot(foot, &arena, &feet[k], &job.legs[k]);
        Py_XDECREF(foot);
    }
    PyObject *out = NULL;
    if (taken) {
        job.num_frames = job.num_legs ? feet[0].track.num_frames : 0;
        out = results_of(&job);
    }
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
