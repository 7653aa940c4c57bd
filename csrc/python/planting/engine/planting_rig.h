/* SPDX-License-Identifier: MIT */
/* The joints that planting works on, its options and loops, for Python. */
#pragma once

#include "python/planting/planting_objects.h"

#include "planting/engine/scene.h"
#include "planting/loops/loop.h"
#include "skelkin/planting.h"

/* What a Subset says. 0 with an exception set. */
int skl_py_rig(PyObject *module, PyObject *subset, skl_py_taken *taken, skl_plant_rig *out);

/* What the rest pose says of a LegPart; a Loop. */
extern const skl_py_field skl_py_leg_fields[], skl_py_loop_fields[];

/* Three joints of the skeleton. 0 with an exception set. */
int skl_py_chain(PyObject *chain, const skl_skeleton *skeleton, int32_t out[3]);

/* A joint of the skeleton; None is -1, where `none` may be. 0 with an exception set. */
int skl_py_leg_joint(PyObject *value, const skl_skeleton *skeleton, int none, int32_t *out);

/* The doubles of its local matrices (F, S, 4, 4), and how many frames these are; NULL with an exception set. */
const double *skl_py_poses(PyObject *local, const skl_plant_rig *rig, int64_t *num_frames);

/* An Asked, of a clip of so many frames. 0 with an exception set. */
int skl_py_plant_options(PyObject *options, int64_t legs, int64_t num_clip, skl_py_taken *taken,
                         skl_plant_options *out);
