/* SPDX-License-Identifier: MIT */
/* The frame of every job that turns joints: what is checked first, and the walk over the poses. */
#pragma once

#include "core/base/view.h"
#include "core/transforms/joint_path.h"
#include "turned_joint.h"

/* Most arrays of such a job beside `local` and `out`. */
enum { SKL_TURN_ARRAYS = 8 };

/* Turn what there is to turn in one pose: `pose` is as it was, `now` its joint, `out` its copy; `at` are the items of
 * the arrays, NULL where one is left out. */
typedef void (*skl_turn_fn)(const void *context, const char *pose, const skl_joint_now *now, const char *const *at,
                            char *out);

typedef struct skl_turn_walk {
    const skl_turned_poses *poses;
    int64_t joint;             /* that turns first */
    const skl_operand *arrays; /* `count` inputs: leading dimensions broadcast with those of the poses */
    int count;
    int64_t turns; /* of each pose */
    skl_turn_fn function;
    const void *context;
    skl_joint_path undone; /* matrices that need an inverse */
} skl_turn_walk;

/* What has to be there, rows, shapes, the numbers of the limits' joints: what every job checks first. `batch` are the
 * poses with the arrays. */
skl_code skl_turn_check(const skl_turn_walk *walk, skl_batch *batch, skl_status *status);

/* 0 <= weight <= 1. */
skl_code skl_turn_check_weight(const skl_turned_poses *poses, const skl_array *weight, skl_status *status);

/* From `joint` on up to `ancestor`, which is not one of them. */
skl_joint_path skl_turn_path(const skl_turned_poses *poses, int64_t joint, int64_t ancestor);

/* The poses, copied and turned, if every matrix that needs one has an inverse. */
skl_code skl_turn_all(const skl_turn_walk *walk, const skl_batch *batch, skl_status *status);

/* The limit of the joint, or NULL. */
const skl_joint_limit *skl_turn_limit(const skl_turned_poses *poses, int64_t joint);

/* The weight at `at`; 1 where that is NULL. */
double skl_turn_weight(const skl_turned_poses *poses, const char *at);

/* Turn and write one joint: what the functions of the verbs end with. */
void skl_turn_one(const skl_turned_poses *poses, int64_t joint, const skl_joint_now *now, const skl_joint_turn *by,
                  char *out);
