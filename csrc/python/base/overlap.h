/* SPDX-License-Identifier: MIT */
/* Which arrays lie on each other in memory. */
#pragma once

#include "numpy_api.h"

#include <stdint.h>

/* First byte and the byte behind the last of what an array touches; zeros of an empty one. */
typedef struct skl_extent {
    uintptr_t low, high;
} skl_extent;

skl_extent skl_extent_of(PyArrayObject *array);

/* 1 if both reach over some byte: their arrays may share memory, or be interleaved. */
static inline int skl_extents_meet(skl_extent a, skl_extent b) { return a.low < b.high && b.low < a.high; }

/* 1 if some byte belongs to both. Strides for which that takes too long to find out count as shared. */
int skl_share_memory(PyArrayObject *a, PyArrayObject *b);

/* 1 if the array may be written and no two of its elements share a byte; else 0 and a ValueError that names it. Too
 * hard strides count as shared, too. */
int skl_check_own_memory(PyArrayObject *array, const char *name);
