/* SPDX-License-Identifier: MIT */
/* Feet that are held, for Python. */
#ifndef SKL_PLANTING_FEET_H
#define SKL_PLANTING_FEET_H

#include "planting_objects.h"

#include "planting/ground/stances.h"

/* What a sequence of HeldFoot says, without room for what comes out; NULL with an exception set. */
skl_stance *skl_py_held_feet(PyObject *feet, skl_py_taken *taken, int64_t *num_legs, int64_t *num_frames);

#endif
