/* SPDX-License-Identifier: MIT */
/* One foot over all frames, as it stands on the ground: what contacts are measured by. */
#pragma once

#include "planting/ground/foothold.h"

typedef struct skl_foot_curves {
    double *height;      /* num_frames: the lowest point of the sole above the ground */
    double *speed;       /* num_frames: level speed of the pivot over the ground, units per second */
    double *knee;        /* num_frames: its angle in degrees, 180 is straight */
    double *steps;       /* (num_frames - 1) x 3: how far the pivot slips over the ground from frame to frame */
    double *ball_height; /* num_frames: the sole under the ball above the ground */
    double *ball_steps;  /* (num_frames - 1) x 3: how far that goes over the ground, in the level plane */
    int8_t *roll;        /* num_frames: 1 where the toes are up, -1 where the heel is, 0 where the foot is flat */
} skl_foot_curves;

typedef struct skl_foot_curves_job {
    const skl_track *track;
    const skl_sole *sole;
    const skl_ground *ground;  /* knows which way is up */
    const skl_foothold *hold;  /* the ground under the foot; NULL: level and still, but for `ground_step` */
    const double *ground_step; /* (3,) how far level ground goes per frame; NULL: nowhere */
    double fps;
    skl_arena *arena; /* for scratch */
    skl_foot_curves out;
} skl_foot_curves_job;

/* Over a hole, heights are above what is known of the ground around, and never below that: where there is none, nothing
 * can sink into it. 0 where memory or the ground failed. */
int skl_read_foot_curves(skl_foot_curves_job *job);
