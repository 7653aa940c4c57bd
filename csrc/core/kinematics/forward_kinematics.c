/* SPDX-License-Identifier: MIT */
/* Forward kinematics: check, plan, walk the batch in runs, hand each run to the kernel. */
#include "pose_plan.h"
#include "core/base/dispatch.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "skelkin/skelkin.h"

/* Operands of the walk. */
enum { LOCAL, ROTATIONS, TRANSLATIONS, SCALES, OUT, NUM_OPERANDS };

/* What both verbs have in common: arrays of data NULL are left out. */
typedef struct pose_run {
    const skl_array *arrays[NUM_OPERANDS];
    int32_t optional[NUM_OPERANDS];
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    int32_t out_rows;
    skl_status *status;
} pose_run;

/* What the workers share, and the scratch of each. */
typedef struct pose_work {
    const pose_run *run;
    const skl_fk_plan *plan;
    const skl_kernel_set *kernels;
    int tiles;
    int large; /* the result may go past the cache */
    int ahead; /* what is read comes from memory */
    char *scratch;
    int64_t scratch_bytes;
    int64_t lines; /* where in it an skl_stream is; 0: there is none */
} pose_work;

/* Joints that are worth a thread's while. */
enum { ENOUGH_JOINTS = 16 * 1024 };

static skl_pose_view view_of(const pose_run *run, const skl_walk *w, int operand) {
    return (skl_pose_view){w->at[operand], w->step[operand], run->arrays[operand]->step};
}

/* For matrices of four rows that lie behind each other, in all poses at the same place of a line; else -1. */
static int32_t bytes_behind(const pose_work *work, const skl_walk *w) {
    const skl_array *out = work->run->arrays[OUT];
    const int64_t into = (int64_t)((uintptr_t)w->at[OUT] % SKL_ALIGNMENT);
    if (!work->large || work->run->out_rows != 4) return -1;
    if (out->step != 16 * skl_itemsize(work->run->dtype) || w->step[OUT] % SKL_ALIGNMENT != 0) return -1;
    return into == 0 || into == SKL_ROW_BEHIND ? (int32_t)into : -1;
}

static void run_piece(void *context, const skl_walk *w, int worker) {
    const pose_work *work = context;
    const pose_run *run = work->run;
    char *scratch = work->scratch + worker * work->scratch_bytes;
    const skl_fk_block block = {.plan = work->plan,
                                .count = w->run,
                                .local = view_of(run, w, LOCAL),
                                .rotations = view_of(run, w, ROTATIONS),
                                .translations = view_of(run, w, TRANSLATIONS),
                                .scales = view_of(run, w, SCALES),
                                .out = view_of(run, w, OUT),
                                .out_rows = run->out_rows,
                                .tiles = work->tiles,
                                .large = work->large,
                                .behind = bytes_behind(work, w),
                                .ahead = work->ahead,
                                .lines = work->lines ? (skl_stream *)(void *)(scratch + work->lines) : NULL,
                                .scratch = scratch};
    work->kernels->forward_kinematics(&block);
    if (block.behind >= 0 || block.lines) work->kernels->stream_done();
}

static int64_t line_up(int64_t bytes) { return (bytes + SKL_ALIGNMENT - 1) / SKL_ALIGNMENT * SKL_ALIGNMENT; }

/* Whether the batch outgrows the caches, so that the result goes past them. Below, who reads the result next would pay
 * more for that than it saves. */
static void plan_large(pose_work *work, const skl_walk *w) {
    const pose_run *run = work->run;
    const int matrices = run->arrays[LOCAL]->data != NULL;
    const int64_t number = skl_itemsize(run->dtype) * work->plan->slots * w->run * w->remaining;
    const int64_t read = w->step[matrices ? LOCAL : ROTATIONS] == 0 ? 0 : (matrices ? 16 : 4) * number;
    if (!work->tiles || work->plan->from || read + 4 * run->out_rows * number < SKL_STREAM_BYTES) return;
    work->large = 1;
    /* Rotations have just been read to be checked: as many as the caches hold are still there. */
    work->ahead = matrices || read >= 2 * SKL_STREAM_BYTES;
    if (run->out_rows == 3 && run->arrays[OUT]->step == 12 * skl_itemsize(run->dtype)) {
        work->lines = work->scratch_bytes;
        work->scratch_bytes += line_up((int64_t)sizeof(skl_stream));
    }
}

