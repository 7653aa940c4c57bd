/* SPDX-License-Identifier: MIT */
/* From ground that slopes or moves to where it is level and still, and back; frame by frame, in double. Vectors are
 * packed, num_frames x 3; matrices row by row, num_frames x 9. Outputs may be no inputs. */
#pragma once

#include <stdint.h>

/* The space of a contact, in which its ground is level and still: where that is, and the turn from there to the world.
 */
typedef struct skl_level_space {
    const double *places, *turns;
    double up[3];
    int64_t num_frames;
} skl_level_space;

/* Where points that are `rises` (num_frames) above the ground, whatever their own height, are in the level plane. */
void skl_level_places(const skl_level_space *hold, const double *points, const double *rises, double *out);

/* The reverse, in the world's level plane. */
void skl_world_places(const skl_level_space *hold, const double *level, const double *rises, double *out);

/* Points, num_points x num_frames x 3, turned by the matrices of their frames, or by their transposes if `back`. */
void skl_turn_points(int64_t num_points, int64_t num_frames, const double *turns, int back, const double *points,
                     double *out);
