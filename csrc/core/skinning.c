/* SPDX-License-Identifier: MIT */
/* Skinning jobs. Batches go through in tiles: as many poses as a wide number has lanes, their matrices packed side by
 * side; single poses go a vertex at a time. */
#include "aligned.h"
#include "dispatch.h"
#include "skelkin.h"
#include "status.h"
#include "view.h"

enum {
    STACK_BYTES = 16 * 1024,        /* packed matrices that need no allocation: 256 joints of one pose in float */
    LARGEST_TILE = 1024 * 1024,     /* above, rows need less of the cache than lanes gain */
    CHUNK_BLOCKS = 3200,            /* blocks of vertices that go through all tiles before the next ones come */
    MAX_LANES = 16,                 /* of all instruction sets */
    STREAM_BYTES = 16 * 1024 * 1024 /* outputs above are not read again from the cache anyway */
};

/* Operands of the walk. */
enum { POINTS, MATRICES, OUT, NUM_OPERANDS };

/* What all poses of a job share. */
typedef struct skin_plan {
    const skl_skin_points_job *job;
    const skl_kernel_set *kernels;
    const void *weights;
    int64_t itemsize;
    int64_t row_bytes;  /* packed matrices of one pose for skin_rows */
    int64_t tile_bytes; /* packed matrices of one tile for skin_lanes; 0: do not use it */
    int stream;
    char *packed;
} skin_plan;

/* Poses at[...] + p * step[...]. */
typedef struct skin_run {
    char *at[NUM_OPERANDS];
    int64_t step[NUM_OPERANDS];
} skin_run;

static int64_t block_size(const skl_weights *weights, int64_t block) {
    const int64_t rest = weights->num_vertices - block * SKL_WEIGHTS_BLOCK;
    return rest < SKL_WEIGHTS_BLOCK ? rest : SKL_WEIGHTS_BLOCK;
}

static int64_t num_blocks(const skl_weights *weights) {
    return (weights->num_vertices + SKL_WEIGHTS_BLOCK - 1) / SKL_WEIGHTS_BLOCK;
}

/* Hand the groups of a block to a kernel; `group` has what they share. */
static void skin_block(const skin_plan *plan, int64_t block, void (*kernel)(const skl_skin_group *),
                       skl_skin_group *group) {
    const skl_weights *weights = plan->job->weights;
    for (int64_t i = weights->block_groups[block]; i < weights->block_groups[block + 1]; i++) {
        const skl_weights_group *g = &weights->groups[i];
        group->influences = g->influences;
        group->count = g->count;
        group->order = weights->order + block * SKL_WEIGHTS_BLOCK + g->slot;
        group->joints = weights->joints + g->entry;
        group->weights = (const char *)plan->weights + g->entry * plan->itemsize;
        kernel(group);
    }
}

static void pack(const skin_plan *plan, const skin_run *run, int64_t first, int64_t poses, char *packed, int lanes) {
    const skl_pack_block block = {run->at[MATRICES] + first * run->step[MATRICES],
                                  run->step[MATRICES],
                                  plan->job->matrices.step,
                                  plan->job->weights->num_joints,
                                  (int32_t)poses,
                                  packed};
    if (lanes)
        plan->kernels->pack_lanes(&block);
    else
        plan->kernels->pack_rows(&block);
}

static void skin_one_pose(const skin_plan *plan, const skin_run *run, int64_t pose) {
    const skl_skin_points_job *job = plan->job;
    pack(plan, run, pose, 1, plan->packed, 0);
    skl_skin_group group = {.packed = plan->packed, .points_step = job->points.step, .out_step = job->out.step};
    const char *points = run->at[POINTS] + pose * run->step[POINTS];
    char *out = run->at[OUT] + pose * run->step[OUT];
    for (int64_t b = 0; b < num_blocks(job->weights); b++) {
        group.points = points + b * SKL_WEIGHTS_BLOCK * job->points.step;
        group.out = out + b * SKL_WEIGHTS_BLOCK * job->out.step;
        skin_block(plan, b, plan->kernels->skin_rows, &group);
    }
}

