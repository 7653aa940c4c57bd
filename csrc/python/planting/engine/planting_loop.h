/* SPDX-License-Identifier: MIT */
/* Loops, for Python. */
#pragma once

#include "python/planting/planting_objects.h"

#include "planting/loops/loop.h"

/* Of a Loop. */
extern const skl_py_field skl_py_loop_fields[];
