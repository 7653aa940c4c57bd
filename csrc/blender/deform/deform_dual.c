/* SPDX-License-Identifier: MIT */
/* Blending of dual quaternions with Blender's rule of signs: frame by frame, its vertices in chunks of blocks. */
#include "core/base/dispatch.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "kernels/kernels.h"
#include "skelkin/blender_deform.h"

enum { BLOCKS_OF_CHUNK = 128 };

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static int64_t chunks_of(const skl_deform_dual_job *job) {
    return divide_up(divide_up(job->weights->num_vertices, SKL_WEIGHTS_BLOCK), BLOCKS_OF_CHUNK);
}

/* The groups of one block to the kernel; `running` has what they share. */
static void deform_block(const skl_deform_dual_job *job, const skl_kernel_set *kernels, int64_t block,
                         skl_running_group *running) {
    const skl_weights *weights = job->weights;
    const int64_t itemsize = skl_itemsize(job->dtype);
    const char *values =
        job->dtype == SKL_FLOAT32 ? (const char *)weights->weights_f32 : (const char *)weights->weights_f64;
    for (int64_t i = weights->block_groups[block]; i < weights->block_groups[block + 1]; i++) {
        const skl_weights_group *g = &weights->groups[i];
        running->group.influences = g->influences;
        running->group.count = g->count;
        running->group.order = weights->order + block * SKL_WEIGHTS_BLOCK + g->slot;
        running->group.joints = weights->joints + g->entry;
        running->group.weights = values + g->entry * itemsize;
        kernels->running_rows(running);
    }
}

/* Chunks begin .. end - 1, counted frame by frame. */
static void deform_chunks(void *context, int64_t begin, int64_t end, int worker) {
    const skl_deform_dual_job *job = context;
    const skl_kernel_set *kernels = skl_kernels_for(job->dtype);
    const int64_t itemsize = skl_itemsize(job->dtype), step = 3 * itemsize, chunks = chunks_of(job);
    const int64_t vertices = job->weights->num_vertices, joints = job->weights->num_joints;
    const int64_t blocks = divide_up(vertices, SKL_WEIGHTS_BLOCK);
    (void)worker;
    for (int64_t item = begin; item < end; item++) {
        const int64_t frame = item / chunks, first = item % chunks * BLOCKS_OF_CHUNK;
        const int64_t stop = first + BLOCKS_OF_CHUNK < blocks ? first + BLOCKS_OF_CHUNK : blocks;
        skl_running_group running = {.into = job->into, .back = job->back, .blend_scales = job->blend_scales};
        running.group.packed = (const char *)job->motions + frame * joints * 8 * itemsize;
        if (job->scales) running.scales = (const char *)job->scales + frame * joints * 12 * itemsize;
        for (int64_t b = first; b < stop; b++) {
            const int64_t at = b * SKL_WEIGHTS_BLOCK;
            running.group.stream[SKL_POINTS] =
                (skl_skin_stream){.in = (const char *)job->points + at * step,
                                  .step = step,
                                  .out = (char *)job->out + (frame * vertices + at) * step,
                                  .out_step = step,
                                  .size = 3};
            deform_block(job, kernels, b, &running);
        }
    }
}

static skl_code check(skl_deform_dual_job *job) {
    const skl_pointer pointers[] = {{job->points, "points"}, {job->motions, "motions"}, {job->out, "out"}};
    skl_status *status = &job->status;
    skl_code code = skl_check_weights(job->weights, "weights", status);
    if (code == SKL_OK) code = skl_check_dtype(job->dtype, status);
    if (code == SKL_OK) code = SKL_CHECK_POINTERS(pointers, status);
    if (code == SKL_OK && job->into && !job->back) code = skl_fail(status, SKL_BAD_VALUE, "back", SKL_IS_MISSING);
    return code;
}

skl_code skl_deform_dual_run(skl_deform_dual_job *job) {
    job->status.code = SKL_OK;
    if (check(job) != SKL_OK) return job->status.code;
    const int64_t items = chunks_of(job) * job->num_frames;
    (void)skl_parallel_for(items, 1, skl_parallel_workers(items, 1), deform_chunks, job);
    return skl_done(&job->status);
}
