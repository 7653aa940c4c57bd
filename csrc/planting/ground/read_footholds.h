/* SPDX-License-Identifier: MIT */
/* Where there is ground to stand on, and how it goes and slopes there, read from below the soles. Contacts end where
 * the ground has a hole or is too steep. */
#pragma once

#include "foothold.h"
#include "skelkin/skelkin.h"

/* One foot. */
typedef struct skl_foothold_leg {
    const skl_track *track;
    const skl_foot_model *model;
    skl_spans contacts; /* out too: what is left of them, */
    skl_foothold hold;  /* out: and the ground under them */
    int slopes;         /* out: whether that slopes or moves */
} skl_foothold_leg;

typedef struct skl_footholds_job {
    int64_t num_legs, num_frames;
    skl_foothold_leg *legs;
    const skl_ground *ground;
    double weight;   /* 0 .. 1: how much of the slope a foot takes on */
    double steepest; /* cosine of the steepest slope to stand on */
    int64_t window;  /* frames over which a foot turns to the ground and back */
    int pin;         /* whether feet are held in place */
    int64_t holes;   /* out: frames lost as there is no ground, */
    int64_t steep;   /* and as it is too steep */
    int nowhere;     /* out: no foot ever has ground below it; the job has ended there */
    skl_status status;
} skl_footholds_job;

/* What is found lives in `arena`. */
skl_code skl_footholds_run(skl_footholds_job *job, skl_arena *arena);

/* --- its parts -----------------------------------------------------------------------------------------------------
 */

/* Some frames of a foot, and the ground below its sole there: 3 x count, by points. */
typedef struct skl_sole_ground {
    int64_t count;
    const int64_t *frames;
    double *heights, *normals;
} skl_sole_ground;

/* Ask for the ground below soles that stand on what is known of it, of `num` feet at once; `heights` and `normals` are
 * taken from `arena`. 0 where memory or the ground failed. */
int skl_ground_below_soles(const skl_ground *ground, const skl_standing_foot *feet, int64_t num, skl_arena *arena,
                           skl_sole_ground *out);

/* Cut contacts to frames in which the sole has ground below it that is gentle enough; `known` is what was found below
 * soles in the frames of what is left, count -1 where that is not known. 0 where memory or the ground failed. */
int skl_keep_standable(skl_footholds_job *job, skl_arena *arena, skl_sole_ground *known);

/* A foot, and its frames of contact. */
typedef struct skl_sloped_foot {
    const skl_foothold_leg *leg;
    int64_t count;
    int64_t *frames;
} skl_sloped_foot;

/* Whether feet lie along the ground that their soles touch throughout, which feet that are planted already show however
 * little it slopes: 1 or 0; -1 where they do not touch it; -2 where memory or the ground failed. */
int skl_touch_along(const skl_footholds_job *job, skl_sloped_foot *const *feet, int64_t num, skl_arena *arena);

/* Whether a foot stands along the ground in the original: its sole then agrees better with the rest pose. 1 or 0; -2.
 */
int skl_lies_along(const skl_footholds_job *job, const skl_sloped_foot *foot, skl_arena *arena);
