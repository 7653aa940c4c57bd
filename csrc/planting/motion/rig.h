/* SPDX-License-Identifier: MIT */
/* The joints that planting reads and writes: those of the legs, what carries them, and the head. */
#ifndef SKL_RIG_H
#define SKL_RIG_H

#include "skelkin/skeleton.h"

/* One leg; joints are those of the rig's skeleton. Vectors are in the frame of the foot joint, chain[2]. */
typedef struct skl_rig_leg {
    int32_t chain[3]; /* upper, lower, end */
    int32_t toe;      /* -1: there is none */
    int has_end_site, has_marker, has_rest_up, has_tip;
    double end_site[3]; /* the end of the foot, where there is no toe joint */
    double marker[3];   /* a joint that marks the heel */
    double rest_up[3];  /* up, where the rest pose stands on the plane through the origin */
    double tip[3];      /* where the toes end, if they bend; in the frame of `toe` */
    double clearance;   /* of the sole in leg lengths, as the rest pose says; NaN where it does not */
    double bend[3];     /* the side to which the rest pose bends, see skl_apply_two_bone_job */
} skl_rig_leg;

typedef struct skl_rig {
    const skl_skeleton *skeleton;
    int64_t num_legs;
    const skl_rig_leg *legs;
    int64_t mover; /* the joint that carries the body; -1 where the legs hang from no common one */
    int64_t head;  /* -1: there is none */
} skl_rig;

#endif
