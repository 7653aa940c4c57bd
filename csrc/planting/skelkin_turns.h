/* SPDX-License-Identifier: MIT */
/* Rotations of feet, frame by frame, as vectors: axis times angle in radians. In double.
 *
 *   skl_turn_matrices     of rotation vectors
 *   skl_turn_vectors      of rotations
 *   skl_turn_feet         matrices turned by rotation vectors
 *
 * Vectors are packed, num_frames x 3; matrices row by row, num_frames x 9. Outputs may be no inputs. */
#ifndef SKELKIN_TURNS_H
#define SKELKIN_TURNS_H

#include <stdint.h>

/* Rodrigues' formula. */
void skl_turn_matrices(int64_t num_frames, const double *vectors, double *out);

/* Angles are below half a turn. */
void skl_turn_vectors(int64_t num_frames, const double *matrices, double *out);

/* The bits of `feet` stay where nothing turns. */
void skl_turn_feet(int64_t num_frames, const double *vectors, const double *feet, double *out);

#endif
