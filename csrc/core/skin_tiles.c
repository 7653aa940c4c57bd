/* SPDX-License-Identifier: MIT */
/* Batches go through in tiles: as many poses as a wide number has lanes, their matrices packed side by side; single
 * poses go a vertex at a time. A tile or a single pose is a unit; its vertices are cut into chunks, so that threads
 * share one large pose as well as many small ones. */
#include "skin_tiles.h"

#include "aligned.h"
#include "dispatch.h"
#include "parallel.h"

enum {
    LARGEST_TILE = 1024 * 1024,      /* above, rows need less of the cache than lanes gain */
    STREAM_BYTES = 16 * 1024 * 1024, /* outputs above are not read again from the cache anyway */
    ENOUGH_POINTS = 32 * 1024,       /* to move, for a thread */
    POINTS_OF_JOINT = 2              /* packing the matrix of a joint costs what moving so many points does */
};

/* What all poses of a call share. */
typedef struct skin_plan {
    const skl_skin_call *call;
    const skl_walk *walk;
    const skl_kernel_set *kernels;
    const void *weights;
    int64_t itemsize;
    int64_t packed_bytes; /* matrices of a tile, or of one pose */
    int64_t in_tiles;     /* poses of each run that go in tiles; the others follow one by one */
    int64_t units;        /* of each run */
    int64_t blocks;       /* of vertices */
    int64_t chunk;        /* blocks of a chunk */
    int64_t chunks;
    int stream;
    char *scratch; /* of all workers */
    int64_t scratch_bytes;
} skin_plan;

/* The scratch of a worker: the number of the unit whose matrices are there, then these. */
typedef struct skin_scratch {
    int64_t unit;
    _Alignas(SKL_ALIGNMENT) char packed[SKL_ALIGNMENT];
} skin_scratch;

/* Part of a unit: `poses` poses from `pose` on, vertex blocks first .. last - 1. */
typedef struct skin_part {
    const skl_walk *run;
    int64_t pose, poses;
    int64_t first, last;
    const void *packed;
} skin_part;

static int64_t block_size(const skl_weights *weights, int64_t block) {
    const int64_t rest = weights->num_vertices - block * SKL_WEIGHTS_BLOCK;
    return rest < SKL_WEIGHTS_BLOCK ? rest : SKL_WEIGHTS_BLOCK;
}

