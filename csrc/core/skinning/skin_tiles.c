/* SPDX-License-Identifier: MIT */
/* Batches go through in tiles: as many poses as a wide number has lanes, their matrices packed side by side; single
 * poses go a vertex at a time. A tile or a single pose is a unit; its vertices are cut into chunks, so that threads
 * share one large pose as well as many small ones. */
#include "skin_tiles.h"

#include "dual_palette.h"
#include "core/base/aligned.h"
#include "core/base/dispatch.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"

enum {
    LARGEST_TILE = 1024 * 1024, /* above, rows need less of the cache than lanes gain */
    PIECES_OF_POSE = 4,
    ENOUGH_POINTS = 32 * 1024, /* to move, for a thread */
    POINTS_OF_JOINT = 2        /* packing the matrix of a joint costs what moving so many points does */
};

_Static_assert(SKL_WEIGHTS_BLOCK <= SKL_GROUP_VERTICES, "a group lies in a block");

/* What all poses of a call share. */
typedef struct skin_plan {
    const skl_skin_call *call;
    const skl_walk *walk;
    const skl_kernel_set *kernels;
    const void *weights;
    int64_t itemsize;
    int64_t in_tiles; /* poses of each run that go in tiles; the others follow one by one */
    int64_t units;    /* of each run */
    int64_t blocks;   /* of vertices */
    int64_t chunk;    /* blocks of a chunk */
    int64_t chunks;
    int stream[SKL_STREAMS]; /* past the cache */
    char *scratch;           /* of all workers */
    /* Places in the scratch of a worker. */
    int64_t packed, row_scratch, duals, residuals, staged[SKL_STREAMS], lines[SKL_STREAMS];
    int64_t scratch_bytes;
} skin_plan;

/* The scratch of a worker starts with the number of the unit whose matrices are there. */
typedef struct skin_scratch {
    int64_t unit;
    int has_residuals;
} skin_scratch;

/* Part of a unit: `poses` poses from `pose` on, vertex blocks first .. last - 1. */
typedef struct skin_part {
    const skl_walk *run;
    int64_t pose, poses;
    int64_t first, last;
    int in_tile; /* the poses are lanes */
    char *scratch;
} skin_part;

typedef void skin_kernel(const skl_skin_group *);

static int64_t block_size(const skl_weights *weights, int64_t block) {
    const int64_t rest = weights->num_vertices - block * SKL_WEIGHTS_BLOCK;
    return rest < SKL_WEIGHTS_BLOCK ? rest : SKL_WEIGHTS_BLOCK;
}

/* Hand the groups of a block to a kernel; `group` has what they share. */
static void skin_block(const skin_plan *plan, int64_t block, skin_kernel *kernel, skl_skin_group *group) {
    const skl_weights *weights = plan->call->weights;
    for (int64_t i = weights->block_groups[block]; i < weights->block_groups[block + 1]; i++) {
        const skl_weights_group *g = &weights->groups[i];
        group->influences = g->influences;
        group->count = g->count;
        group->order = weights->order + block * SKL_WEIGHTS_BLOCK + g->slot;
        group->joints = weights->joints + g->entry;
        group->pivots = weights->pivots + block * SKL_WEIGHTS_BLOCK + g->slot;
        group->weights = (const char *)plan->weights + g->entry * plan->itemsize;
        kernel(group);
    }
}

/* What the kernels have to know of a part, apart from its blocks. */
static void begin_group(const skin_plan *plan, const skin_part *part, skl_skin_group *group) {
    const skin_scratch *scratch = (const skin_scratch *)(const void *)part->scratch;
    const int dual = plan->call->method == SKL_DUAL_QUATERNION;
    group->poses = (int32_t)part->poses;
    group->packed = part->scratch + (dual ? plan->duals : plan->packed);
    group->residuals = dual && scratch->has_residuals ? part->scratch + plan->residuals : NULL;
    for (int k = 0; k < SKL_STREAMS; k++) {
        const skl_skin_part *stream = &plan->call->part[k];
        group->stream[k] = (skl_skin_stream){.item = part->run->step[SKL_SKIN_IN + k],
                                             .step = stream->in_step,
                                             .out_step = stream->out_step,
                                             .size = stream->size};
    }
}

