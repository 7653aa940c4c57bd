/* SPDX-License-Identifier: MIT */
/* How far ground may lean. */
#pragma once

#include "skelkin/base.h"

/* The unit vector nearest to the direction `normal` within the cone of half angle `most` about `up`; where `normal`
 * points straight down, `up`. Not a number where one of the two says nothing. */
void skl_slope_within(const double normal[3], const double up[3], double most, double out[3]);

/* 0 <= max_slope <= pi, as the precision rounds it. */
skl_code skl_check_slopes(const skl_array *max_slope, skl_dtype dtype, skl_status *status);
