/* SPDX-License-Identifier: MIT */
/* The joints that planting reads and writes: those of the legs, and what carries them. */
#ifndef SKL_RIG_H
#define SKL_RIG_H

#include "skelkin/skeleton.h"

/* One leg; joints are those of the rig's skeleton. */
typedef struct skl_rig_leg {
    int32_t chain[3]; /* upper, lower, end */
    int32_t toe;      /* -1: there is none */
    int has_tip;      /* whether the toes bend: */
    double tip[3];    /* where they end, in the frame of `toe` */
    double bend[3];   /* the side to which the rest pose bends, see skl_apply_two_bone_job */
} skl_rig_leg;

typedef struct skl_rig {
    const skl_skeleton *skeleton;
    int64_t num_legs;
    const skl_rig_leg *legs;
    int64_t mover; /* the joint that carries the body; -1 where the legs hang from no common one */
} skl_rig;

#endif
