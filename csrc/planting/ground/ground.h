/* SPDX-License-Identifier: MIT */
/* What feet stand on, queried for many points at once. Heights are along up; NaN is where there is no ground. */
#pragma once

#include <stdint.h>

#include "skelkin/planting.h"

/* The same of any ground. */
int skl_ground_below(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames,
                     const skl_footing *out);

/* How far above the ground points are; infinity where there is none. */
int skl_ground_above(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames, double *out);

/* Where they are in other frames; the same points of ground that keeps still. */
int skl_ground_carry(const skl_ground *ground, int64_t num, const double *points, const int64_t *surface,
                     const int64_t *from, const int64_t *to, double *out);
