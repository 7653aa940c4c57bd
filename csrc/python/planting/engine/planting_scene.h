/* SPDX-License-Identifier: MIT */
/* What is known of a motion, kept for Python between calls. */
#ifndef SKL_PLANTING_SCENE_H
#define SKL_PLANTING_SCENE_H

#include "python/planting/planting_objects.h"

#include "planting/engine/planting_state.h"

/* What is learned of a motion, or of parts of it, and all that it points to. */
typedef struct skl_kept_planting {
    skl_planting *planting;
    skl_plant_rig rig;
    skl_ground ground; /* where it is given */
    skl_py_taken taken;
} skl_kept_planting;

/* A capsule of what was learned of nothing yet; it keeps `args`. NULL with an exception set, here and below. */
PyObject *skl_py_keep_planting(PyObject *const *args, Py_ssize_t count, skl_kept_planting **out);
skl_kept_planting *skl_py_kept_planting(PyObject *capsule);

/* Frames over which something is told, as an array: a view of what `owner` keeps, or a copy where that is NULL. */
PyObject *skl_py_told_frames(PyObject *owner, const void *numbers, int ndim, int64_t num_frames);

/* A vector; None where it is NULL or NaN. */
PyObject *skl_py_told_vector(const double *vector);

/* What is known of held feet, one tuple per leg: turn, held, foothold (place, yaw or None, tilt, along) or None, rises,
 * ground_step or None, places. */
PyObject *skl_py_told_feet(PyObject *owner, const skl_stance *stances, int64_t legs);

/* Copies of tracks: hip, knee, ankle, foot, flexion, ball or None, bends, length, hinge; and counts as integers. */
PyObject *skl_py_told_tracks(const skl_track *tracks, int64_t legs, int64_t num_frames);
PyObject *skl_py_told_counts(const int64_t *counts, int64_t count);

/* What is wrong with a leg: fault, leg, frame, count, part, value. */
PyObject *skl_py_told_trouble(const skl_leg_trouble *trouble);

/* contacts, outside, models, feet, levels and rises or None, holes, steep, rolls_left */
PyObject *skl_py_told_scene(PyObject *capsule, const skl_scene *scene);

#endif
