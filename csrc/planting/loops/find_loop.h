/* SPDX-License-Identifier: MIT */
/* Whether a clip is to be kept closed, and what stands against it. */
#ifndef SKL_FIND_LOOP_H
#define SKL_FIND_LOOP_H

#include "loop_search.h"

/* Why a clip is left open: one that is said to be a loop, or whose last pose is the first. */
typedef enum skl_loop_fault {
    SKL_LOOP_IS_FINE = 0,
    SKL_LOOP_NOT_WHOLE,   /* some of its frames are not worked on */
    SKL_LOOP_FAR,         /* its last pose is too far from the first, by `gap` of the loop */
    SKL_LOOP_TURNS,       /* it turns, and level ground that moves in one direction does not turn with it */
    SKL_LOOP_OTHER_PLACE, /* the ground under its last pose is another than under its first, */
    SKL_LOOP_OTHER_SPEED, /* or moves at another speed */
    SKL_LOOP_SLIPS,       /* a foot never leaves the ground, which does not go with the body */
} skl_loop_fault;

typedef struct skl_find_loop_job {
    const skl_loop_ends *ends;
    int64_t num_frames; /* of the clip */
    double fps;
    const skl_plant_options *options;
    const skl_ground *ground; /* of the clip; NULL: it is not known */
    skl_arena *arena;
    skl_loop loop;  /* out */
    int comes_back; /* out: whether its last pose is the first. Unless it is said to be a loop, skl_loop_seam has to
                     * say, too, that it goes on there as inside */
    skl_loop_fault fault; /* out */
    skl_status status;
} skl_find_loop_job;

skl_code skl_find_loop(skl_find_loop_job *job);

/* The legs of a clip in its first two frames and its last two, into `tracks` (one per leg). 0 where memory failed. */
int skl_take_loop_ends(int64_t num_legs, const skl_track *clip, skl_track *tracks, skl_arena *arena);

#endif
