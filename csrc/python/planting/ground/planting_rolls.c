/* SPDX-License-Identifier: MIT */
/* Feet whose heel and ball are given, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include "planting/ground/given_roll.h"

#include <string.h>

/* A GivenRoll and a FootModel. */
typedef struct given {
    skl_track track, level;
    skl_foothold ground;
    skl_foot_model model;
    skl_given_roll roll;
} given;

static int take_windows(PyObject *windows, skl_given_roll *out) {
    long long held, all;
    if (!PyArg_ParseTuple(windows, "LL", &held, &all)) return 0;
    out->held_window = held;
    out->window = all;
    return 1;
}

static int take_given(PyObject *roll, PyObject *model, skl_arena *arena, given *out) {
    PyObject *track = skl_py_kept(roll, "track"), *level = track ? skl_py_kept(roll, "level") : NULL;
    PyObject *below = level ? skl_py_kept(roll, "foothold") : NULL;
    PyObject *contacts = below ? skl_py_kept(roll, "contacts") : NULL;
    PyObject *stands = contacts ? skl_py_kept(roll, "given") : NULL, *up = stands ? skl_py_kept(roll, "up") : NULL;
    PyObject *windows = up ? skl_py_kept(roll, "windows") : NULL;
    int known;
    if (!windows || !skl_py_track(track, &out->track) || !skl_py_track(level, &out->level) ||
        !skl_py_foot_model(model, &out->model))
        return 0;
    const npy_intp num = (npy_intp)out->track.num_frames;
    out->roll = (skl_given_roll){.track = &out->track, .level = &out->level};
    if (!skl_py_foothold(below, num, &out->ground, &known) || !skl_py_vector(up, "up", out->roll.up) ||
        !skl_py_take_spans(contacts, "contacts", num, arena, &out->roll.contacts) ||
        !skl_py_number(roll, "fps", 0, &out->roll.fps) || !take_windows(windows, &out->roll) ||
        !(out->roll.given = skl_py_over_frames(stands, "given", NPY_INT8, 1, &num)))
        return 0;
    out->roll.ground = known ? &out->ground : NULL;
    return 1;
}

/* roll (GivenRoll), model, turn */
PyObject *skl_py_roll_wrong(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("roll_wrong", nargs, 3)) return NULL;
    skl_arena arena = {0};
    given g;
    PyObject *out = NULL;
    const double *turn;
    if (take_given(args[0], args[1], &arena, &g) && (turn = skl_py_vectors(args[2], "turn", g.track.num_frames)))
        out = skl_py_new_frames(1, (npy_intp)g.track.num_frames, NPY_BOOL);
    if (out) {
        PyThreadState *lock = skl_py_release(g.track.num_frames);
        const int done = skl_roll_wrong(&g.roll, &g.model.sole, turn, &arena, skl_py_data(out));
        return skl_py_finished(lock, out, done, &arena);
    }
    skl_arena_free(&arena);
    return out;
}

/* roll (GivenRoll), model, own (Hold) */
PyObject *skl_py_roll_hold(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("roll_hold", nargs, 3)) return NULL;
    skl_arena arena = {0};
    given g;
    PyObject *turn = NULL, *out = NULL;
    skl_hold own, hold;
    if (take_given(args[0], args[1], &arena, &g) && skl_py_hold(args[2], g.track.num_frames, &arena, &own)) {
        PyThreadState *lock = skl_py_release(g.track.num_frames);
        const int done = skl_roll_hold(&g.roll, &g.model.sole, &own, &arena, &hold);
        if (skl_py_restore(lock) && !done) PyErr_NoMemory();
        if (!PyErr_Occurred()) turn = skl_py_new_frames(2, (npy_intp)g.track.num_frames, NPY_DOUBLE);
    }
    if (turn) {
        memcpy(skl_py_data(turn), hold.turn, (size_t)g.track.num_frames * 3 * sizeof *hold.turn);
        out = Py_BuildValue("(NN)", turn, skl_py_span_list(hold.spans));
    }
    skl_arena_free(&arena);
    return out;
}
