/* SPDX-License-Identifier: MIT */
/* Affine matrices of 16 doubles, for what is done once and not per frame.
 *
 *   skl_affine_multiply   out = a @ b
 *   skl_affine_invert     out = inverse of a; 0 if a is singular
 *   skl_affine_check      1 if finite and the last row is 0 0 0 1
 *   skl_affine_place      where it brings the origin
 *   skl_affine_linear     its 3 x 3 part
 */
#pragma once

/* `out` may not be a or b. */
static inline void skl_affine_multiply(const double *restrict a, const double *restrict b, double *restrict out) {
    for (int i = 0; i < 3; i++) {
        const double x = a[4 * i], y = a[4 * i + 1], z = a[4 * i + 2];
        for (int j = 0; j < 4; j++) out[4 * i + j] = x * b[j] + y * b[4 + j] + z * b[8 + j];
        out[4 * i + 3] += a[4 * i + 3];
    }
    for (int j = 0; j < 4; j++) out[12 + j] = j == 3 ? 1.0 : 0.0;
}

static inline void skl_affine_place(const double m[16], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[4 * i + 3];
}

static inline void skl_affine_linear(const double m[16], double out[9]) {
    for (int i = 0; i < 9; i++) out[i] = m[4 * (i / 3) + i % 3];
}

int skl_affine_invert(const double a[16], double out[16]);
int skl_affine_check(const double a[16]);
