/* SPDX-License-Identifier: MIT */
/* Arithmetic in single precision, operation by operation as Blender prepares its IK with it.
 *
 * The rounding matters: it is what makes a joint's axes not quite orthogonal, and where limits leave a single ball of a
 * chain free, it alone decides between singular vectors whose values would otherwise be equal. Matrices are row by row,
 * columns are axes. */
#pragma once

typedef float skl_single_m3[9];
typedef float skl_single_m4[16];

/* The axes of a pose matrix, each of length 1 where it has a length; their lengths. */
void skl_single_unit_axes(const double *matrix, skl_single_m3 out, float length[3]);

/* out = a @ b and out = m @ v, summed from the left. */
void skl_single_multiply(const skl_single_m3 a, const skl_single_m3 b, skl_single_m3 out);
void skl_single_transform(const skl_single_m3 m, const float v[3], float out[3]);

/* Of a singular matrix: zeros. The smaller by cofactors, the larger by blocks of 2 x 2. */
void skl_single_inverse(const skl_single_m3 m, skl_single_m3 out);
void skl_single_inverse4(const skl_single_m4 m, skl_single_m4 out);

/* out = m @ (v, last), of which the first three, summed in pairs. */
void skl_single_transform4(const skl_single_m4 m, const float v[3], float last, float out[3]);
