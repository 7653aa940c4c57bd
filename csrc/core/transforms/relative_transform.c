/* SPDX-License-Identifier: MIT */
/* From one joint's frame to another's: products up to the lowest common ancestor, in tiles that stay in the cache. */
#include <string.h>

#include "joint_path.h"
#include "core/base/dispatch.h"
#include "core/base/map.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"

/* Poses of a tile, and those that are worth a thread's while. */
enum { TILE = 64, GRAIN = 16 * TILE };

/* Matrices of three rows of a tile, for either precision. */
typedef union tile_memory {
    float f32[TILE * 12];
    double f64[TILE * 12];
} tile_memory;

typedef struct scratch {
    tile_memory up[2], down[2], inverse;
} scratch;

/* `count` poses of a run. */
typedef struct tile {
    const skl_kernel_set *kernels;
    const skl_relative_transform_job *job;
    char *local, *out;
    int64_t local_item, out_item, count;
} tile;

static skl_map_operand in_scratch(const tile *t, tile_memory *memory) {
    const int64_t size = skl_itemsize(t->job->dtype);
    return (skl_map_operand){(char *)memory, 12 * size, 4 * size};
}

static skl_map_operand joint_of(const tile *t, int64_t joint) {
    return (skl_map_operand){t->local + joint * t->job->local.step, t->local_item, 4 * skl_itemsize(t->job->dtype)};
}

static void multiply(const tile *t, skl_map_operand left, skl_map_operand right, skl_map_operand out, int32_t rows) {
    const skl_map_block block = {.count = t->count, .out_rows = rows, .in = {left, right}, .out = {out}};
    (void)t->kernels->map[SKL_MAP_MULTIPLY](&block);
}

/* The matrices from `joint` to the frame of its ancestor, which is not `joint`: where they are, in the pose itself or
 * in `memory`. */
static skl_map_operand climb(const tile *t, int64_t joint, int64_t ancestor, tile_memory *memory) {
    const int32_t *parents = t->job->skeleton->parents;
    skl_map_operand product = joint_of(t, joint);
    int turn = 0;
    for (int64_t j = parents[joint]; j != ancestor; j = parents[j]) {
        const skl_map_operand longer = in_scratch(t, &memory[turn]);
        multiply(t, joint_of(t, j), product, longer, 3);
        product = longer;
        turn = !turn;
    }
    return product;
}

static void copy(const tile *t, skl_map_operand from) {
    static const float last32[4] = {0, 0, 0, 1};
    static const double last64[4] = {0, 0, 0, 1};
    const int single = t->job->dtype == SKL_FLOAT32;
    const size_t size = single ? sizeof last32 : sizeof last64;
    const void *last = single ? (const void *)last32 : (const void *)last64;
    for (int64_t i = 0; i < t->count; i++)
        for (int r = 0; r < t->job->out_rows; r++)
            memcpy(t->out + i * t->out_item + r * t->job->out.step,
                   r < 3 ? (const void *)(from.at + i * from.step + r * from.row) : last, size);
}

/* Rows of the identity that serve every pose. */
static void set_identity(const tile *t, tile_memory *memory) {
    for (int i = 0; i < 12; i++) skl_put((char *)memory, t->job->dtype, i, i % 5 == 0);
}

static void run_tile(const tile *t, int64_t ancestor, scratch *s) {
    const int64_t from = t->job->from_joint, to = t->job->to_joint;
    skl_map_operand up = in_scratch(t, &s->up[0]), down = in_scratch(t, &s->inverse);
    if (from != ancestor) up = climb(t, from, ancestor, s->up);
    if (to != ancestor) {
        const skl_map_operand whole = climb(t, to, ancestor, s->down);
        const skl_map_block block = {.count = t->count, .out_rows = 3, .in = {whole}, .out = {down}};
        (void)t->kernels->map[SKL_MAP_INVERT](&block);
    }
    if (from != ancestor && to != ancestor) {
        const skl_map_operand out = {t->out, t->out_item, t->job->out.step};
        multiply(t, down, up, out, t->job->out_rows);
    } else if (from == ancestor && to == ancestor) {
        set_identity(t, &s->up[0]);
        up.step = 0;
        copy(t, up);
    } else {
        copy(t, from == ancestor ? down : up);
    }
}

/* What the workers share. */
typedef struct pose_path {
    const skl_relative_transform_job *job;
    int64_t ancestor;
} pose_path;

static void run_piece(void *context, const skl_walk *w, int worker) {
    const pose_path *path = context;
    scratch memory;
    (void)worker;
    for (int64_t i = 0; i < w->run; i += TILE) {
        const tile t = {.kernels = skl_kernels_for(path->job->dtype),
                        .job = path->job,
                        .local = w->at[0] + i * w->step[0],
                        .out = w->at[1] + i * w->step[1],
                        .local_item = w->step[0],
                        .out_item = w->step[1],
                        .count = w->run - i < TILE ? w->run - i : TILE};
        run_tile(&t, path->ancestor, &memory);
    }
}

skl_code skl_relative_transform_run(skl_relative_transform_job *job) {
    const skl_operand operands[] = {{&job->local, "local", 0, 0, 0},
                                    {&job->out, "out", 0, job->out_rows, 4 * skl_itemsize(job->dtype)}};
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_skeleton(job->skeleton, &job->status);
    if (code == SKL_OK) code = skl_check_joint(job->skeleton, job->from_joint, "from_joint", &job->status);
    if (code == SKL_OK) code = skl_check_joint(job->skeleton, job->to_joint, "to_joint", &job->status);
    if (code == SKL_OK) code = skl_check_rows(job->out_rows, "out_rows", &job->status);
    if (code == SKL_OK) code = skl_check_operands(operands, 2, &batch, &job->status);
    if (code != SKL_OK) return code;
    const int64_t ancestor = skl_common_ancestor(job->skeleton->parents, job->from_joint, job->to_joint);
    const skl_joint_path down = {job->skeleton->parents, job->to_joint, ancestor};
    code = skl_check_path(&down, &job->local, job->dtype, &job->status);
    if (code != SKL_OK) return code;
    pose_path path = {job, ancestor};
    return skl_walk_all(&batch, GRAIN, run_piece, &path, &job->status);
}
