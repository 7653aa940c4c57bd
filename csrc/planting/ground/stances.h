/* SPDX-License-Identifier: MIT */
/* Where standing feet have to be: in the level plane as they roll or are pinned, in height so that their soles touch.
 */
#pragma once

#include "foothold.h"
#include "skelkin/skelkin.h"

/* One foot. */
typedef struct skl_stance {
    skl_standing_foot foot;
    skl_spans held;       /* where it is held flat */
    const double *rises;  /* per contact, how far above the ground it stands (something the ground does not show) */
    const double *places; /* per contact a point over which the ball stands, NaN: where it was on average; NULL: none */
    double *offset;       /* out, num_frames x 3: what to add to the ankle; valid inside the contacts */
    double *turn;         /* out, num_frames x 3: rotation vectors that turn the foot in global space */
} skl_stance;

typedef struct skl_stances_job {
    int64_t num_legs, num_frames;
    const skl_ground *ground;
    int64_t window; /* frames over which a foot turns to the ground and back */
    skl_stance *legs;
    skl_status status;
} skl_stances_job;

/* The ground is queried once for all feet. Where there is none below a sole, the height is that of the frames of the
 * contact around, and the original's where there is none in the whole contact. */
skl_code skl_stances_run(skl_stances_job *job);
