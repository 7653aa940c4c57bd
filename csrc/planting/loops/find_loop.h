/* SPDX-License-Identifier: MIT */
/* Whether a clip is to be kept closed, and what stands against it. */
#pragma once

#include "loop_search.h"

typedef struct skl_find_loop_job {
    const skl_loop_ends *ends;
    int64_t num_frames; /* of the clip */
    double fps;
    const skl_plant_options *options;
    const skl_ground *ground; /* of the clip; NULL: it is not known */
    skl_arena *arena;
    skl_loop loop;  /* out */
    int comes_back; /* out: whether its last pose is the first. Unless it is said to be a loop, skl_loop_seam has to
                     * say, too, that it continues there as inside */
    const char *why_open; /* out: why a clip that is said to be a loop, or comes back, is left open; NULL: it is not */
    skl_status status;
} skl_find_loop_job;

skl_code skl_find_loop(skl_find_loop_job *job);

/* The legs of a clip in its first two frames and its last two, into `tracks` (one per leg). 0 where memory failed. */
int skl_take_loop_ends(int64_t num_legs, const skl_track *clip, skl_track *tracks, skl_arena *arena);
