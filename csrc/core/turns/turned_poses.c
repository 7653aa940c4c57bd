/* SPDX-License-Identifier: MIT */
#include "turned_poses.h"

#include "core/base/aligned.h"
#include "core/base/copy_pose.h"
#include "core/base/dispatch.h"
#include "core/base/numbers.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "core/transforms/joint_path.h"

/* Joints that are worth a thread's while; a turn costs about as much as this many that are copied. */
enum { ENOUGH_JOINTS = 16 * 1024, JOINTS_PER_TURN = 64 };

/* Operands of the walk: local, out, then the arrays. */
enum { LOCAL, OUT, FIRST_ARRAY };

skl_code skl_turn_check_weight(const skl_turned_poses *poses, const skl_array *weight, skl_status *status) {
    const skl_bounds bounds = {0, 1, SKL_CLOSED};
    return skl_check_numbers(weight, poses->dtype, &bounds, "weight", "it must lie within 0 .. 1", status);
}

skl_joint_path skl_turn_path(const skl_turned_poses *poses, int64_t joint, int64_t ancestor) {
    return (skl_joint_path){poses->skeleton->parents, joint, ancestor};
}

skl_code skl_turn_check(const skl_turn_walk *walk, skl_batch *batch, skl_status *status) {
    const skl_turned_poses *poses = walk->poses;
    skl_operand operands[FIRST_ARRAY + SKL_TURN_ARRAYS] = {{&poses->local, "local", 0, 0, 0}};
    status->code = SKL_OK;
    skl_code code = skl_check_dtype(poses->dtype, status);
    if (code == SKL_OK) code = skl_check_skeleton(poses->skeleton, status);
    if (code == SKL_OK) code = skl_check_counted(poses->limits, poses->num_limits, "limits", status);
    if (code == SKL_OK) code = skl_check_rows(poses->local_rows, "local_rows", status);
    if (code == SKL_OK) code = skl_check_rows(poses->out_rows, "out_rows", status);
    if (code != SKL_OK) return code;
    operands[OUT] = (skl_operand){&poses->out, "out", 0, poses->skeleton->num_joints,
                                  4 * poses->out_rows * skl_itemsize(poses->dtype)};
    for (int k = 0; k < walk->count; k++) operands[FIRST_ARRAY + k] = walk->arrays[k];
    code = skl_check_operands(operands, FIRST_ARRAY + walk->count, batch, status);
    for (int64_t n = 0; code == SKL_OK && n < poses->num_limits; n++)
        code = skl_check_joint(poses->skeleton, poses->limits[n].joint, "limits", status);
    return code;
}

static void column_of(const skl_affine_rows rows, int i, skl_m3 linear, double place[3]) {
    for (int k = 0; k < 9; k++) linear[k] = rows[4 * (k / 3) + k % 3][i];
    for (int k = 0; k < 3; k++) place[k] = rows[4 * k + 3][i];
}

/* Poses of up to so many bytes are turned beside their place, and go there past the cache. */
enum { STAGED_BYTES = 16 * 1024 };

/* What the workers share. */
typedef struct turn_work {
    const skl_turn_walk *walk;
    int64_t streams; /* bytes of a pose that goes past the cache; 0: none does */
    int checks;      /* whether matrices have inverses is checked, too */
    char unclear[SKL_MAX_THREADS];
} turn_work;

/* 1 if all matrices that need one have an inverse for sure. `parent`: the products above the joint. */
static int are_regular(const skl_turn_walk *walk, const skl_pose_tile *tile, const skl_affine_rows parent) {
    const int64_t above = walk->undone.parents[walk->joint];
    skl_affine_rows product;
    if (walk->undone.joint == walk->undone.ancestor) return 1;
    if (walk->undone.joint == above && walk->undone.ancestor < 0) return skl_rows_are_regular(parent, tile->count);
    skl_path_rows(&walk->undone, tile, product);
    return skl_rows_are_regular(product, tile->count);
}

