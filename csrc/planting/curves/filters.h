/* SPDX-License-Identifier: MIT */
/* What a curve is, seen from further away. Arrays are packed; the first dimension is frames. */
#pragma once

#include "arena.h"

/* Smooth with a Gaussian whose standard deviation is `sigma` frames; below 0.2 the values stay as they are. A constant
 * stays what it is. `out` is no alias of values. */
void skl_low_pass(const double *values, int64_t frames, int64_t columns, double sigma, skl_arena *arena, double *out);

/* The least of values[t - half] .. values[t + half], as far as there are such frames. */
void skl_running_min(const double *values, int64_t frames, int64_t half, skl_arena *arena, double *out);

/* Central difference per second, one-sided at both ends; 0 of a single frame. `out` is no alias of path. */
void skl_rate(const double *path, int64_t frames, int64_t columns, double fps, double *out);
