/* SPDX-License-Identifier: MIT */
/* What skl_plant_learn, skl_plant_solve and skl_plant_measure hand on to each other. */
#ifndef SKL_PLANTING_STATE_H
#define SKL_PLANTING_STATE_H

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
    skl_loop loop;        /* of which the scene's motion is unrolled, if `scene.loop` says so */
    skl_loop_ground endless;
    skl_scene scene;
    double *local;           /* of the scene's motion */
    skl_solve_part_job part; /* of it */
    skl_track *after;        /* the legs as they are planted */
    double *planted;         /* of the clip: what was given out */
    skl_plant_contact *contacts;
    int is_solved;
};

/* Whether a foot stands anywhere. */
int skl_plant_stands(const skl_planting *planting);

/* The ground, given or estimated, below the scene's motion. */
const skl_ground *skl_plant_ground(const skl_planting *planting);

/* How feet are held in the contacts that were found, and what ground these say. */
skl_code skl_plant_hold(skl_planting *planting);

#endif