static char *place(const skin_part *part, int operand, int64_t step, int64_t block) {
    return part->run->at[operand] + part->pose * part->run->step[operand] + block * SKL_WEIGHTS_BLOCK * step;
}

/* Staged vectors of a block to where they belong. */
static void unstage(const skin_plan *plan, const skin_part *part, int64_t block) {
    for (int k = 0; k < SKL_STREAMS; k++) {
        const skl_skin_part *to = &plan->call->part[k];
        if (!to->size) continue;
        const skl_unstage_block staged = {part->scratch + plan->staged[k],
                                          block_size(plan->call->weights, block),
                                          (int32_t)part->poses,
                                          to->size,
                                          place(part, SKL_SKIN_OUT + k, to->out_step, block),
                                          part->run->step[SKL_SKIN_OUT + k],
                                          to->out_step};
        if (plan->stream[k]) {
            skl_stream *lines = (skl_stream *)(void *)(part->scratch + plan->lines[k]);
            lines->begins = block == part->first;
            lines->ends = block == part->last - 1;
            plan->kernels->unstage_stream(&staged, lines);
        } else {
            plan->kernels->unstage(&staged);
        }
    }
}

static skin_kernel *choose_kernel(const skin_plan *plan, int in_tile) {
    const skl_skin_call *call = plan->call;
    const skl_kernel_set *kernels = plan->kernels;
    if (call->method == SKL_DUAL_QUATERNION) return in_tile ? kernels->dual_lanes : kernels->dual_rows;
    if (call->part[SKL_NORMALS].size || call->part[SKL_TANGENTS].size)
        return in_tile ? kernels->mesh_lanes : kernels->mesh_rows;
    return in_tile ? kernels->skin_lanes : kernels->skin_rows;
}

/* The vertices of a part: those of one pose go where they belong, those of a tile by way of the scratch. */
static void skin_blocks(const skin_plan *plan, const skin_part *part) {
    skin_kernel *const kernel = choose_kernel(plan, part->in_tile);
    skl_skin_group group;
    begin_group(plan, part, &group);
    for (int64_t b = part->first; b < part->last; b++) {
        for (int k = 0; k < SKL_STREAMS; k++) {
            skl_skin_stream *stream = &group.stream[k];
            if (!stream->size) continue;
            stream->in = place(part, SKL_SKIN_IN + k, stream->step, b);
            stream->out =
                part->in_tile ? part->scratch + plan->staged[k] : place(part, SKL_SKIN_OUT + k, stream->out_step, b);
        }
        skin_block(plan, b, kernel, &group);
        if (part->in_tile) unstage(plan, part, b);
    }
}

/* The matrices of a unit into the scratch; for dual quaternions split. */
static void fetch_palette(const skin_plan *plan, const skin_part *part) {
    const skl_palette *palette = &plan->call->palette;
    char *packed = part->scratch + plan->packed;
    if (part->in_tile)
        palette->lanes(palette->context, part->run, part->pose, part->poses, packed);
    else
        palette->rows(palette->context, part->run, part->pose, packed, part->scratch + plan->row_scratch);
    if (plan->call->method != SKL_DUAL_QUATERNION) return;
    const skl_dual_palette dual = {
        plan->call->dtype,           part->in_tile ? plan->kernels->lanes : 0, part->poses, packed,
        part->scratch + plan->duals, part->scratch + plan->residuals};
    skin_scratch *scratch = (skin_scratch *)(void *)part->scratch;
    scratch->has_residuals = skl_dual_palette_fill(&dual, plan->call->weights);
}

/* One chunk of one unit of a run; the matrices stay in the scratch for the next chunk. */
static void skin_chunk(const skin_plan *plan, const skl_walk *run, int64_t item, char *at) {
    skin_scratch *scratch = (skin_scratch *)(void *)at;
    const int64_t lanes = plan->kernels->lanes, unit = item / plan->chunks % plan->units;
    const int64_t tiles = (plan->in_tiles + lanes - 1) / lanes, first = item % plan->chunks * plan->chunk;
    skin_part part = {.run = run, .first = first, .last = first + plan->chunk, .in_tile = unit < tiles, .scratch = at};
    if (part.last > plan->blocks) part.last = plan->blocks;
    part.pose = part.in_tile ? unit * lanes : plan->in_tiles + unit - tiles;
    part.poses = !part.in_tile ? 1 : plan->in_tiles - part.pose < lanes ? plan->in_tiles - part.pose : lanes;
    if (scratch->unit != item / plan->chunks) fetch_palette(plan, &part);
    scratch->unit = item / plan->chunks;
    skin_blocks(plan, &part);
}

