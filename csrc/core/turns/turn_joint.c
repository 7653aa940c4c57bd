/* SPDX-License-Identifier: MIT */
/* A joint that turns by rotations that are given. */
#include "turned_poses.h"

#include <math.h>

#include "core/base/map.h"
#include "core/base/numbers.h"
#include "core/base/validate.h"

enum { ROTATION, WEIGHT, ARRAYS };

typedef struct turning {
    const skl_turn_joint_job *job;
    const skl_joint_limit *limit;
} turning;

static void turn(const void *context, const char *pose, const skl_joint_now *now, const char *const *at, char *out) {
    (void)pose;
    const turning *t = context;
    const skl_turned_poses *poses = &t->job->poses;
    skl_joint_turn by = {.weight = skl_turn_weight(poses, at[WEIGHT]), .limit = t->limit};
    double largest = 0, square = 0;
    for (int k = 0; k < 4; k++) largest = skl_larger(largest, fabs(skl_number(at[ROTATION], poses->dtype, k)));
    for (int k = 0; k < 4; k++) {
        by.turn[k] = skl_number(at[ROTATION], poses->dtype, k) / largest;
        square += by.turn[k] * by.turn[k];
    }
    for (int k = 0; k < 4; k++) by.turn[k] /= sqrt(square);
    skl_turn_one(poses, t->job->joint, now, &by, out);
}

skl_code skl_turn_joint_run(skl_turn_joint_job *job) {
    const skl_operand arrays[ARRAYS] = {{&job->rotation, "rotation", 0, 0, 0}, {&job->weight, "weight", 1, 0, 0}};
    turning t = {.job = job};
    skl_turn_walk walk = {&job->poses, job->joint, arrays, ARRAYS, 1, turn, &t, {NULL, 0, 0}};
    const skl_map_job rotations = {.verb = SKL_MAP_TO_MATRIX,
                                   .dtype = job->poses.dtype,
                                   .inputs = 1,
                                   .in = {{&job->rotation, "rotation", SKL_UNIT_4, NULL}},
                                   .status = &job->status};
    skl_batch batch;
    skl_code code = skl_turn_check(&walk, &batch, &job->status);
    if (code == SKL_OK) code = skl_check_joint(job->poses.skeleton, job->joint, "joint", &job->status);
    if (code == SKL_OK) code = skl_turn_check_weight(&job->poses, &job->weight, &job->status);
    if (code == SKL_OK) code = skl_map_check(&rotations);
    if (code != SKL_OK) return code;
    walk.undone = skl_turn_path(&job->poses, -1, -1);
    t.limit = skl_turn_limit(&job->poses, job->joint);
    return skl_turn_all(&walk, &batch, &job->status);
}
