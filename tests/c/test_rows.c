/* SPDX-License-Identifier: MIT */
/* Counts of rows that were never set: every job that has one refuses 0, names it, and writes nothing. */
#include <string.h>

#include "check.h"
#include "skelkin/skelkin.h"

enum { JOINTS = 3, NUMBERS = JOINTS * 16 };

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static double matrices[NUMBERS], rotations[JOINTS * 4], written[NUMBERS];
static skl_skeleton skeleton;

static skl_array numbers(double *data, int64_t step) {
    const skl_array array = {.data = data, .step = step * (int64_t)sizeof(double)};
    return array;
}

static void refused(skl_code code, const skl_status *status, const char *argument) {
    char text[200];
    CHECK(code == SKL_BAD_VALUE);
    if (code != SKL_BAD_VALUE) return;
    CHECK(strcmp(status->argument, argument) == 0);
    skl_status_text(status, text, sizeof text);
    CHECK(strstr(text, " is 0: a matrix has 4 rows, or 3 without the last") != NULL);
    for (int i = 0; i < NUMBERS; i++) CHECK(written[i] > 6.9 && written[i] < 7.1);
}

static void poses_refuse_no_rows(void) {
    skl_pose_job pose = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .matrices = numbers(matrices, 16)};
    pose.out = numbers(written, 16);
    refused(skl_forward_kinematics_run(&pose), &pose.status, "out_rows");
    refused(skl_local_from_global_run(&pose), &pose.status, "out_rows");
    refused(skl_skinning_matrices_run(&pose), &pose.status, "out_rows");
    skl_forward_kinematics_trs_job trs = {.skeleton = &skeleton, .dtype = SKL_FLOAT64};
    trs.rotations = numbers(rotations, 4);
    trs.out = numbers(written, 16);
    refused(skl_forward_kinematics_trs_run(&trs), &trs.status, "out_rows");
    skl_relative_transform_job relative = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .from_joint = 2};
    relative.local = numbers(matrices, 16);
    relative.out = numbers(written, 4);
    refused(skl_relative_transform_run(&relative), &relative.status, "out_rows");
}

static void limbs_and_limits_refuse_no_rows(void) {
    const int32_t chain[3] = {0, 1, 2};
    const double bend[3] = {0, 0, 0};
    double target[3] = {0, 1, 0};
    skl_apply_two_bone_job limb = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .chains = chain, .bends = bend};
    limb.num_chains = 1;
    limb.local = numbers(matrices, 16);
    limb.target = numbers(target, 3);
    limb.target.ndim = 1;
    limb.target.shape[0] = 1;
    limb.out = numbers(written, 16);
    limb.out_rows = 4;
    refused(skl_apply_two_bone_run(&limb), &limb.status, "local_rows");
    limb.local_rows = 4;
    limb.out_rows = 0;
    refused(skl_apply_two_bone_run(&limb), &limb.status, "out_rows");
    skl_limit_poses_job limits = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .local = limb.local, .out = limb.out};
    limits.out_rows = 4;
    refused(skl_limit_poses_run(&limits), &limits.status, "local_rows");
    limits.local_rows = 4;
    limits.out_rows = 0;
    refused(skl_limit_poses_run(&limits), &limits.status, "out_rows");
}

static void transforms_refuse_no_rows(void) {
    skl_matrix_job matrix = {.dtype = SKL_FLOAT64, .matrices = numbers(matrices, 4), .out = numbers(written, 4)};
    refused(skl_invert_run(&matrix), &matrix.status, "out_rows");
    refused(skl_invert_rigid_run(&matrix), &matrix.status, "out_rows");
    refused(skl_invert_trs_run(&matrix), &matrix.status, "out_rows");
    skl_compose_job compose = {.dtype = SKL_FLOAT64, .translations = numbers(matrices, 3)};
    compose.rotations = numbers(rotations, 4);
    compose.out = numbers(written, 4);
    refused(skl_compose_run(&compose), &compose.status, "out_rows");
    skl_change_basis_job basis = {.dtype = SKL_FLOAT64, .values = numbers(matrices, 4)};
    basis.from_basis = basis.to_basis = basis.values;
    basis.out = numbers(written, 4);
    refused(skl_change_basis_run(&basis), &basis.status, "out_rows");
}

int main(void) {
    const int64_t parents[JOINTS] = {-1, 0, 1};
    skl_status status;
    for (int j = 0; j < JOINTS; j++) {
        memcpy(matrices + 16 * j, identity, sizeof identity);
        memcpy(rotations + 4 * j, identity, 4 * sizeof(double));
    }
    for (int i = 0; i < NUMBERS; i++) written[i] = 7;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, matrices, NULL, &status) == SKL_OK);
    poses_refuse_no_rows();
    limbs_and_limits_refuse_no_rows();
    transforms_refuse_no_rows();
    skl_skeleton_free(&skeleton);
    return REPORT();
}
