/* SPDX-License-Identifier: MIT */
/* An affine matrix as a rigid motion after what is left of it: matrix = motion @ residual. */
#pragma once

/* Split rows 0 .. 2 of a matrix.
 *
 * `dual` becomes the motion: the rotation nearest to the matrix as a quaternion of length 1, then half the translation
 * times that quaternion. `residual` becomes what is left minus the identity, row by row: symmetric, and 0 where the
 * matrix is rigid within `tolerance`. Returns whether anything is left.
 *
 * A matrix M that mirrors is split as the rotation of -M and a residual that mirrors; of a singular matrix one of the
 * nearest rotations is taken, of zeros the identity. Where M is not finite everything is not a number. */
int skl_rigid_part(const double matrix[12], double tolerance, double dual[8], double residual[9]);
