/* SPDX-License-Identifier: MIT */
/* The job of Blender's IK: frames shared by the threads. */
#include <stdlib.h>

#include "ik.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"

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

skl_code skl_blender_ik_run(skl_blender_ik_job *job) {
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
