/* SPDX-License-Identifier: MIT */
/* What skl_plant_learn, skl_plant_solve and skl_plant_measure hand on to each other. */
#pragma once

#include "planting/loops/find_loop.h"
#include "planting/loops/loop_ground.h"
#include "scene.h"
#include "solve_part.h"

struct skl_planting {
    skl_arena arena;
    skl_plant_motion motion;
    skl_plant_options options;
    skl_ground *given, estimated;
    double *clip;         /* local matrices without lone frames; the motion's where there are none */
    uint8_t *clip_alone;  /* the motion's lone frames */
    skl_track *clip_legs; /* the legs' motion */
    int64_t *no_bones;    /* see skl_read_tracks_job, */
    double up_share;      /* how much of the body's direction lies along up; 1 where that is given */
    skl_loop loop;        /* of which the scene's motion is unrolled, if `scene.loop` says so; */
    const char *why_open; /* or why it is left open; NULL: its last pose is not the first */
    skl_loop_ground endless;
    skl_scene scene;
    double *local;           /* of the scene's motion */
    skl_solve_part_job part; /* of it */
    double *planted;         /* of the clip: what was given out */
    skl_plant_contact *contacts;
    int is_solved;
};

/* End with SKL_NO_MEMORY. */
skl_code skl_plant_lacks_memory(skl_status *status);

/* The steps of skl_plant_learn: one that has learned nothing yet, NULL where memory failed; what the motion says of its
 * legs, and which way is up; and, when the ground knows that, contacts and how feet are held in them. */
skl_planting *skl_plant_new(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground);
skl_code skl_plant_read_motion(skl_planting *planting, skl_status *status);
skl_code skl_plant_read_contacts(skl_planting *planting, skl_status *status);

/* Plant the scene's motion, where a foot stands: `part`. */
skl_code skl_plant_settle(skl_planting *planting, skl_status *status);

/* Whether a foot stands anywhere. */
int skl_plant_stands(const skl_planting *planting);

/* The ground, given or estimated, below the scene's motion. */
const skl_ground *skl_plant_ground(const skl_planting *planting);

/* How feet are held in the contacts that were found, and what ground these say. */
skl_code skl_plant_hold(skl_planting *planting);
