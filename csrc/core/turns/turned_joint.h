/* SPDX-License-Identifier: MIT */
/* One joint of one pose: where it is, and what it is after a turn. In double. */
#pragma once

#include "core/transforms/matrix3.h"
#include "skelkin/turns.h"

/* The joint as it is: its axes and place in the coordinates of its parent, and the parent's axes and place. */
typedef struct skl_joint_now {
    skl_m3 linear;
    double place[3];
    skl_m3 parent;
    double parent_place[3];
} skl_joint_now;

/* Axes and place out of a matrix of 16 numbers. */
void skl_split_affine(const double m[16], skl_m3 linear, double place[3]);

/* The place of another joint in the frame of the parent of `joint`. What moves both of them is not read. */
void skl_seen_from_parent(const skl_turned_poses *poses, int64_t joint, int64_t other, const char *pose, double out[3]);

/* The axis of a joint with these axes that lies least along `pointer`, a direction in its own frame: half a turn goes
 * about the part of it across. */
void skl_sideways(const skl_m3 linear, const double pointer[3], double out[3]);

/* How a joint is to turn: by the quaternion `turn` in the coordinates of its parent, or, with `world`, in the space of
 * the model; then into its limit (or NULL); all of it in part where the weight is below 1. */
typedef struct skl_joint_turn {
    double turn[4], weight;
    int world;
    const skl_joint_limit *limit;
} skl_joint_turn;

/* The joint's axes after the turn, in the coordinates of its parent; 0 where the pose stays as it is, and then `out` is
 * nothing. */
int skl_joint_turned(const skl_joint_now *now, const skl_joint_turn *by, skl_m3 out);

/* Axes into the matrix of a joint of the pose at `pose`. */
void skl_joint_write(const skl_turned_poses *poses, int64_t joint, const skl_m3 linear, char *pose);
