/* SPDX-License-Identifier: MIT */
/* Linear blending, bit for bit: every sum has the order that is written. The fourth numbers of rows are idle. */
#include "row_of_four.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "kernels/simd/inline.h"
#include "skelkin/blender_deform.h"

enum { VERTICES_OF_BLOCK = 8192 };

/* A matrix as its columns. */
typedef struct columns {
    r32_t x, y, z, t;
} columns;

static inline columns load_columns(const float *m) {
    return (columns){r32_load(m), r32_load(m + 4), r32_load(m + 8), r32_load(m + 12)};
}

/* A point: each of its numbers four times. */
typedef struct spread {
    r32_t x, y, z;
} spread;

/* ((x X + y Y) + z Z) + t */
static inline r32_t transform(columns m, spread p) {
    const r32_t plane = r32_add(r32_mul(p.x, m.x), r32_mul(p.y, m.y));
    return r32_add(r32_add(plane, r32_mul(p.z, m.z)), m.t);
}

SKL_INLINE spread spread_of(r32_t row) { return (spread){r32_splat(row, 0), r32_splat(row, 1), r32_splat(row, 2)}; }

/* Vertices first .. stop - 1 of one frame. */
static inline void deform_vertices(const skl_deform_linear_job *job, const float *matrices, int64_t first, int64_t stop,
                                   int moves, float *out) {
    const int64_t *offsets = job->offsets;
    const int32_t *indices = job->indices;
    const float *weights = job->weights, *totals = job->totals, *masks = job->masks, *point = job->points + 3 * first;
    static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const columns into = load_columns(moves ? job->into : identity), back = load_columns(moves ? job->back : identity);
    const r32_t minus = r32_set1(-1.0f);
    out += 3 * first;
    for (int64_t v = first; v < stop; v++, point += 3, out += 3) {
        const float mask = masks ? masks[v] : 1.0f, total = totals[v];
        r32_t at = w32_get_three(point);
        spread p = spread_of(at);
        if (mask < 0.0f || mask > 0.0f) {
            if (moves) {
                at = transform(into, p);
                p = spread_of(at);
            }
            if (total > SKL_DEFORM_LEAST) {
                const r32_t opposite = r32_mul(at, minus);
                r32_t sum = r32_zero();
                for (int64_t i = offsets[v]; i < offsets[v + 1]; i++) {
                    const r32_t moved = transform(load_columns(matrices + 16 * (int64_t)indices[i]), p);
                    sum = r32_add(sum, r32_mul(r32_set1(weights[i]), r32_add(moved, opposite)));
                }
                at = r32_add(at, r32_mul(sum, r32_set1(mask / total)));
            }
            if (moves) at = transform(back, spread_of(at));
        }
        r32_store3(out, at);
    }
}

/* Blocks begin .. end - 1, counted frame by frame. */
static void deform_blocks(void *context, int64_t begin, int64_t end, int worker) {
    const skl_deform_linear_job *job = context;
    const int64_t vertices = job->num_vertices, blocks = (vertices + VERTICES_OF_BLOCK - 1) / VERTICES_OF_BLOCK;
    (void)worker;
    for (int64_t item = begin; item < end; item++) {
        const int64_t frame = item / blocks, first = item % blocks * VERTICES_OF_BLOCK;
        const int64_t stop = first + VERTICES_OF_BLOCK < vertices ? first + VERTICES_OF_BLOCK : vertices;
        const float *matrices = job->matrices + 16 * job->num_matrices * frame;
        float *out = job->out + 3 * vertices * frame;
        if (job->into)
            deform_vertices(job, matrices, first, stop, 1, out);
        else
            deform_vertices(job, matrices, first, stop, 0, out);
    }
}

static skl_code check(skl_deform_linear_job *job) {
    const skl_pointer pointers[] = {{job->points, "points"},   {job->matrices, "matrices"}, {job->offsets, "offsets"},
                                    {job->indices, "indices"}, {job->weights, "weights"},   {job->totals, "totals"},
                                    {job->out, "out"}};
    skl_status *status = &job->status;
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    if (job->into && !job->back) return skl_fail(status, SKL_BAD_VALUE, "back", SKL_IS_MISSING);
    if (job->num_matrices < 1 && job->num_vertices > 0 && job->offsets[job->num_vertices] > 0)
        return skl_fail(status, SKL_BAD_VALUE, "num_matrices", "one is needed at least");
    return SKL_OK;
}

skl_code skl_deform_linear_run(skl_deform_linear_job *job) {
    job->status.code = SKL_OK;
    if (check(job) != SKL_OK) return job->status.code;
    const int64_t blocks = (job->num_vertices + VERTICES_OF_BLOCK - 1) / VERTICES_OF_BLOCK;
    const int64_t items = blocks * job->num_frames;
    (void)skl_parallel_for(items, 1, skl_parallel_workers(items, 1), deform_blocks, job);
    return skl_done(&job->status);
}
