/* SPDX-License-Identifier: MIT */
/* Vectors of three doubles, beside the matrices of csrc/core/transforms/matrix3.h. */
#ifndef SKL_PLANTING_VECTORS_H
#define SKL_PLANTING_VECTORS_H

#include "core/transforms/matrix3.h"

static inline double skl_v3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void skl_v3_minus(const double a[3], const double b[3], double *restrict out) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

#endif