/* The `poses` poses from `pose` on: at most as many as there are lanes. */
static void skin_tile(const skin_plan *plan, const skin_run *run, int64_t pose, int64_t poses) {
    const skl_skin_points_job *job = plan->job;
    const int64_t blocks = num_blocks(job->weights);
    _Alignas(SKL_ALIGNMENT) double staged[SKL_WEIGHTS_BLOCK * 3 * SKL_MAX_LANES / 2];
    _Alignas(SKL_ALIGNMENT) skl_stream stream;
    skl_skin_group group = {.packed = plan->packed,
                            .points_item = run->step[POINTS],
                            .points_step = job->points.step,
                            .poses = (int32_t)poses,
                            .out = staged};
    const char *points = run->at[POINTS] + pose * run->step[POINTS];
    char *out = run->at[OUT] + pose * run->step[OUT];
    pack(plan, run, pose, poses, plan->packed, 1);
    for (int64_t b = 0; b < blocks; b++) {
        group.points = points + b * SKL_WEIGHTS_BLOCK * job->points.step;
        skin_block(plan, b, plan->kernels->skin_lanes, &group);
        const skl_unstage_block unstage = {staged,         block_size(job->weights, b),
                                           (int32_t)poses, out + b * SKL_WEIGHTS_BLOCK * job->out.step,
                                           run->step[OUT], job->out.step};
        if (plan->stream) {
            stream.begins = b == 0;
            stream.ends = b == blocks - 1;
            plan->kernels->unstage_stream(&unstage, &stream);
        } else {
            plan->kernels->unstage(&unstage);
        }
    }
}

static void skin_walk(const skin_plan *plan, skl_walk *w) {
    const int64_t lanes = plan->kernels->lanes;
    for (; w->remaining > 0; skl_walk_next(w)) {
        skin_run run;
        for (int i = 0; i < NUM_OPERANDS; i++) {
            run.at[i] = w->at[i];
            run.step[i] = w->step[i];
        }
        /* A tile of which most lanes would be idle is slower than its poses one by one. */
        const int64_t rest = w->run % lanes;
        const int64_t in_tiles = plan->tile_bytes == 0 ? 0 : 2 * rest > lanes ? w->run : w->run - rest;
        for (int64_t p = 0; p < in_tiles; p += lanes)
            skin_tile(plan, &run, p, in_tiles - p < lanes ? in_tiles - p : lanes);
        for (int64_t p = in_tiles; p < w->run; p++) skin_one_pose(plan, &run, p);
    }
    if (plan->stream) plan->kernels->stream_done();
}

/* Whether to write past the cache: much to write, and the points of a pose behind each other. */
static int can_stream(const skl_skin_points_job *job, const skl_walk *w, int64_t itemsize) {
    const int64_t bytes = job->weights->num_vertices * 3 * itemsize * w->run * w->remaining;
    return bytes >= STREAM_BYTES && job->out.step == 3 * itemsize;
}

static void make_plan(skin_plan *plan, const skl_skin_points_job *job, const skl_walk *w) {
    plan->job = job;
    plan->kernels = skl_kernels_for(job->dtype);
    plan->weights = job->dtype == SKL_FLOAT32 ? (const void *)job->weights->weights_f32 : job->weights->weights_f64;
    plan->itemsize = skl_itemsize(job->dtype);
    plan->row_bytes = job->weights->num_joints * 16 * plan->itemsize;
    plan->stream = can_stream(job, w, plan->itemsize);
    plan->tile_bytes = job->weights->num_joints * 12 * plan->kernels->lanes * plan->itemsize;
    if (plan->kernels->lanes == 1 || 2 * w->run <= plan->kernels->lanes || plan->tile_bytes > LARGEST_TILE)
        plan->tile_bytes = 0;
}

skl_code skl_skin_points_run(skl_skin_points_job *job) {
    const skl_array *const arrays[NUM_OPERANDS] = {&job->points, &job->matrices, &job->out};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    const skl_code code = skl_check_shapes(arrays, 2, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, arrays, NUM_OPERANDS, shape, ndim);
    if (w.remaining == 0 || job->weights->num_vertices == 0) return SKL_OK;

    skin_plan plan;
    make_plan(&plan, job, &w);
    const int64_t bytes = plan.tile_bytes > plan.row_bytes ? plan.tile_bytes : plan.row_bytes;
    if (bytes <= STACK_BYTES) {
        _Alignas(SKL_ALIGNMENT) char stack[STACK_BYTES];
        plan.packed = stack;
        skin_walk(&plan, &w);
        return SKL_OK;
    }
    plan.packed = skl_aligned_alloc(bytes);
    if (!plan.packed) return skl_fail(&job->status, SKL_NO_MEMORY, "matrices", "");
    skin_walk(&plan, &w);
    skl_aligned_free(plan.packed);
    return SKL_OK;
}
