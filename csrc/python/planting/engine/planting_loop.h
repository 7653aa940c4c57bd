/* SPDX-License-Identifier: MIT */
/* Loops, for Python. */
#ifndef SKL_PLANTING_LOOP_H
#define SKL_PLANTING_LOOP_H

#include "python/planting/planting_objects.h"

#include "planting/loops/loop.h"

/* Of a Loop. */
extern const skl_py_field skl_py_loop_fields[];

#endif
