/* SPDX-License-Identifier: MIT */
/* Whether a clip is to be kept closed, and what stands against it. */
#pragma once

#include "loop_search.h"

typedef struct skl_find_loop_job {
    int64_t num_legs;
    const skl_track *tracks; /* of the clip */
    const double *up;
    double fps;
    const skl_plant_options *options;
    const skl_ground *ground; /* of the clip; NULL: it is not known */
    skl_arena *arena;
    skl_loop loop;  /* out */
    int comes_back; /* out: whether its last pose is the first, and, unless it is said to be a loop, it continues there
                     * as inside */
    const char *why_open; /* out: why a clip that comes back is left open; NULL: it is not */
    skl_status status;
} skl_find_loop_job;

skl_code skl_find_loop(skl_find_loop_job *job);