static skl_code walk_poses(const pose_run *run, const skl_fk_plan *plan, const skl_batch *batch) {
    const skl_kernel_set *kernels = skl_kernels_for(run->dtype);
    const int64_t slot_bytes = 12 * skl_itemsize(run->dtype), tile_bytes = plan->slots * slot_bytes * kernels->lanes;
    skl_walk w;
    skl_walk_begin(&w, batch);
    if (w.remaining == 0) return SKL_OK;
    /* One pose is not worth the divisions. */
    const int64_t grain = w.run * w.remaining == 1 ? 1 : skl_grain(ENOUGH_JOINTS, plan->slots, kernels->lanes);
    const int workers = skl_walk_workers(&w, grain);
    const int tiles = w.run > 1 && kernels->lanes > 1 && tile_bytes <= SKL_TILE_BYTES;
    const int64_t bytes = tiles ? tile_bytes : plan->from ? plan->slots * slot_bytes : 0;
    pose_work work = {.run = run, .plan = plan, .kernels = kernels, .tiles = tiles, .scratch_bytes = line_up(bytes)};
    plan_large(&work, &w);
    skl_scratch scratch;
    skl_scratch_init(&scratch, workers * work.scratch_bytes);
    if (!scratch.at) return skl_fail(run->status, SKL_NO_MEMORY, "out", "");
    work.scratch = scratch.at;
    const int cut = skl_walk_parallel(&w, grain, workers, run_piece, &work);
    skl_scratch_free(&scratch);
    return skl_done_unless(cut, run->status);
}

static skl_code check(const pose_run *run, const skl_pose_part *part, skl_batch *batch) {
    static const char *const names[NUM_OPERANDS] = {"matrices", "rotations", "translations", "scales", "out"};
    skl_operand operands[NUM_OPERANDS];
    skl_code code = skl_check_dtype(run->dtype, run->status);
    if (code == SKL_OK) code = skl_check_skeleton(run->skeleton, run->status);
    if (code == SKL_OK) code = skl_check_rows(run->out_rows, "out_rows", run->status);
    if (code == SKL_OK && part) code = skl_check_counted(part->joints, part->num_joints, "joints", run->status);
    if (code != SKL_OK) return code;
    for (int k = 0; k < NUM_OPERANDS; k++)
        operands[k] = (skl_operand){run->arrays[k], names[k], run->optional[k], 0, 0};
    operands[OUT].count = part && part->joints ? part->num_joints : run->skeleton->num_joints;
    operands[OUT].bytes = 4 * run->out_rows * skl_itemsize(run->dtype);
    return skl_check_operands(operands, NUM_OPERANDS, batch, run->status);
}

/* The plan, the quaternions of the joints that are evaluated; then the walk. */
static skl_code run_poses(const pose_run *run, const skl_pose_part *part) {
    skl_batch batch;
    run->status->code = SKL_OK;
    skl_code code = check(run, part, &batch);
    if (code != SKL_OK) return code;
    skl_pose_plan plan;
    code = skl_pose_plan_init(&plan, run->skeleton, part, run->status);
    if (code != SKL_OK) return code;
    const skl_array *rotations = run->arrays[ROTATIONS];
    if (rotations->data) {
        const skl_joint_list list = {plan.plan.slots - plan.plan.given,
                                     plan.plan.joints ? plan.plan.joints + plan.plan.given : NULL};
        code = skl_check_quaternions(rotations, &list, run->dtype, "rotations", run->status);
    }
    if (code == SKL_OK) code = walk_poses(run, &plan.plan, &batch);
    skl_pose_plan_free(&plan);
    return code;
}

static const skl_array none;

skl_code skl_forward_kinematics_run(skl_pose_job *job) {
    const pose_run run = {{&job->matrices, &none, &none, &none, &job->out},
                          {0, 1, 1, 1, 0},
                          job->skeleton,
                          job->dtype,
                          job->out_rows,
                          &job->status};
    return run_poses(&run, job->part);
}

skl_code skl_forward_kinematics_trs_run(skl_forward_kinematics_trs_job *job) {
    skl_array rest;
    if (job->skeleton) skl_rest_translations(job->skeleton, job->dtype, &rest);
    const pose_run run = {
        {&none, &job->rotations, job->translations.data ? &job->translations : &rest, &job->scales, &job->out},
        {1, 0, 0, 1, 0},
        job->skeleton,
        job->dtype,
        job->out_rows,
        &job->status};
    return run_poses(&run, job->part);
}
