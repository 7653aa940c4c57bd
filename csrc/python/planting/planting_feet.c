/* SPDX-License-Identifier: MIT */
#include "planting_feet.h"

#include <math.h>

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
    skl_foothold ground;
    double step[3];
    int on_ground, steps;
} held_foot;

static int take_held_foot(PyObject *object, skl_py_taken *taken, held_foot *into, skl_stance *out) {
    static const char *const names[] = {"track", "model", "contacts", "rises", "hold", "places", "foothold"};
    enum { TRACK, MODEL, CONTACTS, RISES, HOLD, PLACES, FOOTHOLD, PARTS };
    PyObject *part[PARTS];
    for (int i = 0; i < PARTS; i++)
        if (!(part[i] = skl_py_attribute(taken, object, names[i]))) return 0;
    if (!skl_py_track(part[TRACK], taken, &into->track) || !skl_py_foot_model(part[MODEL], &into->model) ||
        !skl_py_take_spans(part[CONTACTS], "contacts", into->track.num_frames, &taken->arena, &out->foot.contacts) ||
        !skl_py_hold(part[HOLD], into->track.num_frames, taken, &into->hold) ||
        !skl_py_foothold(part[FOOTHOLD], into->track.num_frames, taken, &into->ground, &into->on_ground) ||
        !skl_py_optional_vector(object, "ground_step", into->step, &into->steps) ||
        !skl_py_flag(object, "pinned", &out->foot.pinned))
        return 0;
    out->foot.track = &into->track;
    out->foot.sole = &into->model.sole;
    out->foot.turn = into->hold.turn;
    out->held = into->hold.spans;
    out->foot.ground = into->on_ground ? &into->ground : NULL;
    out->foot.ground_step = into->steps ? into->step : NULL;
    return (out->rises = numbers_of(part[RISES], out->foot.contacts.count, 1, &taken->arena)) &&
           (out->places = numbers_of(part[PLACES], out->foot.contacts.count, 3, &taken->arena));
}

skl_stance *skl_py_held_feet(PyObject *feet, skl_py_taken *taken, int64_t *num_legs, int64_t *num_frames) {
    *num_legs = PySequence_Size(feet);
    if (*num_legs < 0) return NULL;
    held_foot *each = SKL_TAKE(&taken->arena, held_foot, *num_legs);
    skl_stance *out = SKL_ZEROS(&taken->arena, skl_stance, *num_legs);
    if (taken->arena.failed) PyErr_NoMemory();
    for (int64_t k = 0; !PyErr_Occurred() && k < *num_legs; k++) {
        PyObject *foot = PySequence_GetItem(feet, (Py_ssize_t)k);
        if (foot) (void)take_held_foot(foot, taken, &each[k], &out[k]);
        Py_XDECREF(foot);
        if (!PyErr_Occurred() && each[k].track.num_frames != each[0].track.num_frames)
            PyErr_Format(PyExc_ValueError, "feet[%zd] has another number of frames than the first", (Py_ssize_t)k);
    }
    if (PyErr_Occurred()) return NULL;
    *num_frames = *num_legs ? each[0].track.num_frames : 0;
    return out;
}
