/* SPDX-License-Identifier: MIT */
/* Rotations of feet, frame by frame, as vectors: axis times angle in radians. In double.
 *
 *   skl_turn_matrices     of rotation vectors
 *   skl_turn_onto         from one direction to another
 *   skl_turn_vectors      of rotations
 *   skl_turn_feet         matrices turned by rotation vectors
 *   skl_turn_on           turns followed by others
 *   skl_rotations_of      rotations nearest to matrices
 *   skl_turn_speeds       how fast rotations change
 *   skl_joint_turns       by what angles a joint turns from frame to frame
 *   skl_resting_turns     whether they change at all
 *   skl_turns_to_mean     what turns them onto their mean
 *
 * Vectors are packed, num_frames x 3; matrices row by row, num_frames x 9. Outputs may be no inputs. */
#pragma once

#include <stdint.h>

/* Rodrigues' formula. */
void skl_turn_matrices(int64_t num_frames, const double *vectors, double *out);

/* The shortest turn from one direction to another; none between opposite ones. */
void skl_turn_onto(const double from[3], const double to[3], double *restrict out);

/* Angles are below half a turn. */
void skl_turn_vectors(int64_t num_frames, const double *matrices, double *out);

/* The bits of `feet` stay where nothing turns. */
void skl_turn_feet(int64_t num_frames, const double *vectors, const double *feet, double *out);

/* Each turn followed by one of `next`, in place; their bits stay where nothing follows. */
void skl_turn_on(int64_t num_frames, const double *next, double *turns);

/* Of matrices that mirror, rotations that do. */
void skl_rotations_of(int64_t num_frames, const double *matrices, double *out);

/* Radians per frame: central differences, one-sided at both ends; 0 of a single frame. */
void skl_turn_speeds(int64_t num_frames, const double *rotations, double *out);

/* Radians from each frame to the next, num_frames - 1 of them. `matrices`: 4 x 4, row by row, of one joint, each
 * `stride` numbers after the one of the frame before. */
void skl_joint_turns(int64_t num_frames, const double *matrices, int64_t stride, double *out);

/* 1 where no number of a rotation differs by `least` or more from that of the frame before, or of the frame after. */
void skl_resting_turns(int64_t num_frames, const double *rotations, double least, uint8_t *out);

/* Rotation vectors that turn each rotation onto the one nearest to the mean of all. */
void skl_turns_to_mean(int64_t num_frames, const double *rotations, double *out);
