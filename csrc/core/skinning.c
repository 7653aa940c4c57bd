/* SPDX-License-Identifier: MIT */
/* Points that follow matrices. */
#include "dispatch.h"
#include "skelkin.h"
#include "skin_tiles.h"
#include "status.h"
#include "view.h"

/* Operands of the walk behind points and output. */
enum { MATRICES = SKL_SKIN_PALETTE, NUM_OPERANDS };

static void pack(const skl_skin_points_job *job, const skl_walk *run, int64_t pose, int64_t poses, void *packed,
                 void (*kernel)(const skl_pack_block *)) {
    const skl_pack_block block = {run->at[MATRICES] + pose * run->step[MATRICES],
                                  run->step[MATRICES],
                                  job->matrices.step,
                                  job->weights->num_joints,
                                  (int32_t)poses,
                                  packed};
    kernel(&block);
}

static void palette_lanes(const void *context, const skl_walk *run, int64_t pose, int64_t poses, void *packed) {
    const skl_skin_points_job *job = context;
    pack(job, run, pose, poses, packed, skl_kernels_for(job->dtype)->pack_lanes);
}

static void palette_rows(const void *context, const skl_walk *run, int64_t pose, void *packed, void *scratch) {
    const skl_skin_points_job *job = context;
    (void)scratch;
    pack(job, run, pose, 1, packed, skl_kernels_for(job->dtype)->pack_rows);
}

skl_code skl_skin_points_run(skl_skin_points_job *job) {
    const skl_array *const inputs[] = {&job->points, &job->matrices};
    const skl_array *const arrays[NUM_OPERANDS] = {&job->points, &job->out, &job->matrices};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    const skl_code code = skl_check_shapes(inputs, 2, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, arrays, NUM_OPERANDS, shape, ndim);
    const skl_skin_call call = {
        job->weights, job->dtype, job->points.step, job->out.step, {job, palette_lanes, palette_rows, 0}};
    if (!skl_skin_run(&call, &w)) return skl_fail(&job->status, SKL_NO_MEMORY, "matrices", "");
    return SKL_OK;
}