/* Hand the groups of a block to a kernel; `group` has what they share. */
static void skin_block(const skin_plan *plan, int64_t block, void (*kernel)(const skl_skin_group *),
                       skl_skin_group *group) {
    const skl_weights *weights = plan->call->weights;
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

static char *place(const skin_part *part, int operand) {
    return part->run->at[operand] + part->pose * part->run->step[operand];
}

static void skin_one_pose(const skin_plan *plan, const skin_part *part) {
    const skl_skin_call *call = plan->call;
    skl_skin_group group = {.packed = part->packed, .points_step = call->points_step, .out_step = call->out_step};
    for (int64_t b = part->first; b < part->last; b++) {
        group.points = place(part, SKL_SKIN_POINTS) + b * SKL_WEIGHTS_BLOCK * call->points_step;
        group.out = place(part, SKL_SKIN_OUT) + b * SKL_WEIGHTS_BLOCK * call->out_step;
        skin_block(plan, b, plan->kernels->skin_rows, &group);
    }
}

static void skin_tile(const skin_plan *plan, const skin_part *part) {
    const skl_skin_call *call = plan->call;
    _Alignas(SKL_ALIGNMENT) double staged[SKL_WEIGHTS_BLOCK * 3 * SKL_MAX_LANES / 2];
    _Alignas(SKL_ALIGNMENT) skl_stream stream;
    skl_skin_group group = {.packed = part->packed,
                            .points_item = part->run->step[SKL_SKIN_POINTS],
                            .points_step = call->points_step,
                            .poses = (int32_t)part->poses,
                            .out = staged};
    for (int64_t b = part->first; b < part->last; b++) {
        group.points = place(part, SKL_SKIN_POINTS) + b * SKL_WEIGHTS_BLOCK * call->points_step;
        skin_block(plan, b, plan->kernels->skin_lanes, &group);
        const skl_unstage_block unstage = {staged,
                                           block_size(call->weights, b),
                                           (int32_t)part->poses,
                                           place(part, SKL_SKIN_OUT) + b * SKL_WEIGHTS_BLOCK * call->out_step,
                                           part->run->step[SKL_SKIN_OUT],
                                           call->out_step};
        if (plan->stream) {
            stream.begins = b == part->first;
            stream.ends = b == part->last - 1;
            plan->kernels->unstage_stream(&unstage, &stream);
        } else {
            plan->kernels->unstage(&unstage);
        }
    }
}

/* One chunk of one unit of a run; the matrices stay in the scratch for the next chunk. */
static void skin_chunk(const skin_plan *plan, const skl_walk *run, int64_t item, skin_scratch *scratch) {
    const skl_palette *palette = &plan->call->palette;
    const int64_t lanes = plan->kernels->lanes, unit = item / plan->chunks % plan->units;
    const int64_t tiles = (plan->in_tiles + lanes - 1) / lanes, first = item % plan->chunks * plan->chunk;
    const int in_tile = unit < tiles, fresh = scratch->unit != item / plan->chunks;
    skin_part part = {.run = run, .first = first, .last = first + plan->chunk, .packed = scratch->packed};
    if (part.last > plan->blocks) part.last = plan->blocks;
    part.pose = in_tile ? unit * lanes : plan->in_tiles + unit - tiles;
    part.poses = !in_tile ? 1 : plan->in_tiles - part.pose < lanes ? plan->in_tiles - part.pose : lanes;
    if (fresh && in_tile)
        palette->lanes(palette->context, run, part.pose, part.poses, scratch->packed);
    else if (fresh)
        palette->rows(palette->context, run, part.pose, scratch->packed, scratch->packed + plan->packed_bytes);
    scratch->unit = item / plan->chunks;
    if (in_tile)
        skin_tile(plan, &part);
    else
        skin_one_pose(plan, &part);
}

/* Chunks begin .. end - 1, counted chunk by chunk, unit by unit, run by run. */
static void skin_items(void *context, int64_t begin, int64_t end, int worker) {
    const skin_plan *plan = context;
    skin_scratch *scratch = (skin_scratch *)(void *)(plan->scratch + worker * plan->scratch_bytes);
    const int64_t of_run = plan->units * plan->chunks;
    skl_walk walk;
    skl_walk_seek(&walk, plan->walk, begin / of_run);
    for (int64_t item = begin; item < end; item++) {
        if (item > begin && item % of_run == 0) skl_walk_next(&walk);
        skin_chunk(plan, &walk, item, scratch);
    }
    if (plan->stream) plan->kernels->stream_done();
}

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

static void make_plan(skin_plan *plan, const skl_skin_call *call, const skl_walk *w) {
    const skl_weights *weights = call->weights;
    const skl_kernel_set *kernels = skl_kernels_for(call->dtype);
    const int64_t lanes = kernels->lanes, itemsize = skl_itemsize(call->dtype), rest = w->run % lanes;
    const int64_t tile_bytes = weights->num_joints * 12 * lanes * itemsize;
    const int tiles = lanes > 1 && 2 * w->run > lanes && tile_bytes <= LARGEST_TILE;
    /* A tile of which most lanes would be idle is slower than its poses one by one. */
    const int64_t in_tiles = !tiles ? 0 : 2 * rest > lanes ? w->run : w->run - rest;
    const int64_t row_bytes = weights->num_joints * 16 * itemsize;
    const int64_t most = ENOUGH_POINTS / (tiles ? lanes : 1), least = 4 * POINTS_OF_JOINT * weights->num_joints;
    const int64_t bytes = weights->num_vertices * 3 * itemsize * w->run * w->remaining;
    plan->call = call;
    plan->walk = w;
    plan->kernels = kernels;
    plan->weights = call->dtype == SKL_FLOAT32 ? (const void *)weights->weights_f32 : weights->weights_f64;
    plan->itemsize = itemsize;
    plan->in_tiles = in_tiles;
    plan->units = divide_up(in_tiles, lanes) + w->run - in_tiles;
    plan->packed_bytes = tiles && tile_bytes > row_bytes ? tile_bytes : row_bytes;
    plan->blocks = divide_up(weights->num_vertices, SKL_WEIGHTS_BLOCK);
    plan->chunk = divide_up(most > least ? most : least, SKL_WEIGHTS_BLOCK);
    plan->chunks = divide_up(plan->blocks, plan->chunk);
    /* Past the cache: only where there is much to write, and the points of a pose lie behind each other. */
    plan->stream = bytes >= STREAM_BYTES && call->out_step == 3 * itemsize;
    plan->scratch_bytes = (int64_t)sizeof(skin_scratch) +
                          divide_up(plan->packed_bytes + call->palette.row_scratch, SKL_ALIGNMENT) * SKL_ALIGNMENT;
}

int skl_skin_run(const skl_skin_call *call, const skl_walk *walk) {
    if (walk->remaining == 0 || call->weights->num_vertices == 0) return 1;
    skin_plan plan;
    make_plan(&plan, call, walk);
    const int64_t items = walk->remaining * plan.units * plan.chunks;
    const int64_t work = (call->weights->num_vertices + POINTS_OF_JOINT * call->weights->num_joints) *
                         (plan.in_tiles ? plan.kernels->lanes : 1);
    const int64_t grain = plan.chunks > 1 || work >= ENOUGH_POINTS ? 1 : divide_up(ENOUGH_POINTS, work);
    const int workers = skl_parallel_workers(items, grain);
    skl_scratch scratch;
    skl_scratch_init(&scratch, workers * plan.scratch_bytes);
    if (!scratch.at) return 0;
    plan.scratch = scratch.at;
    for (int i = 0; i < workers; i++) ((skin_scratch *)(void *)(plan.scratch + i * plan.scratch_bytes))->unit = -1;
    skl_parallel_for(items, grain, workers, skin_items, &plan);
    skl_scratch_free(&scratch);
    return 1;
}
