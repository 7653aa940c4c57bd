/* SPDX-License-Identifier: MIT */
#include "read_legs.h"

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/affine.h"
#include "motion_constants.h"
#include "planting/curves/arena.h"

#include <string.h>

enum { JOINTS = 4, ROWS = 12 }; /* of a leg: hip, knee, ankle, toe; numbers of a matrix without its last row */

/* Take over the matrices of one frame. */
static void take(const skl_read_legs_job *job, const double *matrices, int64_t frame) {
    for (int64_t k = 0; k < job->num_legs; k++, matrices += JOINTS * ROWS) {
        const skl_read_leg *leg = &job->legs[k];
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

static skl_code read(skl_read_legs_job *job, skl_arena *arena) {
    const int64_t num = JOINTS * job->num_legs, joints = job->skeleton->num_joints;
    int64_t *wanted = SKL_TAKE(arena, int64_t, num);
    double *matrices = SKL_TAKE(arena, double, POSES * num * ROWS);
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    for (int64_t k = 0; k < job->num_legs; k++) {
        const int64_t own[JOINTS] = {job->legs[k].hip, job->legs[k].knee, job->legs[k].ankle, job->legs[k].toe};
        memcpy(wanted + JOINTS * k, own, sizeof own);
    }
    const skl_pose_part part = {.joints = wanted, .num_joints = num};
    for (int64_t first = 0; first < job->num_frames; first += POSES) {
        const int64_t count = job->num_frames - first < POSES ? job->num_frames - first : POSES;
        skl_pose_job poses = {.skeleton = job->skeleton,
                              .dtype = SKL_FLOAT64,
                              .matrices = skl_poses_at(job->local + 16 * first * joints, count, joints, 16),
                              .out = skl_poses_at(matrices, count, num, ROWS),
                              .out_rows = 3,
                              .part = &part};
        if (skl_forward_kinematics_run(&poses) != SKL_OK) {
            job->status = poses.status;
            return poses.status.code;
        }
        for (int64_t f = 0; f < count; f++) take(job, matrices + f * num * ROWS, first + f);
    }
    return skl_done(&job->status);
}

skl_code skl_read_legs_run(skl_read_legs_job *job) {
    skl_arena arena = {0};
    job->status.code = SKL_OK;
    const skl_code code = read(job, &arena);
    skl_arena_free(&arena);
    return code;
}

skl_code skl_joint_places(const skl_skeleton *skeleton, int64_t num_frames, const double *local, int64_t joint,
                          double *out, skl_status *status) {
    double matrices[POSES * ROWS];
    const skl_pose_part part = {.joints = &joint, .num_joints = 1};
    for (int64_t first = 0; first < num_frames; first += POSES) {
        const int64_t count = num_frames - first < POSES ? num_frames - first : POSES;
        skl_pose_job poses = {
            .skeleton = skeleton,
            .dtype = SKL_FLOAT64,
            .matrices = skl_poses_at(local + 16 * first * skeleton->num_joints, count, skeleton->num_joints, 16),
            .out = skl_poses_at(matrices, count, 1, ROWS),
            .out_rows = 3,
            .part = &part};
        if (skl_forward_kinematics_run(&poses) != SKL_OK) {
            *status = poses.status;
            return status->code;
        }
        for (int64_t f = 0; f < count; f++) skl_affine_place(matrices + f * ROWS, out + 3 * (first + f));
    }
    return SKL_OK;
}
