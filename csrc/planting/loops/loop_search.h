/* SPDX-License-Identifier: MIT */
/* Whether a clip is a loop: its last pose is the first, and the motion continues across the seam. */
#pragma once

#include "loop.h"

/* The legs of a clip in its first two frames and its last two: tracks of four frames. */
typedef struct skl_loop_ends {
    int64_t num_legs;
    const skl_track *tracks;
    const double *up;
} skl_loop_ends;

/* What carries the first pose onto the last: nothing; or a turn about up and a level displacement; or, where it
 * `climbs`, any: the first of these that leaves a gap of at most `near`, else the last. `gap` is how far a point of a
 * leg is then from where it was, at most, in leg lengths. 0 where memory failed, here and below. */
int skl_loop_travel(const skl_loop_ends *ends, double near, int climbs, skl_arena *arena, double travel[16],
                    double *gap);

/* Whether there is motion in the clip, and it continues across the seam as evenly as it goes inside. */
int skl_loop_seam(const skl_loop_ends *ends, const double travel[16], const skl_track *clip, skl_arena *arena,
                  int *continues);

/* How many frames are put before and after a clip of such a period. */
int64_t skl_loop_margin(int64_t period, double fps);
