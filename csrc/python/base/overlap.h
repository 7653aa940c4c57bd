/* SPDX-License-Identifier: MIT */
/* Which arrays lie on each other in memory. */
#pragma once

#include "numpy_api.h"

#include <stdint.h>

/* First byte and the byte behind the last of what an array touches; 0 if it is empty. */
int skl_extent(PyArrayObject *array, uintptr_t *low, uintptr_t *high);

/* 1 if the ranges of addresses from the first to the last byte of both meet: they may share memory, or be interleaved.
 */
int skl_ranges_meet(PyArrayObject *a, PyArrayObject *b);

/* 1 if some byte belongs to both. Strides for which that takes too long to find out count as shared. */
int skl_share_memory(PyArrayObject *a, PyArrayObject *b);

/* 1 if the array may be written and no two of its elements share a byte; else 0 and a ValueError that names it. Too
 * hard strides count as shared, too. */
int skl_check_own_memory(PyArrayObject *array, const char *name);