/* Read all joints of a tile before one of its poses is written: `out` may be `local`. */
static int turn_tile(const turn_work *work, const skl_pose_copy *copy, const skl_walk *w, int64_t first, int count) {
    const skl_turn_walk *walk = work->walk;
    const int32_t *parents = walk->poses->skeleton->parents;
    const skl_joint_path own = {parents, walk->joint, parents[walk->joint]}, above = {parents, own.ancestor, -1};
    const skl_pose_tile tile = {walk->poses->dtype, w->at[LOCAL] + first * w->step[LOCAL], w->step[LOCAL],
                                walk->poses->local.step, count};
    const char *at[SKL_TURN_ARRAYS] = {0};
    const skl_kernel_set *kernels = skl_kernels_for(tile.dtype);
    skl_affine_rows joint, parent;
    _Alignas(64) char staged[STAGED_BYTES];
    skl_path_rows(&own, &tile, joint);
    skl_path_rows(&above, &tile, parent);
    for (int i = 0; i < count; i++) {
        const char *pose = tile.at + i * tile.item;
        char *place = w->at[OUT] + (first + i) * w->step[OUT], *out = work->streams ? staged : place;
        skl_joint_now now;
        column_of(joint, i, now.linear, now.place);
        column_of(parent, i, now.parent, now.parent_place);
        for (int k = 0; k < walk->count; k++)
            if (w->at[FIRST_ARRAY + k]) at[k] = w->at[FIRST_ARRAY + k] + (first + i) * w->step[FIRST_ARRAY + k];
        skl_copy_pose(copy, pose, out);
        walk->function(walk->context, pose, &now, at, out);
        if (work->streams) kernels->copy_past_cache(place, staged, work->streams);
    }
    return !work->checks || are_regular(walk, &tile, parent);
}

static void turn_piece(void *context, const skl_walk *w, int worker) {
    turn_work *work = context;
    const skl_turned_poses *p = work->walk->poses;
    const skl_pose_copy copy = {p->dtype,    p->skeleton->num_joints, p->local.step,
                                p->out.step, p->local_rows,           p->out_rows};
    for (int64_t i = 0; i < w->run; i += SKL_TWO_BONE_TILE) {
        const int64_t left = w->run - i;
        if (!turn_tile(work, &copy, w, i, left < SKL_TWO_BONE_TILE ? (int)left : SKL_TWO_BONE_TILE))
            work->unclear[worker] = 1;
    }
    if (work->streams) skl_kernels_for(p->dtype)->stream_done();
}

/* Bytes of a pose that lies in one piece, where all that are written are more than the caches hold; else 0. */
static int64_t bytes_past_cache(const skl_turned_poses *p, const skl_walk *w) {
    const int64_t matrix = 4 * p->out_rows * skl_itemsize(p->dtype), pose = p->skeleton->num_joints * matrix;
    const int in_place = p->local.data == p->out.data;
    return !in_place && p->out.step == matrix && pose <= STAGED_BYTES &&
                   pose * w->run * w->remaining >= SKL_STREAM_BYTES
               ? pose
               : 0;
}

skl_code skl_turn_all(const skl_turn_walk *walk, const skl_batch *batch, skl_status *status) {
    const skl_turned_poses *poses = walk->poses;
    turn_work work = {.walk = walk, .checks = poses->spoils_out};
    skl_walk w;
    if (!work.checks) {
        const skl_code code = skl_check_path(&walk->undone, &poses->local, poses->dtype, status);
        if (code != SKL_OK) return code;
    }
    skl_walk_begin(&w, batch);
    /* Without items in the result poses may have some: they are looked at. */
    if (w.remaining == 0)
        return work.checks ? skl_check_path(&walk->undone, &poses->local, poses->dtype, status) : SKL_OK;
    work.streams = bytes_past_cache(poses, &w);
    const int64_t cost = poses->skeleton->num_joints + JOINTS_PER_TURN * walk->turns;
    const int64_t grain = skl_grain(ENOUGH_JOINTS, cost, SKL_TWO_BONE_TILE);
    const int workers = skl_walk_workers(&w, grain);
    if (skl_walk_parallel(&w, grain, workers, turn_piece, &work)) return skl_done_unless(1, status);
    for (int i = 0; i < workers; i++)
        if (work.unclear[i]) return skl_check_path(&walk->undone, &poses->local, poses->dtype, status);
    return SKL_OK;
}

const skl_joint_limit *skl_turn_limit(const skl_turned_poses *poses, int64_t joint) {
    for (int64_t n = 0; n < poses->num_limits; n++)
        if (poses->limits[n].joint == joint) return &poses->limits[n];
    return NULL;
}

double skl_turn_weight(const skl_turned_poses *poses, const char *at) {
    return at ? skl_number(at, poses->dtype, 0) : 1;
}

void skl_turn_one(const skl_turned_poses *poses, int64_t joint, const skl_joint_now *now, const skl_joint_turn *by,
                  char *out) {
    skl_m3 linear;
    if (skl_joint_turned(now, by, linear)) skl_joint_write(poses, joint, linear, out);
}
