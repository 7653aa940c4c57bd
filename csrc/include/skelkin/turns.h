/* SPDX-License-Identifier: MIT */
/* Joints of poses that turn about their places: to point at something, to lie along the ground, to follow positions.
 *
 * A job copies poses and turns one joint of each, or the joints of a chain; all others keep their bits, and so does the
 * last row of a matrix. Everything is computed in double, whatever the precision of the job. A pose in which a
 * direction is zero, or a number is not finite, stays as it is; a matrix above the joint that has no inverse where one
 * is needed is SKL_BAD_VALUE. */
#ifndef SKELKIN_TURNS_H
#define SKELKIN_TURNS_H

#include "skelkin/ik.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The poses of every job below. Items of `local` and `out` are poses. `limits` may be those of any joints, at most one
 * for each: a joint that has turned is brought to the nearest rotation inside. `out` may be `local` itself, the same
 * memory with the same step and strides; else it may not overlap with the inputs. `spoils_out`: 1 says that what is in
 * the output after a failure does not matter; that saves a pass over the poses. */
typedef struct skl_turned_poses {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_array local;
    int32_t local_rows;
    const skl_joint_limit *limits;
    int64_t num_limits; /* 0: none */
    skl_array out;
    int32_t out_rows;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
} skl_turned_poses;

/* One joint turns by given rotations. Items of `rotation` are quaternions in the coordinates of the joint's parent; one
 * that is zero or not finite is SKL_BAD_VALUE. Here and below `weight` is the part of the way that is gone, 0 <= w <=
 * 1, the shorter way; at 0 a pose keeps its bits. */
typedef struct skl_turn_joint_job {
    skl_turned_poses poses;
    int64_t joint; /* 0: the first */
    skl_array rotation;
    skl_array weight; /* data NULL: 1 */
    skl_status status;
} skl_turn_joint_job;
skl_code skl_turn_joint_run(skl_turn_joint_job *job);

/* One joint makes the smallest turn that brings the line from it to its tip onto the line from it to a target, and
 * then, with `up`, the turn about that line that brings `own_up` as near to `up` as it can. Items are vectors. What
 * moves both the joint and a target joint is not read. */
typedef struct skl_points_at_job {
    skl_turned_poses poses;
    int64_t joint;        /* 0: the first */
    skl_array target;     /* a point in the space of the model; data NULL: target_joint is it */
    int64_t target_joint; /* another joint, not one that `joint` carries along; 0: the first */
    skl_array tip;        /* what points, in the frame of the joint; data NULL: tip_joint does */
    int64_t tip_joint;    /* a joint below, read where there is no tip; -1: the first child */
    skl_array up;         /* a direction in the space of the model; data NULL: none */
    skl_array own_up;     /* what is up in the frame of the joint; data NULL: what lies along `up` in the rest pose */
    int32_t world;        /* 0: the smallest turn in the coordinates of the parent; 1: in the space of the model */
    skl_array weight;     /* data NULL: 1 */
    skl_status status;
} skl_points_at_job;
skl_code skl_points_at_run(skl_points_at_job *job);

/* A foot makes the smallest turn that lets its sole lie along the ground, toes turn about a hinge until they do. Items
 * of the vectors are 3 numbers. */
typedef struct skl_align_to_ground_job {
    skl_turned_poses poses;
    int64_t foot;        /* 0: the first joint */
    skl_array normal;    /* of the ground, in the space of the model */
    skl_array up;        /* in the space of the model */
    skl_array max_slope; /* radians, 0 .. pi: see skl_limit_slope_run; data NULL: any slope */
    skl_array sole;      /* its normal in the frame of the foot; data NULL: what lies level in the rest pose */
    skl_array forward;   /* a direction in the frame of the foot that keeps its heading; data NULL: none */
    skl_array weight;    /* data NULL: 1 */
    skl_status status;
} skl_align_to_ground_job;
skl_code skl_align_to_ground_run(skl_align_to_ground_job *job);

typedef struct skl_roll_toe_job {
    skl_turned_poses poses;
    int64_t toe; /* 0: the first joint */
    skl_array normal, up;
    skl_array sole;   /* data NULL: what lies level in the rest pose */
    skl_array hinge;  /* in the frame of the toe; data NULL: across `up` and the line from the joint above, at rest */
    skl_array weight; /* data NULL: 1 */
    skl_status status;
} skl_roll_toe_job;
skl_code skl_roll_toe_run(skl_roll_toe_job *job);

/* Normals that lean from `up` by no more than `max_slope` (radians, 0 .. pi): unit vectors; not a number where a normal
 * or `up` says nothing. */
typedef struct skl_limit_slope_job {
    skl_dtype dtype;
    skl_array normal, up, max_slope;
    skl_array out;
    skl_status status;
} skl_limit_slope_job;
skl_code skl_limit_slope_run(skl_limit_slope_job *job);

/* The joints of a chain, each a descendant of the one before, turn one after the other: each by the smallest turn that
 * brings the next one into the direction from its own position to that of the next. Items of `positions` are num_joints
 * x 3 numbers, `step` bytes from one joint to the next. The last joint does not turn. */
typedef struct skl_rotations_from_positions_job {
    skl_turned_poses poses;
    const int32_t *chain;
    int64_t num_joints; /* at least 2 */
    skl_array positions;
    int32_t world; /* 0: see skl_points_at_job */
    skl_status status;
} skl_rotations_from_positions_job;
skl_code skl_rotations_from_positions_run(skl_rotations_from_positions_job *job);

#ifdef __cplusplus
}
#endif

#endif
