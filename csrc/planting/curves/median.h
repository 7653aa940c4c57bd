/* SPDX-License-Identifier: MIT */
/* The median of a few numbers, and other parts of them. */
#pragma once

#include <stdint.h>

/* The number in the middle, or the mean of the two; at least one number, which are left in another order. */
double skl_median(double *values, int64_t count);

/* The same of numbers that stay in their order; `scratch` has room for them. */
double skl_median_of(const double *values, int64_t count, double *scratch);

/* The number below which a part of them is, 0 to 1, on a straight line between two; likewise. */
double skl_quantile(double *values, int64_t count, double part);

/* Of the values inside of each span of frames, (first, last) with both ends; `scratch` has room for all values. */
void skl_span_medians(const double *values, int64_t num_spans, const int64_t *spans, double *scratch, double *out);
