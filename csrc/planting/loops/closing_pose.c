/* SPDX-License-Identifier: MIT */
/* The last pose of a loop that is planted. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/transforms/affine.h"
#include "core/transforms/matrix3.h"
#include "loop.h"
#include "loop_constants.h"
#include "skelkin/kinematics.h"

/* Joints whose place in space is carried on: what moves the body, or else the hips. */
static int is_top(const skl_plant_rig *rig, int64_t joint) {
    if (rig->mover >= 0) return joint == rig->mover;
    for (int64_t k = 0; k < rig->num_legs; k++)
        if (rig->legs[k].chain[0] == joint) return 1;
    return 0;
}

static int is_of_a_leg(const skl_plant_rig *rig, int64_t joint) {
    for (int64_t k = 0; k < rig->num_legs; k++)
        for (int i = 0; i < 3; i++)
            if (rig->legs[k].chain[i] == joint) return 1;
    return 0;
}

static skl_code pose_in_space(const skl_skeleton *skeleton, const double *local, double *out, skl_status *status) {
    const int64_t step = 16 * (int64_t)sizeof *local;
    skl_pose_job job = {.skeleton = skeleton,
                        .dtype = SKL_FLOAT64,
                        .matrices = {.data = (void *)local, .step = step},
                        .out = {.data = out, .step = step},
                        .out_rows = 4};
    if (skl_forward_kinematics_run(&job) != SKL_OK) *status = job.status;
    return job.status.code;
}

/* `there`, carried on by `carry`, as it is relative to `parent`; NULL: there is none. */
static void carried(const double carry[16], const double there[16], const double *parent, double out[16]) {
    skl_m3 by, linear, turned;
    double at[3] = {there[3], there[7], there[11]};
    skl_affine_linear(carry, by);
    skl_affine_linear(there, linear);
    skl_m3_multiply(by, linear, turned);
    skl_loop_move(carry, at, at);
    if (parent) {
        skl_m3 above, inverse, own;
        const double apart[3] = {at[0] - parent[3], at[1] - parent[7], at[2] - parent[11]};
        skl_affine_linear(parent, above);
        skl_m3_inverse(above, inverse);
        skl_m3_multiply(inverse, turned, own);
        memcpy(turned, own, sizeof turned);
        skl_m3_solve(above, apart, at);
    }
    for (int i = 0; i < 3; i++) {
        memcpy(out + 4 * i, turned + 3 * i, 3 * sizeof *out);
        out[4 * i + 3] = at[i];
    }
    memcpy(out + 12, (double[4]){0, 0, 0, 1}, 4 * sizeof *out);
}

static int differs(const double a[16], const double b[16], double length) {
    double turned = 0.0, moved = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turned = fmax(turned, fabs(a[4 * i + j] - b[4 * i + j]));
            size = fmax(size, fabs(b[4 * i + j]));
        }
        moved = fmax(moved, fabs(a[4 * i + 3] - b[4 * i + 3]));
    }
    return turned > SAME_MATRIX * size || moved > SAME_MATRIX * length;
}

skl_code skl_loop_closing_pose(const skl_loop *loop, const skl_plant_rig *rig, const double *first, const double *last,
                               const uint8_t *changed, double length, double *out, skl_status *status) {
    const skl_skeleton *skeleton = rig->skeleton;
    const int64_t joints = skeleton->num_joints;
    skl_arena arena = {0};
    double *begin = SKL_TAKE(&arena, double, 16 * joints), *end = SKL_TAKE(&arena, double, 16 * joints);
    skl_code code =
        arena.failed ? skl_fail(status, SKL_NO_MEMORY, "local", "") : pose_in_space(skeleton, first, begin, status);
    if (code == SKL_OK) code = pose_in_space(skeleton, last, end, status);
    if (code == SKL_OK) memcpy(out, last, (size_t)(16 * joints) * sizeof *out);
    for (int64_t j = 0; code == SKL_OK && j < joints; j++) {
        double again[16];
        const int64_t parent = skeleton->parents[j];
        if (!changed[j] && !is_top(rig, j) && !is_of_a_leg(rig, j)) continue;
        memcpy(again, first + 16 * j, sizeof again);
        /* In space: what is above it may have travelled, or rest while it travels. */
        if (is_top(rig, j)) carried(loop->planted, begin + 16 * j, parent < 0 ? NULL : end + 16 * parent, again);
        if (differs(again, last + 16 * j, length)) memcpy(out + 16 * j, again, sizeof again);
    }
    skl_arena_free(&arena);
    return code;
}
