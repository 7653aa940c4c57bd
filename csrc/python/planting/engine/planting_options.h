/* SPDX-License-Identifier: MIT */
/* The options of planting, from Python. */
#pragma once

#include "python/planting/planting_objects.h"

#include "planting/engine/scene.h"

/* An Asked, of a clip of so many frames. 0 with an exception set. */
int skl_py_plant_options(PyObject *options, int64_t legs, int64_t num_clip, skl_py_taken *taken,
                         skl_plant_options *out);