/* Chunks begin .. end - 1, counted chunk by chunk, unit by unit, run by run. */
static void skin_items(void *context, int64_t begin, int64_t end, int worker) {
    const skin_plan *plan = context;
    char *scratch = plan->scratch + worker * plan->scratch_bytes;
    const int64_t of_run = plan->units * plan->chunks;
    skl_walk walk;
    skl_walk_seek(&walk, plan->walk, begin / of_run);
    for (int64_t item = begin; item < end; item++) {
        if (item > begin && item % of_run == 0) skl_walk_next(&walk);
        skin_chunk(plan, &walk, item, scratch);
    }
    if (plan->stream[SKL_POINTS] || plan->stream[SKL_NORMALS] || plan->stream[SKL_TANGENTS])
        plan->kernels->stream_done();
}

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Room for `bytes` more in the scratch of a worker: where it starts. */
static int64_t reserve(skin_plan *plan, int64_t bytes) {
    const int64_t at = plan->scratch_bytes;
    plan->scratch_bytes += divide_up(bytes, SKL_ALIGNMENT) * SKL_ALIGNMENT;
    return at;
}

static void plan_scratch(skin_plan *plan, int64_t tile_bytes) {
    const skl_skin_call *call = plan->call;
    const int64_t joints = call->weights->num_joints, lanes = plan->in_tiles ? plan->kernels->lanes : 1;
    const int64_t row_bytes = joints * 16 * plan->itemsize;
    plan->scratch_bytes = 0;
    reserve(plan, (int64_t)sizeof(skin_scratch));
    plan->packed = reserve(plan, plan->in_tiles && tile_bytes > row_bytes ? tile_bytes : row_bytes);
    plan->row_scratch = reserve(plan, call->palette.row_scratch);
    const int64_t of_number = call->method == SKL_DUAL_QUATERNION ? joints * lanes * plan->itemsize : 0;
    plan->duals = reserve(plan, of_number * SKL_DUAL_NUMBERS);
    plan->residuals = reserve(plan, of_number * SKL_RESIDUAL_NUMBERS);
    for (int k = 0; k < SKL_STREAMS; k++) {
        const int64_t numbers = plan->in_tiles ? call->part[k].size * lanes : 0;
        plan->staged[k] = reserve(plan, SKL_WEIGHTS_BLOCK * numbers * plan->itemsize);
        plan->lines[k] = reserve(plan, plan->stream[k] && numbers ? (int64_t)sizeof(skl_stream) : 0);
    }
}

/* Past the cache: only where there is much to write, and the vectors of a pose lie behind each other. */
static void plan_streams(skin_plan *plan) {
    const skl_skin_part *part = plan->call->part;
    int64_t bytes = 0;
    for (int k = 0; k < SKL_STREAMS; k++)
        bytes +=
            plan->call->weights->num_vertices * part[k].size * plan->itemsize * plan->walk->run * plan->walk->remaining;
    for (int k = 0; k < SKL_STREAMS; k++)
        plan->stream[k] =
            part[k].size && bytes >= SKL_STREAM_BYTES && part[k].out_step == part[k].size * plan->itemsize;
}

