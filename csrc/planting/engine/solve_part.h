/* SPDX-License-Identifier: MIT */
/* Plant a scene's motion: from feet and how they are held to local matrices. */
#pragma once

#include "scene.h"

/* How the ground of a loop goes up, or down, beyond its motion: evenly, by so much per frame from frame `zero` on. */
typedef struct skl_drift {
    double step, zero;
} skl_drift;

typedef struct skl_solve_part_job {
    const skl_scene *scene; /* the outputs of its stances are taken from the job's memory */
    const double *local;    /* num_frames x num_joints x 16 */
    const skl_ground *ground;
    skl_drift drift;
    double *planted;  /* out, num_frames x num_joints x 16 */
    double *targets;  /* out, num_legs x num_frames x 3: the targets of the ankles */
    double *body;     /* out, num_frames x 3: how the body is moved */
    double *errors;   /* out, num_frames x num_legs: how far every ankle is from its place */
    uint8_t *changed; /* out, num_joints x num_frames: where local matrices differ from before */
    skl_track *after; /* out, one per leg: as it is planted, in the scene's memory */
    double added;     /* out: by how much the body's acceleration became greater at worst, lengths per s^2 */
    skl_status status;
} skl_solve_part_job;

skl_code skl_solve_part_run(skl_solve_part_job *job);

/* --- its parts -----------------------------------------------------------------------------------------------------
 */

/* Bring planned ankles, turned feet and the shifted body into the joints: `planted`, `errors` and `changed`. `moves` is
 * num_legs x num_frames: where joints have to move; `missed` likewise: what is added to errors at least. */
skl_code skl_solve_legs(skl_solve_part_job *job, const uint8_t *moves, const double *missed, skl_arena *arena);
