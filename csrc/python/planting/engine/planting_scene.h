/* SPDX-License-Identifier: MIT */
/* What is known of a motion, kept for Python between calls. */
#ifndef SKL_PLANTING_SCENE_H
#define SKL_PLANTING_SCENE_H

#include "python/planting/planting_objects.h"

#include "planting/engine/hold_feet.h"

/* The scene of a capsule; NULL with an exception set. */
const skl_scene *skl_py_scene(PyObject *capsule);

/* Frames over which something is told, as an array: a view of what `owner` keeps, or a copy where that is NULL. */
PyObject *skl_py_told_frames(PyObject *owner, const void *numbers, int ndim, int64_t num_frames);

/* What is known of held feet, one tuple per leg: turn, held, foothold (place, yaw or None, tilt, along) or None, rises,
 * ground_step or None, places. */
PyObject *skl_py_told_feet(PyObject *owner, const skl_stance *stances, int64_t legs);

#endif
