/* SPDX-License-Identifier: MIT */
/* Numbers in memory, whatever the precision of a job, and what is done to one or three of them. */
#pragma once

#include "skelkin/base.h"

/* Unlike fmax never a call; where one is not a number, the second. */
static inline double skl_larger(double a, double b) { return a > b ? a : b; }

/* Size of one number. */
static inline int64_t skl_itemsize(skl_dtype dtype) { return dtype == SKL_FLOAT32 ? 4 : 8; }

/* Place of a precision in tables of both. */
static inline int skl_is_wide(skl_dtype dtype) { return dtype == SKL_FLOAT64; }

/* One number at an address. */
static inline double skl_number(const char *at, skl_dtype dtype, int i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)(const void *)at)[i] : ((const double *)(const void *)at)[i];
}

/* Three numbers at an address; returns what they add to a sum that is 0 as long as everything is finite. */
static inline double skl_vector(const char *at, skl_dtype dtype, double v[3]) {
    for (int k = 0; k < 3; k++) v[k] = skl_number(at, dtype, k);
    return (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]);
}

/* One number to an address. */
static inline void skl_put(char *at, skl_dtype dtype, int i, double value) {
    if (dtype == SKL_FLOAT32)
        ((float *)(void *)at)[i] = (float)value;
    else
        ((double *)(void *)at)[i] = value;
}

/* Length of a vector, safe from over- and underflow. */
double skl_length(const double v[3]);
