/* SPDX-License-Identifier: MIT */
/* Skinning jobs: poses in tiles whose packed matrices stay in the cache, vertices in blocks inside of a tile. */
#include <stdlib.h>

#include "dispatch.h"
#include "skelkin.h"
#include "status.h"
#include "view.h"

enum {
    ALIGNMENT = 64,          /* a packed matrix never straddles a cache line */
    STACK_NUMBERS = 2048,    /* packed numbers that need no allocation: 128 joints of one pose */
    TILE_BYTES = 256 * 1024, /* packed matrices of a tile */
    MAX_TILE = 64,           /* poses of a tile */
    BLOCK_VERTICES = 2048    /* vertices that go through all poses of a tile before the next ones come */
};

/* Operands of the walk. */
enum { POINTS, MATRICES, OUT, NUM_OPERANDS };

/* What the poses of a run share. */
typedef struct skin_run {
    const skl_skin_points_job *job;
    const skl_kernel_set *kernels;
    char *packed;
    int64_t packed_pose; /* bytes of one pose's packed matrices */
    int64_t tile;        /* poses whose packed matrices fit */
} skin_run;

/* Poses at[...] + p * step[...] for p < count, count <= tile. */
static void skin_tile(const skin_run *run, char *const *at, const int64_t *step, int64_t count) {
    const skl_skin_points_job *job = run->job;
    const skl_weights *weights = job->weights;
    const void *values = job->dtype == SKL_FLOAT32 ? (const void *)weights->weights_f32 : weights->weights_f64;
    for (int64_t p = 0; p < count; p++) {
        const skl_pack_block pack = {at[MATRICES] + p * step[MATRICES], job->matrices.step, weights->num_joints,
                                     run->packed + p * run->packed_pose};
        run->kernels->pack_columns(&pack);
    }
    const int64_t block = count == 1 ? weights->num_vertices : BLOCK_VERTICES;
    for (int64_t first = 0; first < weights->num_vertices; first += block) {
        const int64_t rest = weights->num_vertices - first;
        for (int64_t p = 0; p < count; p++) {
            const skl_skin_block skin = {weights->offsets,
                                         weights->joints,
                                         values,
                                         first,
                                         rest < block ? rest : block,
                                         run->packed + p * run->packed_pose,
                                         at[POINTS] + p * step[POINTS] + first * job->points.step,
                                         job->points.step,
                                         at[OUT] + p * step[OUT] + first * job->out.step,
                                         job->out.step};
            run->kernels->skin_points(&skin);
        }
    }
}

static void skin_walk(const skin_run *run, skl_walk *w) {
    for (; w->remaining > 0; skl_walk_next(w))
        for (int64_t p = 0; p < w->run; p += run->tile) {
            char *at[NUM_OPERANDS];
            for (int i = 0; i < NUM_OPERANDS; i++) at[i] = w->at[i] + p * w->step[i];
            skin_tile(run, at, w->step, w->run - p < run->tile ? w->run - p : run->tile);
        }
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

    _Alignas(ALIGNMENT) double stack[STACK_NUMBERS];
    skin_run run = {job, skl_kernels_for(job->dtype), (char *)stack, 0, 1};
    run.packed_pose = job->weights->num_joints * 16 * skl_itemsize(job->dtype);
    if (w.run == 1 && run.packed_pose <= (int64_t)sizeof stack) {
        skin_walk(&run, &w);
        return SKL_OK;
    }
    run.tile = TILE_BYTES / run.packed_pose;
    if (run.tile > MAX_TILE) run.tile = MAX_TILE;
    if (run.tile > w.run) run.tile = w.run;
    if (run.tile < 1) run.tile = 1;
    char *memory = malloc((size_t)(run.tile * run.packed_pose) + ALIGNMENT);
    if (!memory) return skl_fail(&job->status, SKL_NO_MEMORY, "matrices", "");
    run.packed = memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT) % ALIGNMENT;
    skin_walk(&run, &w);
    free(memory);
    return SKL_OK;
}
