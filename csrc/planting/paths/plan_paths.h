/* SPDX-License-Identifier: MIT */
/* From contacts to the path of every ankle and of the body over the whole clip: the problem of smooth_paths.h, solved
 * until feet in the air are above the ground where they come to be, each time without contacts that turned out to be
 * out of reach. */
#pragma once

#include "planting/ground/stances.h"
#include "skelkin/skelkin.h"

typedef struct skl_plan_job {
    int64_t num_legs, num_frames;
    const skl_ground *ground;
    skl_stance *legs;     /* outputs included */
    int64_t window;       /* frames over which corrections fade */
    const double *ramp;   /* num_frames: how much of a correction is allowed */
    const uint8_t *alone; /* num_frames: lone frames, which are left as they are */
    int whole;            /* whether these are all frames that are worked on */
    const double *drift;  /* num_frames: how far the ground goes up, or down, beyond the motion */
    int body_moves;       /* whether there is a body to shift */
    int assumed;          /* whether the ground is only assumed: no foot is lifted far for it */
    int heights_only;     /* whether feet in the air and the body, too, are moved along up alone */
    double acceleration;  /* by how much that of the body may become greater, per s^2 */
    double fps, blend;    /* frames per second; seconds that corrections take to fade */
    skl_plant_reach reach;
    double stretch;   /* largest factor by which bones may lengthen, of SKL_STRETCH */
    double *offsets;  /* out, num_legs x num_frames x 3: how the ankles go beside the original, */
    double *body;     /* and the body, num_frames x 3 */
    uint8_t *changed; /* out, num_legs x num_frames: where joints have to move */
    double *missed;   /* out, num_legs x num_frames: how far an ankle is from its place in contacts that were left out,
                       * out of reach; else 0 */
    skl_status status;
} skl_plan_job;

skl_code skl_plan_run(skl_plan_job *job);

/* How far below the ground, <= 0, a foot may be in each frame: as far as in the contact it is in, or before and after.
 */
void skl_lowest_near(skl_spans contacts, const double *rises, int64_t num_frames, double *out);
