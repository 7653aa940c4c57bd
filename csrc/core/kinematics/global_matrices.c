/* SPDX-License-Identifier: MIT */
/* What begins with global matrices: skinning matrices, and the way back to local ones. */
#include "core/base/dispatch.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "skelkin/skelkin.h"

/* Joints between two checks whether to go on. */
enum { ENOUGH_JOINTS = 16 * 1024 };

/* One run of the walk over matrices and output. */
static skl_pose_block block_of(const skl_pose_job *job, const skl_walk *w) {
    return (skl_pose_block){.parents = job->skeleton->parents,
                            .num_joints = job->skeleton->num_joints,
                            .count = w->run,
                            .in = {w->at[0], w->step[0], job->matrices.step},
                            .out = {w->at[1], w->step[1], job->out.step},
                            .out_rows = job->out_rows};
}

static void multiply_piece(void *context, const skl_walk *w, int worker) {
    const skl_pose_job *job = context;
    const skl_skeleton *skeleton = job->skeleton;
    skl_pose_block block = block_of(job, w);
    (void)worker;
    block.right = job->dtype == SKL_FLOAT32 ? (const void *)skeleton->inverse_bind_f32 : skeleton->inverse_bind;
    skl_kernels_for(job->dtype)->multiply(&block);
}

static void invert_piece(void *context, const skl_walk *w, int worker) {
    const skl_pose_job *job = context;
    const skl_pose_block block = block_of(job, w);
    (void)worker;
    skl_kernels_for(job->dtype)->local_from_global(&block);
}

/* All poses, on this thread. */
static skl_code walk_poses(skl_pose_job *job, const skl_batch *batch, skl_piece_fn function) {
    skl_walk w;
    skl_walk_begin(&w, batch);
    const int cut = skl_walk_parallel(&w, skl_grain(ENOUGH_JOINTS, job->skeleton->num_joints, 16), 1, function, job);
    return skl_done_unless(cut, &job->status);
}

static skl_code check_arrays(skl_pose_job *job, skl_batch *batch) {
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_skeleton(job->skeleton, &job->status);
    if (code == SKL_OK) code = skl_check_rows(job->out_rows, "out_rows", &job->status);
    if (code != SKL_OK) return code;
    const skl_operand operands[] = {
        {&job->matrices, "matrices", 0, 0, 0},
        {&job->out, "out", 0, job->skeleton->num_joints, 4 * job->out_rows * skl_itemsize(job->dtype)}};
    return skl_check_operands(operands, 2, batch, &job->status);
}

skl_code skl_skinning_matrices_run(skl_pose_job *job) {
    skl_batch batch;
    const skl_code code = check_arrays(job, &batch);
    return code == SKL_OK ? walk_poses(job, &batch, multiply_piece) : code;
}

/* Every parent of every pose has an inverse; else global_[index] goes into `status`. */
static skl_code check_parents_invert(const skl_pose_job *job, skl_status *status) {
    const skl_skeleton *skeleton = job->skeleton;
    int64_t items = 1;
    for (int d = 0; d < job->matrices.ndim; d++) items *= job->matrices.shape[d];
    for (int64_t i = 0; i < items && skl_slowly_goes_on(i); i++) {
        const skl_pose_block block = {.parents = skeleton->parents,
                                      .num_joints = skeleton->num_joints,
                                      .count = 1,
                                      .in = {(char *)(uintptr_t)skl_item_at(&job->matrices, i), 0, job->matrices.step}};
        const int64_t bad = skl_kernels_for(job->dtype)->find_singular_parent(&block);
        if (bad < 0) continue;
        skl_fail(status, SKL_BAD_VALUE, "global_", "a parent's matrix must have an inverse");
        skl_fail_item_index(status, &job->matrices, i);
        return skl_fail_index(status, bad);
    }
    return skl_done_after(items, status);
}

skl_code skl_local_from_global_run(skl_pose_job *job) {
    skl_batch batch;
    skl_code code = check_arrays(job, &batch);
    if (code == SKL_OK) code = check_parents_invert(job, &job->status);
    return code == SKL_OK ? walk_poses(job, &batch, invert_piece) : code;
}
