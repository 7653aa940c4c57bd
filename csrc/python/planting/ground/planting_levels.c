/* SPDX-License-Identifier: MIT */
/* At which heights feet stand, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include "planting/ground/levels.h"

#include <math.h>

/* tracks, models, contacts, up */
static int take_feet(PyObject *const *args, skl_arena *arena, skl_feet *out) {
    Py_ssize_t count = -1;
    if (!(out->tracks = skl_py_tracks(args[0], arena, &count)) ||
        !(out->models = skl_py_foot_models(args[1], arena, count)))
        return 0;
    out->num_legs = count;
    out->num_frames = count ? out->tracks[0].num_frames : 0;
    return (out->contacts = skl_py_span_lists(args[2], "contacts", out->num_frames, arena, count)) &&
           skl_py_vector(args[3], "up", out->up);
}

/* A list of so many numbers, which are borrowed. */
static PyObject *list_of_numbers(const double *numbers, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) < 0) Py_CLEAR(list);
    }
    return list;
}

/* Per leg, how far above the ground its contacts are kept. */
static PyObject *rises_of(const skl_feet *feet, const skl_levels *levels, skl_arena *arena) {
    PyObject *list = PyList_New((Py_ssize_t)feet->num_legs);
    for (int64_t k = 0; list && k < feet->num_legs; k++) {
        const int64_t count = feet->contacts[k].count;
        double *rises = SKL_TAKE(arena, double, count);
        PyObject *own = rises && skl_contact_rises(feet, k, levels, arena, rises) ? list_of_numbers(rises, count)
                                                                                  : PyErr_NoMemory();
        if (!own || PyList_SetItem(list, (Py_ssize_t)k, own) < 0) Py_CLEAR(list);
    }
    return list;
}

/* tracks, models, contacts, up, given */
PyObject *skl_py_read_levels(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("read_levels", nargs, 5)) return NULL;
    skl_arena arena = {0};
    skl_feet feet;
    skl_levels l;
    PyObject *out = NULL, *rises;
    const int given = PyObject_IsTrue(args[4]);
    if (given >= 0 && take_feet(args, &arena, &feet)) {
        if (!skl_read_levels(&feet, given, &arena, &l))
            PyErr_NoMemory();
        else if ((rises = rises_of(&feet, &l, &arena)))
            out = Py_BuildValue("((ddddddO)N)", l.level, l.ground, l.near, l.uneven, l.spread, l.length,
                                given ? Py_True : Py_False, rises);
    }
    skl_arena_free(&arena);
    return out;
}

/* tracks, models, contacts, up, levels: what read_levels returned */
PyObject *skl_py_contact_rises(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("contact_rises", nargs, 5)) return NULL;
    skl_arena arena = {0};
    skl_feet feet;
    skl_levels l;
    int given;
    PyObject *out = NULL;
    if (take_feet(args, &arena, &feet) &&
        PyArg_ParseTuple(args[4], "ddddddp", &l.level, &l.ground, &l.near, &l.uneven, &l.spread, &l.length, &given)) {
        l.given = given;
        out = rises_of(&feet, &l, &arena);
    }
    skl_arena_free(&arena);
    return out;
}

/* tracks, models, contacts, up */
PyObject *skl_py_lowest_sole(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("lowest_sole", nargs, 4)) return NULL;
    skl_arena arena = {0};
    skl_feet feet;
    double lowest = INFINITY;
    int done = take_feet(args, &arena, &feet);
    double *heights = done ? SKL_TAKE(&arena, double, feet.num_frames) : NULL;
    for (int64_t k = 0; done && k < feet.num_legs; k++) {
        done = heights && skl_sole_heights(&feet.tracks[k], &feet.models[k].sole, feet.up, &arena, heights);
        for (int64_t f = 0; done && f < feet.num_frames; f++) lowest = fmin(lowest, heights[f]);
    }
    const int failed = arena.failed;
    skl_arena_free(&arena);
    if (failed) return PyErr_NoMemory();
    return done ? PyFloat_FromDouble(lowest) : NULL;
}

/* tracks, models, contacts, up, offsets (F, 3) per leg, ground, jumps */
PyObject *skl_py_whole_rise(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("whole_rise", nargs, 7)) return NULL;
    skl_arena arena = {0};
    skl_feet feet;
    skl_ground ground;
    double rise;
    int known, done = take_feet(args, &arena, &feet) && skl_py_ground(args[5], feet.up, &ground, &known);
    const double **offsets = done ? SKL_TAKE(&arena, const double *, feet.num_legs) : NULL;
    for (int64_t k = 0; offsets && done && k < feet.num_legs; k++) {
        PyObject *own = PySequence_GetItem(args[4], (Py_ssize_t)k);
        done = own && (offsets[k] = skl_py_vectors(own, "offsets", (npy_intp)feet.num_frames));
        Py_XDECREF(own);
    }
    done = done && offsets && skl_whole_rise(&feet, offsets, &ground, PyObject_IsTrue(args[6]), &arena, &rise);
    if (!done && !PyErr_Occurred()) PyErr_NoMemory();
    skl_arena_free(&arena);
    return done ? PyFloat_FromDouble(rise) : NULL;
}

/* tracks, models, contacts, up, ground that is not level or None, footholds or None */
PyObject *skl_py_uneven_soles(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("uneven_soles", nargs, 6)) return NULL;
    skl_arena arena = {0};
    skl_feet feet;
    skl_ground ground;
    PyObject *out = NULL;
    int known, done = take_feet(args, &arena, &feet) && skl_py_ground(args[4], feet.up, &ground, &known);
    const int64_t num = done ? feet.num_legs : 0;
    skl_foothold *holds = SKL_TAKE(&arena, skl_foothold, num);
    const skl_foothold **below = SKL_ZEROS(&arena, const skl_foothold *, num);
    double *raised = SKL_TAKE(&arena, double, num);
    for (int64_t k = 0; done && !arena.failed && args[5] != Py_None && k < num; k++) {
        PyObject *own = PySequence_GetItem(args[5], (Py_ssize_t)k);
        int slopes = 0;
        done = own && skl_py_foothold(own, feet.num_frames, &holds[k], &slopes);
        below[k] = slopes ? &holds[k] : NULL;
        Py_XDECREF(own);
    }
    done = done && !arena.failed &&
           skl_uneven_soles(&feet, known && !ground.is_level ? &ground : NULL, below, &arena, raised);
    if (done) out = list_of_numbers(raised, num);
    if (!done && !PyErr_Occurred()) PyErr_NoMemory();
    skl_arena_free(&arena);
    return out;
}
