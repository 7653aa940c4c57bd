/* SPDX-License-Identifier: MIT */
/* Rotations and translations relative to the rest pose: check, walk, hand each piece to the kernel. */
#include "pose_plan.h"
#include "core/base/dispatch.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "skelkin/skelkin.h"

enum { ROTATIONS, OUT_ROTATIONS, OUT_TRANSLATIONS, NUM_OPERANDS };

/* Joints that are worth a thread's while. */
enum { ENOUGH_JOINTS = 16 * 1024 };

/* What the workers share, and the scratch of each. */
typedef struct rest_work {
    const skl_rest_relative_job *job;
    char *scratch;
    int64_t scratch_bytes;
} rest_work;

static void run_piece(void *context, const skl_walk *w, int worker) {
    const rest_work *work = context;
    const skl_rest_relative_job *job = work->job;
    const skl_rest_relative_block block = {
        .parents = job->skeleton->parents,
        .num_joints = job->skeleton->num_joints,
        .count = w->run,
        .rest_global = job->skeleton->rest_global,
        .rotations = {w->at[ROTATIONS], w->step[ROTATIONS], job->rotations.step},
        .out_rotations = {w->at[OUT_ROTATIONS], w->step[OUT_ROTATIONS], job->out_rotations.step},
        .out_translations = {w->at[OUT_TRANSLATIONS], w->step[OUT_TRANSLATIONS], job->out_translations.step},
        .rest_axes = job->rest_axes,
        .scratch = work->scratch + worker * work->scratch_bytes};
    skl_kernels_for(job->dtype)->rest_relative(&block);
}

static skl_code walk_poses(skl_rest_relative_job *job, const skl_batch *batch) {
    const int64_t lanes = skl_kernels_for(job->dtype)->lanes, joints = job->skeleton->num_joints;
    const int64_t bytes = joints * 7 * lanes * skl_itemsize(job->dtype),
                  grain = skl_grain(ENOUGH_JOINTS, joints, lanes);
    skl_walk w;
    skl_walk_begin(&w, batch);
    if (w.remaining == 0) return SKL_OK;
    const int workers = skl_walk_workers(&w, grain);
    rest_work work = {job, NULL, (bytes + SKL_ALIGNMENT - 1) / SKL_ALIGNMENT * SKL_ALIGNMENT};
    skl_scratch scratch;
    skl_scratch_init(&scratch, workers * work.scratch_bytes);
    if (!scratch.at) return skl_fail(&job->status, SKL_NO_MEMORY, "out", "");
    work.scratch = scratch.at;
    const int cut = skl_walk_parallel(&w, grain, workers, run_piece, &work);
    skl_scratch_free(&scratch);
    return skl_done_unless(cut, &job->status);
}

skl_code skl_rest_relative_run(skl_rest_relative_job *job) {
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_skeleton(job->skeleton, &job->status);
    if (code != SKL_OK) return code;
    const int64_t joints = job->skeleton->num_joints, number = skl_itemsize(job->dtype);
    const skl_joint_list list = {joints, NULL};
    const skl_operand operands[NUM_OPERANDS] = {{&job->rotations, "rotations", 0, 0, 0},
                                                {&job->out_rotations, "out_rotations", 0, joints, 4 * number},
                                                {&job->out_translations, "out_translations", 0, joints, 3 * number}};
    code = skl_check_operands(operands, NUM_OPERANDS, &batch, &job->status);
    if (code == SKL_OK) code = skl_check_quaternions(&job->rotations, &list, job->dtype, "rotations", &job->status);
    return code == SKL_OK ? walk_poses(job, &batch) : code;
}
