/* SPDX-License-Identifier: MIT */
#include "read_legs.h"

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/affine.h"
#include "motion_constants.h"
#include "planting/curves/arena.h"
#include "planting/curves/spans.h"

#include <string.h>

enum { JOINTS = 4, ROWS = 12 }; /* of a leg: hip, knee, ankle, toe; numbers of a matrix without its last row */

/* Take over the matrices of one frame. */
static void take(const skl_read_leg *legs, int64_t num_legs, const double *matrices, int64_t frame) {
    for (int64_t k = 0; k < num_legs; k++, matrices += JOINTS * ROWS) {
        const skl_read_leg *leg = &legs[k];
        skl_affine_place(matrices, leg->hip_at + 3 * frame);
        skl_affine_place(matrices + ROWS, leg->knee_at + 3 * frame);
        skl_affine_place(matrices + 2 * ROWS, leg->ankle_at + 3 * frame);
        if (leg->toe_at) skl_affine_place(matrices + 3 * ROWS, leg->toe_at + 3 * frame);
        skl_affine_linear(matrices, leg->thigh + 9 * frame);
        skl_affine_linear(matrices + 2 * ROWS, leg->foot + 9 * frame);
    }
}

skl_array skl_poses_at(const double *data, int64_t count, int64_t joints, int64_t numbers) {
    skl_array array = {.data = (void *)data, .step = numbers * (int64_t)sizeof *data, .ndim = 1};
    array.shape[0] = count;
    array.strides[0] = joints * array.step;
    return array;
}

/* Matrices of some joints, in some frames. */
static skl_code read_some(const skl_skeleton *skeleton, const double *local, int64_t first, int64_t count,
                          const skl_pose_part *part, double *matrices, skl_status *status) {
    const int64_t joints = skeleton->num_joints;
    skl_pose_job poses = {.skeleton = skeleton,
                          .dtype = SKL_FLOAT64,
                          .matrices = skl_poses_at(local + 16 * first * joints, count, joints, 16),
                          .out = skl_poses_at(matrices, count, part->num_joints, ROWS),
                          .out_rows = 3,
                          .part = part};
    return skl_forward_kinematics_run(&poses) == SKL_OK ? SKL_OK : skl_pass_on(&poses.status, status);
}

skl_code skl_read_legs(const skl_skeleton *skeleton, int64_t num_frames, const double *local, int64_t num_legs,
                       const skl_read_leg *legs, skl_status *status) {
    const int64_t num = JOINTS * num_legs;
    skl_arena arena = {0};
    int64_t *wanted = SKL_TAKE(&arena, int64_t, num);
    double *matrices = SKL_TAKE(&arena, double, POSES * num * ROWS);
    const skl_pose_part part = {.joints = wanted, .num_joints = num};
    skl_code code = arena.failed ? skl_fail(status, SKL_NO_MEMORY, "local", "") : SKL_OK;
    for (int64_t k = 0; code == SKL_OK && k < num_legs; k++) {
        const int64_t own[JOINTS] = {legs[k].hip, legs[k].knee, legs[k].ankle, legs[k].toe};
        memcpy(wanted + JOINTS * k, own, sizeof own);
    }
    for (int64_t first = 0; code == SKL_OK && first < num_frames; first += POSES) {
        const int64_t count = skl_fewer(POSES, num_frames - first);
        code = read_some(skeleton, local, first, count, &part, matrices, status);
        for (int64_t f = 0; code == SKL_OK && f < count; f++)
            take(legs, num_legs, matrices + f * num * ROWS, first + f);
    }
    skl_arena_free(&arena);
    return code == SKL_OK ? skl_done(status) : code;
}

skl_code skl_joint_places(const skl_skeleton *skeleton, int64_t num_frames, const double *local, int64_t joint,
                          double *out, skl_status *status) {
    double matrices[POSES * ROWS];
    const skl_pose_part part = {.joints = &joint, .num_joints = 1};
    for (int64_t first = 0; first < num_frames; first += POSES) {
        const int64_t count = skl_fewer(POSES, num_frames - first);
        const skl_code code = read_some(skeleton, local, first, count, &part, matrices, status);
        if (code != SKL_OK) return code;
        for (int64_t f = 0; f < count; f++) skl_affine_place(matrices + f * ROWS, out + 3 * (first + f));
    }
    return SKL_OK;
}
