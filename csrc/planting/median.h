/* SPDX-License-Identifier: MIT */
/* The median of a few numbers. */
#ifndef SKL_MEDIAN_H
#define SKL_MEDIAN_H

#include <stdint.h>

/* The number in the middle, or the mean of the two; at least one number, which are left in another order. */
double skl_median(double *values, int64_t count);

#endif
