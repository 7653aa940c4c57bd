/* SPDX-License-Identifier: MIT */
/* Vectors of three doubles, beside the matrices of matrix3.h. */
#pragma once

#include <math.h>

#define SKL_DEGREE 0.017453292519943295 /* radians */

#define SKL_PI 3.14159265358979323846

#define SKL_TINY 1e-300 /* what is divided by is no less, so that 0 by 0 is 0 */

static inline double skl_v3_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double skl_v3_length(const double v[3]) { return sqrt(skl_v3_dot(v, v)); }

static inline void skl_v3_minus(const double a[3], const double b[3], double *restrict out) {
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static inline double skl_v3_distance(const double a[3], const double b[3]) {
    double apart[3];
    skl_v3_minus(b, a, apart);
    return skl_v3_length(apart);
}

static inline void skl_v3_cross(const double a[3], const double b[3], double *restrict out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}
