/* SPDX-License-Identifier: MIT */
/* Plant a motion: from feet and how they are held to local matrices. */
#pragma once

#include "planting/paths/plan_paths.h"
#include "skelkin/planting.h"

/* How the ground of a loop goes up, or down, beyond its motion: evenly, by so much per frame from frame `zero` on. */
typedef struct skl_drift {
    double step, zero;
} skl_drift;

/* A leg that is planted; arrays are over frames. */
typedef struct skl_solved_leg {
    double *hip, *knee, *ankle, *foot, *flexion; /* out, as in skl_track */
    double *target;                              /* out, num_frames x 3: the target of the ankle */
    double skin;                                 /* below the tip of the toes; NaN: there are none that bend. Out */
} skl_solved_leg;

typedef struct skl_solve_part_job {
    const skl_plant_rig *rig;
    int64_t num_frames;
    const double *local;  /* num_frames x num_joints x 16 */
    skl_span working;     /* the frames that are worked on */
    const uint8_t *alone; /* num_frames: lone frames, which are left as they are */
    const skl_ground *ground;
    int assumed;         /* whether that is only assumed */
    skl_stance *stances; /* one per leg; their outputs are taken from the job's memory */
    int64_t window;      /* frames over which corrections fade */
    double fps, blend;   /* frames per second; seconds that corrections take to fade */
    skl_plant_reach reach;
    double stretch;      /* largest factor by which bones may lengthen; 1: they do not */
    double acceleration; /* by how much that of the body may become greater, legs per s^2 */
    int heights_only;    /* whether feet in the air and the body, too, are moved along up alone */
    skl_drift drift;
    double toe_bend;      /* the largest angle by which toes bend, radians; 0: they do not */
    double *planted;      /* out, num_frames x num_joints x 16 */
    skl_solved_leg *legs; /* out */
    double *body;         /* out, num_frames x 3: how the body is moved */
    double *errors;       /* out, num_frames x num_legs: how far every ankle is from its place */
    uint8_t *changed;     /* out, num_joints x num_frames: where local matrices differ from before */
    double added;         /* out: by how much the body's acceleration became greater at worst, lengths per s^2 */
    skl_status status;
} skl_solve_part_job;

skl_code skl_solve_part_run(skl_solve_part_job *job);

/* --- its parts -----------------------------------------------------------------------------------------------------
 */

/* Bring planned ankles, turned feet and the shifted body into the joints: `planted`, `errors` and `changed`. `moves` is
 * num_legs x num_frames: where joints have to move; `missed` likewise: what is added to errors at least. */
skl_code skl_solve_legs(skl_solve_part_job *job, const uint8_t *moves, const double *missed, skl_arena *arena);
