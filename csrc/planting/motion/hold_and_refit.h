/* SPDX-License-Identifier: MIT */
/* Find where feet are held flat, and fit the soles once more to these moments. The soles that come of it are those that
 * the planted clip gives too: planting it again changes nothing. */
#pragma once

#include "planting/curves/arena.h"
#include "skelkin/skelkin.h"
#include "tracks.h"

/* Of each of the legs, where nothing else is said. */
typedef struct skl_refit_job {
    int64_t num_legs;
    const skl_track *tracks;
    const double *clearance;   /* the sole's thickness in leg lengths; NaN where it is not known */
    const skl_spans *contacts; /* rising */
    const skl_spans *flat;     /* those of their parts in which the foot may be flat */
    const uint8_t *own;        /* num_frames: those that are the clip's own, and not of a cycle's other rounds */
    double up[3], fps;
    int64_t window, blend;  /* frames over which a turn fades outside the held moments, and outside contacts */
    int level;              /* whether all stand on level ground, and balls that dip below it are raised */
    int pins;               /* whether feet are held */
    skl_arena *arena;       /* of the results */
    uint8_t *const *still;  /* num_frames: likely flat; afterwards those that the soles are fitted to */
    skl_foot_model *models; /* soles; afterwards those fitted again */
    skl_hold *holds;        /* set */
    skl_status status;
} skl_refit_job;

skl_code skl_hold_and_refit(skl_refit_job *job);
