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

/* What of v lies across the unit vector `up`, in place. */
static inline void skl_v3_flatten(const double up[3], double v[3]) {
    const double rise = skl_v3_dot(v, up);
    for (int i = 0; i < 3; i++) v[i] -= rise * up[i];
}

/* Two unit vectors that make a right-handed frame with the unit vector `up` as the third: coordinates where that is
 * one.
 */
static inline void skl_v3_level_axes(const double up[3], double first[3], double second[3]) {
    int least = 0;
    double axis[3] = {0.0, 0.0, 0.0};
    for (int i = 1; i < 3; i++)
        if (fabs(up[i]) < fabs(up[least])) least = i;
    axis[least] = 1.0;
    skl_v3_cross(up, axis, first);
    const double length = skl_v3_length(first);
    for (int i = 0; i < 3; i++) first[i] /= length;
    skl_v3_cross(up, first, second);
}
