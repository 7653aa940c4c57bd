/* SPDX-License-Identifier: MIT */
/* Inverse kinematics of limbs, and what joints may do.
 *
 * A limb is a hip `a`, a knee `b`, an ankle `c`, and a target for the ankle. Bone lengths are those of the input.
 * Everything is computed in double, whatever the precision of the job, and all thresholds are relative to the leg. */
#ifndef SKELKIN_IK_H
#define SKELKIN_IK_H

#include "skelkin/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a solve ended: the first that fits, from the residual measured on the result. */
typedef enum skl_ik_status {
    SKL_REACHED = 0,
    SKL_TOO_FAR = 1,
    SKL_TOO_CLOSE = 2,
    SKL_LIMITED = 3,
    SKL_DEGENERATE = 4, /* a bone of length 0 makes the target unreachable */
    SKL_BAD_INPUT = 5,  /* a number that is not finite: this chain is left as it is */
    SKL_NOT_CONVERGED = 6
} skl_ik_status;

/* What both two-bone jobs take beside the target. Vectors are 3 numbers per item, the others 1. */
typedef struct skl_two_bone_options {
    skl_array pole;           /* a point to whose side the knee goes; data NULL: none */
    skl_array pole_direction; /* or a direction, not both; data NULL: none */
    skl_array bend;           /* from the hip-ankle line to the knee, for a straight limb; data NULL: not known */
    skl_array soften;         /* part of the reach over which softening acts, 0 <= s < 1; data NULL: 0 */
    skl_array stretch;        /* largest factor of the bones' lengths, at least 1; data NULL: 1 */
    skl_array stretch_start;  /* part of the reach at which stretching begins, 0 < s <= 1; data NULL: 1 */
    skl_array twist;          /* radians about hip -> end; data NULL: 0 */
    skl_array weight;         /* 0 <= w <= 1; data NULL: 1 */
    int32_t minimal_roll;     /* 0: the upper bone carries the bend plane; 1: both bones turn as little as they can */
} skl_two_bone_options;

/* Knee and ankle after the solve; total rotations (quaternions) of the bones in the space of the positions; status
 * (one skl_ik_status in a byte) for the solve at weight 1; distance of `out_c` from the target; factor of the lengths.
 */
typedef struct skl_solve_two_bone_job {
    skl_dtype dtype;
    skl_array a, b, c, target;
    skl_two_bone_options options;
    skl_array out_b, out_c, out_upper, out_lower, out_status, out_error, out_stretch;
    skl_status status;
} skl_solve_two_bone_job;
skl_code skl_solve_two_bone_run(skl_solve_two_bone_job *job);

/* What a joint may do. A rotation is looked at relative to the rest pose, in a frame whose third axis is the limit's:
 * rest^T @ rotation @ frame = swing * twist, both matrices rotations with the limit's three axes as columns (`frame` in
 * joint-local coordinates, `rest` the same axes in those of the parent, as the rest pose has them). */
typedef struct skl_joint_limit {
    int32_t joint;
    double frame[9], rest[9];
    double swing[2]; /* half angles about the first two axes, 0 <= s <= pi; both 0: a hinge */
    double twist[2]; /* least and largest twist; a range of 2 pi or more: any */
    double soft;     /* 0 <= s < 1: part of the range over which the bound is approached smoothly */
} skl_joint_limit;

/* Poses whose limited joints are turned to the nearest rotation inside, eased where a limit is soft (unless `hard`);
 * all else, and what is inside, keeps its bits. Items of `local` and `out` are poses, those of `out_angle` num_limits
 * angles by which the joints were turned. */
typedef struct skl_limit_poses_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    const skl_joint_limit *limits;
    int64_t num_limits; /* 0: none */
    skl_array local;
    int32_t local_rows;
    int32_t hard;        /* 0: soft limits ease */
    skl_array out;       /* data NULL: out_angle alone */
    int32_t out_rows;    /* of `out` */
    skl_array out_angle; /* data NULL: out alone */
    skl_status status;
} skl_limit_poses_job;
skl_code skl_limit_poses_run(skl_limit_poses_job *job);

/* What the end joint's own rotation does. */
typedef enum skl_end_rotation {
    SKL_KEEP_GLOBAL = 0,
    SKL_KEEP_LOCAL = 1,
    SKL_END_GOAL = 2 /* `goal`, quaternions in the space of the model */
} skl_end_rotation;

/* The same on poses. `chains` is num_chains x 3 joints (upper, lower, end), each a descendant of the one before; they
 * are solved in order, each on the result of the earlier ones; status and error are measured on the final pose. Items
 * of `local` and `out` are poses; items of `target`, `goal`, `hinge`, the options, `out_status` and `out_error` are one
 * per chain, so that their last dimension is num_chains, or of inputs 1. All joints but those of the chains keep their
 * bits.
 *
 * A hinge takes the place of a pole: 3 numbers, in the upper joint's own frame (its scale and shear taken out), an axis
 * about which a positive turn of the lower bone is flexion. The knee is on that side of it. Its plane is the hinge's
 * where the limb as given is bent by less than 4 degrees, its own from 20 degrees on or where its bend stays as it is,
 * and between in between. 0 0 0 says nothing. */
typedef struct skl_apply_two_bone_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    const int32_t *chains;
    const double *bends; /* num_chains x 3: the bend side in the upper joint's rest frame, 0 0 0 where unknown */
    int64_t num_chains;
    skl_array local;
    int32_t local_rows;
    skl_array target;
    skl_array goal;  /* data NULL: none, which SKL_END_GOAL needs */
    skl_array hinge; /* data NULL: none */
    skl_two_bone_options options;
    skl_end_rotation end_rotation; /* 0: SKL_KEEP_GLOBAL */
    const skl_joint_limit *limits; /* of any joints; those of the chains' joints hold, at most one for each */
    int64_t num_limits;            /* 0: none */
    skl_array out;
    int32_t out_rows;
    skl_array out_status, out_error;
    skl_status status;
} skl_apply_two_bone_job;
skl_code skl_apply_two_bone_run(skl_apply_two_bone_job *job);

/* The side to which a chain bends in the rest pose, in the upper joint's rest frame; 0 0 0 where nothing shows it. From
 * the knee; where that is straight, from the farthest joint below the end joint: the toes, or `end_site` (3
 * numbers, or NULL) in its frame. */
void skl_rest_bend(const skl_skeleton *skeleton, const int32_t chain[3], const double *end_site, double out[3]);

#ifdef __cplusplus
}
#endif

#endif
