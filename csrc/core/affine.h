/* SPDX-License-Identifier: MIT */
/* Affine matrices of 16 doubles, for what is done once and not per frame.
 *
 *   skl_affine_multiply   out = a @ b
 *   skl_affine_invert     out = inverse of a; 0 if a is singular
 *   skl_affine_check      1 if finite and the last row is 0 0 0 1
 */
#ifndef SKL_AFFINE_H
#define SKL_AFFINE_H

/* `out` may not be a or b. */
void skl_affine_multiply(const double a[16], const double b[16], double out[16]);
int skl_affine_invert(const double a[16], double out[16]);
int skl_affine_check(const double a[16]);

#endif
