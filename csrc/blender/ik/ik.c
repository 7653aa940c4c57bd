/* SPDX-License-Identifier: MIT */
/* The job of Blender's IK: frames shared by the threads. */
#include <stdlib.h>

#include "ik_tree.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"

#define GRAIN 16

typedef struct ik_scratch {
    skl_ik_tree *tree;
    double *moved;
} ik_scratch;

static void solve_frames(void *context, int64_t begin, int64_t end, int worker) {
    const ik_scratch *scratch = (const ik_scratch *)context + worker;
    for (int64_t frame = begin; frame < end && !skl_worker_stopped(worker); frame++) {
        skl_ik_read(scratch->tree, frame);
        skl_ik_solve(scratch->tree);
        skl_ik_write(scratch->tree, frame, scratch->moved);
    }
}

static skl_code check_bones(skl_blender_ik_job *job) {
    for (int32_t k = 0; k < job->num_bones; k++) {
        const skl_ik_bone *bone = &job->bones[k];
        if (bone->bone < 0 || bone->bone >= job->num_pose_bones)
            return skl_fail_at(&job->status, "bones", k, bone->bone, "it must be a bone of the pose");
        if (k ? bone->parent < 0 || bone->parent >= k : bone->parent != -1)
            return skl_fail_at(&job->status, "bones", k, bone->parent,
                               "the parent of the first is -1, that of another is one before it");
    }
    for (int32_t i = 0; i < job->num_followers; i++) {
        const int32_t *pair = job->followers + 2 * i;
        if (pair[0] < 0 || pair[0] >= job->num_pose_bones || pair[1] < 0 || pair[1] >= job->num_bones)
            return skl_fail_at(&job->status, "followers", i, pair[0],
                               "a bone of the pose and one of the tree are needed");
    }
    return SKL_OK;
}

static skl_code check_goals(skl_blender_ik_job *job) {
    for (int32_t g = 0; g < job->num_goals; g++) {
        const skl_ik_goal *goal = &job->goals[g];
        if (goal->bone < 0 || goal->bone >= job->num_bones)
            return skl_fail_at(&job->status, "goals", g, goal->bone, "it must be a bone of the tree");
        if (goal->target < 0 || goal->target >= job->num_targets)
            return skl_fail_at(&job->status, "goals", g, goal->target, "it must be one of the targets");
        if (goal->turns && !job->turns) return skl_fail(&job->status, SKL_BAD_VALUE, "turns", SKL_IS_MISSING);
    }
    return SKL_OK;
}

static skl_code check(skl_blender_ik_job *job) {
    const skl_pointer pointers[] = {
        {job->pose, "pose"}, {job->bones, "bones"}, {job->goals, "goals"}, {job->targets, "targets"}};
    skl_status *status = &job->status;
    skl_code code = SKL_CHECK_POINTERS(pointers, status);
    if (code == SKL_OK) code = skl_check_counted(job->followers, job->num_followers, "followers", status);
    if (code == SKL_OK && job->num_bones < 1)
        code = skl_fail(status, SKL_BAD_VALUE, "num_bones", "one is needed at least");
    if (code == SKL_OK && job->num_goals < 1)
        code = skl_fail(status, SKL_BAD_VALUE, "num_goals", "one is needed at least");
    if (code == SKL_OK && (job->above < -1 || job->above >= job->num_pose_bones))
        code = skl_fail(status, SKL_BAD_VALUE, "above", "it must be -1 or a bone of the pose");
    if (code == SKL_OK) code = check_bones(job);
    return code == SKL_OK ? check_goals(job) : code;
}

skl_code skl_blender_ik_run(skl_blender_ik_job *job) {
    job->status.code = SKL_OK;
    if (check(job) != SKL_OK) return job->status.code;
    const int workers = skl_parallel_workers(job->num_frames, GRAIN);
    ik_scratch *scratch = calloc((size_t)workers, sizeof *scratch);
    int ready = scratch != NULL;
    for (int w = 0; ready && w < workers; w++) {
        scratch[w].tree = skl_ik_tree_new(job);
        scratch[w].moved = calloc((size_t)job->num_bones * 16, sizeof(double));
        ready = scratch[w].tree && scratch[w].moved;
    }
    if (ready) (void)skl_parallel_for(job->num_frames, GRAIN, workers, solve_frames, scratch);
    for (int w = 0; scratch && w < workers; w++) {
        skl_ik_tree_free(scratch[w].tree);
        free(scratch[w].moved);
    }
    free(scratch);
    return ready ? skl_done(&job->status) : skl_fail(&job->status, SKL_NO_MEMORY, "pose", "memory for the solver");
}