static void make_plan(skin_plan *plan, const skl_skin_call *call, const skl_walk *w) {
    const skl_weights *weights = call->weights;
    const skl_kernel_set *kernels = skl_kernels_for(call->dtype);
    const int64_t lanes = kernels->lanes, itemsize = skl_itemsize(call->dtype), rest = w->run % lanes;
    const int64_t tile_bytes = weights->num_joints * 12 * lanes * itemsize;
    const int tiles = lanes > 1 && 2 * w->run > lanes && tile_bytes <= LARGEST_TILE;
    const int64_t at_once = tiles ? lanes : 1, least = 4 * POINTS_OF_JOINT * weights->num_joints;
    /* One large pose is cut finer, so that threads end together. */
    const int cut = !tiles && weights->num_vertices > ENOUGH_POINTS;
    const int64_t most = ENOUGH_POINTS / (cut ? PIECES_OF_POSE : at_once);
    plan->call = call;
    plan->walk = w;
    plan->kernels = kernels;
    plan->weights = call->dtype == SKL_FLOAT32 ? (const void *)weights->weights_f32 : weights->weights_f64;
    plan->itemsize = itemsize;
    /* A tile of which most lanes would be idle is slower than its poses one by one. */
    plan->in_tiles = !tiles ? 0 : 2 * rest > lanes ? w->run : w->run - rest;
    plan->units = divide_up(plan->in_tiles, lanes) + w->run - plan->in_tiles;
    plan->blocks = divide_up(weights->num_vertices, SKL_WEIGHTS_BLOCK);
    plan->chunk = divide_up(most > least ? most : least, SKL_WEIGHTS_BLOCK);
    plan->chunks = divide_up(plan->blocks, plan->chunk);
    plan_streams(plan);
    plan_scratch(plan, tile_bytes);
}

static int run_plan(skin_plan *plan, int64_t items, int64_t grain, int workers, char *scratch) {
    plan->scratch = scratch;
    for (int i = 0; i < workers; i++) ((skin_scratch *)(void *)(plan->scratch + i * plan->scratch_bytes))->unit = -1;
    return skl_parallel_for(items, grain, workers, skin_items, plan);
}

skl_code skl_check_skin(const skl_weights *weights, skl_dtype dtype, skl_skin_method method, skl_status *status) {
    skl_code code = skl_check_weights(weights, "weights", status);
    if (code == SKL_OK) code = skl_check_dtype(dtype, status);
    if (code == SKL_OK && method != SKL_LINEAR && method != SKL_DUAL_QUATERNION)
        code = skl_fail(status, SKL_BAD_VALUE, "method", "it must be SKL_LINEAR or SKL_DUAL_QUATERNION");
    return code;
}

static int is_empty(const skl_skin_call *call) {
    int64_t size = 0;
    for (int k = 0; k < SKL_STREAMS; k++) size += call->part[k].size;
    return !call->weights || call->weights->num_vertices == 0 || size == 0;
}

skl_code skl_skin_run(const skl_skin_call calls[SKL_SKIN_CALLS], const skl_walk *walk, const char *argument,
                      skl_status *status) {
    skin_plan plans[SKL_SKIN_CALLS];
    int64_t items[SKL_SKIN_CALLS], grain[SKL_SKIN_CALLS], bytes = 0;
    int workers[SKL_SKIN_CALLS];
    if (walk->remaining == 0) return SKL_OK;
    for (int i = 0; i < SKL_SKIN_CALLS; i++) {
        const skl_weights *weights = calls[i].weights;
        items[i] = 0;
        if (is_empty(&calls[i])) continue;
        skin_plan *plan = &plans[i];
        make_plan(plan, &calls[i], walk);
        items[i] = walk->remaining * plan->units * plan->chunks;
        const int64_t work = (weights->num_vertices + POINTS_OF_JOINT * weights->num_joints) *
                             (plan->in_tiles ? plan->kernels->lanes : 1);
        grain[i] = plan->chunks > 1 || work >= ENOUGH_POINTS ? 1 : divide_up(ENOUGH_POINTS, work);
        workers[i] = skl_parallel_workers(items[i], grain[i]);
        const int64_t wanted = workers[i] * plan->scratch_bytes;
        bytes = wanted > bytes ? wanted : bytes;
    }
    skl_scratch scratch;
    skl_scratch_init(&scratch, bytes);
    if (!scratch.at) return skl_fail(status, SKL_NO_MEMORY, argument, "");
    int cut = 0;
    for (int i = 0; i < SKL_SKIN_CALLS; i++)
        if (items[i]) cut |= run_plan(&plans[i], items[i], grain[i], workers[i], scratch.at);
    skl_scratch_free(&scratch);
    return skl_done_unless(cut, status);
}
