/* SPDX-License-Identifier: MIT */
/* What is asked of planting, from Python. */
#ifndef SKL_PLANTING_OPTIONS_H
#define SKL_PLANTING_OPTIONS_H

#include "python/planting/planting_objects.h"

#include "planting/engine/scene.h"

/* (mode, given or None, working, up or None, belt, belt_velocity or None, sole or None, align, max_slope, blend, reach,
 * stretch, pelvis_acceleration, toe_bend, loop); `given`: per leg contacts, those of its heel and of its ball or None,
 * and pins. 0 with an exception set. */
int skl_py_plant_options(PyObject *told, int64_t legs, int64_t num_clip, skl_arena *arena, skl_plant_options *out);

/* Pins (first, last, place or None, height or None) of a leg. */
int skl_py_pins(PyObject *pins, skl_arena *arena, skl_plant_given *out);

#endif
