/* SPDX-License-Identifier: MIT */
/* Motion of legs as if its ground was a floor at height 0 that keeps still. */
#pragma once

#include "ground.h"
#include "planting/curves/arena.h"
#include "planting/motion/tracks.h"

/* What is otherwise than in the track. */
typedef struct skl_unrolled {
    double *hip, *knee, *ankle; /* num_frames x 3 */
    double *foot;               /* num_frames x 9 */
    int known;                  /* whether there is ground below any frame; else nothing else is set */
    int slopes;                 /* whether that is steeper than a floor in any frame */
} skl_unrolled;

/* The foot is turned about the ground below its ball by that ground's slope, without the movement of the ground.
 * Returns 0, or another number where the ground failed; `arena` says whether it had the memory. */
int skl_unroll_ground(const skl_track *track, const skl_ground *ground, skl_arena *arena, skl_unrolled *out);
