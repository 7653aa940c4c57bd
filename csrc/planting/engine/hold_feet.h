/* SPDX-License-Identifier: MIT */
/* Feet as they are held, of all of a motion or of a part of it: what paths are planned from. */
#ifndef SKL_HOLD_FEET_H
#define SKL_HOLD_FEET_H

#include "scene.h"

/* Some frames of the motion, from `first` on. Arrays are one per leg. */
typedef struct skl_held_part {
    int64_t first, num_frames;
    const skl_track *tracks;
    const skl_spans *contacts;
    const skl_hold *holds;
    const skl_foothold *const *footholds;
    double *const *rises; /* per contact, how far above the ground it stands; those with a height are set to it */
    int is_level;         /* whether the ground is, at height `level` */
    double level;
} skl_held_part;

/* Feet in some frames of a motion of which the whole is known. Arrays are one per leg. */
typedef struct skl_hold_part_job {
    const skl_scene *scene; /* of the whole */
    skl_held_part part;     /* tracks are given, contacts too; what else is known of feet is set */
    const skl_ground *ground;
    const uint8_t *alone; /* num_frames: lone frames */
    skl_span range;       /* in which contacts may be, in frames of the part; empty where last < first */
    const uint8_t *along; /* whether feet lie along the ground already; NULL where it is level */
    skl_arena *arena;     /* of the results */
    skl_spans *contacts;  /* out: what is left of them */
    skl_stance *stances;  /* out */
    skl_status status;
} skl_hold_part_job;

skl_code skl_hold_part(skl_hold_part_job *job);

/* NULL where memory failed. */
skl_stance *skl_held_feet(const skl_scene *scene, const skl_held_part *part);

/* Per leg, room for a number per contact, all 0. NULL where memory failed. */
double **skl_no_rises(const skl_spans *contacts, int64_t legs, skl_arena *arena);

#endif
