/* SPDX-License-Identifier: MIT */
/* The ground of a loop: whether it is the same under both ends of the clip, and how it then continues with the motion.
 *
 * A clip that comes back to another place, or on ground that moves, comes back to other ground. Where that has the same
 * shape under the feet, only higher or lower, and continues as evenly as before, the endless motion has a ground too:
 * that of the clip, once in every period, each time so much higher or lower. Beyond the clip's own places and frames
 * the given ground is never queried. */
#pragma once

#include "loop_search.h"
#include "planting/ground/ground.h"

/* The ground under the feet of the last pose, as seen from that under the first. */
typedef struct skl_ground_at_ends {
    double lift; /* how much further up it is than the clip's own displacement goes */
    int rides;   /* whether it has carried what stands on it there */
    int other; /* why the clip cannot be closed on it: 1 it is another there, 2 it moves at another speed; 0: it can */
} skl_ground_at_ends;

/* Compare them; `near` is how far from the same it may be, in leg lengths, in height and in place; `num_clip`: frames
 * of the clip. 0 where memory or the ground failed. */
int skl_compare_ground_at_ends(const skl_ground *ground, const skl_loop_ends *ends, int64_t num_clip,
                               const double travel[16], double near, skl_arena *arena, skl_ground_at_ends *out);

/* The ground of the unrolled motion: `ground` queries that of the clip. It and the loop live as long. */
typedef struct skl_loop_ground {
    skl_ground ground;
    const skl_ground *clip;
    const skl_loop *loop;
    double rise; /* of every period */
} skl_loop_ground;

void skl_loop_ground_of(const skl_ground *clip, const skl_loop *loop, skl_loop_ground *out);
