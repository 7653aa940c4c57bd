/* SPDX-License-Identifier: MIT */
/* Matrices of 3 x 3 doubles, row by row, for what is done once per limb and frame.
 *
 *   skl_m3_multiply       out = a @ b                 skl_m3_transform       out = m @ v
 *   skl_m3_transform_back out = m^T @ v
 *   skl_m3_conjugate      out = f^T @ m @ f           skl_m3_solve           out = inverse of m, times v
 *   skl_m3_solve_direction                            the same, of any length
 *   skl_m3_orthogonal     the orthogonal matrix nearest to m
 *   skl_m3_inverse        for more than one v         skl_m3_determinant     skl_m3_is_singular
 *   skl_m3_from_quaternion, skl_m3_to_quaternion, skl_m3_to_quaternion_by
 */
#pragma once

typedef double skl_m3[9];

/* `out` may not be one of the inputs, here and below; but here it may be a. */
static inline void skl_m3_multiply(const skl_m3 a, const skl_m3 b, skl_m3 out) {
    for (int i = 0; i < 3; i++) {
        const double x = a[3 * i], y = a[3 * i + 1], z = a[3 * i + 2];
        for (int j = 0; j < 3; j++) out[3 * i + j] = x * b[j] + y * b[3 + j] + z * b[6 + j];
    }
}

static inline void skl_m3_transform(const skl_m3 m, const double v[3], double out[3]) {
    double *restrict to = out;
    for (int i = 0; i < 3; i++) to[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

/* By the transpose of m. */
static inline void skl_m3_transform_back(const skl_m3 m, const double v[3], double *restrict out) {
    for (int i = 0; i < 3; i++) out[i] = m[i] * v[0] + m[3 + i] * v[1] + m[6 + i] * v[2];
}

void skl_m3_transpose(const skl_m3 m, skl_m3 out);
void skl_m3_conjugate(const skl_m3 f, const skl_m3 m, skl_m3 out);

/* 0 if m is singular, and then `out` is 0 0 0. */
int skl_m3_solve(const skl_m3 m, const double v[3], double out[3]);
/* Without a quotient: `out` has the direction of what skl_m3_solve finds, and some length. */
int skl_m3_solve_direction(const skl_m3 m, const double v[3], double out[3]);
int skl_m3_inverse(const skl_m3 m, skl_m3 out);

/* The size of m and the cofactors (determinant times the transposed inverse) and determinant of m / size; 0 if m is
 * singular. */
double skl_m3_adjugate(const skl_m3 m, skl_m3 cofactors, double *determinant);

/* A mirroring m gives a mirroring matrix, a singular one the identity. */
void skl_m3_orthogonal(const skl_m3 m, skl_m3 out);

/* The length of the columns, where they are of the same length and orthogonal, but for the rounding of float32; else
 * 0. */
double skl_m3_even_scale(const skl_m3 m);

double skl_m3_determinant(const skl_m3 m);

/* 1 if m has no inverse, whatever its size; numbers that are not finite are no reason. */
int skl_m3_is_singular(const skl_m3 m);

/* Of a quaternion of length 1; and the quaternion of length 1 of a rotation. */
void skl_m3_from_quaternion(const double q[4], skl_m3 out);
void skl_m3_to_quaternion(const skl_m3 m, double q[4]);
/* The same, made by dividing by the part 0 (w) to 3, which may not be 0: of a matrix that is not a rotation, each part
 * makes another quaternion, of any length. */
void skl_m3_to_quaternion_by(const skl_m3 m, int part, double q[4]);
