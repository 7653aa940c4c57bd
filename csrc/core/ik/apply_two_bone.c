/* SPDX-License-Identifier: MIT */
/* Two bones on poses. Each limb is solved in the frame of its upper joint's parent, where rotations of the two bones
 * are what they seem to be, however that parent is scaled, mirrored or sheared; then it is measured in the model. */
#include <math.h>

#include "careful_limb.h"
#include "limb_pose.h"
#include "core/base/copy_pose.h"
#include "core/base/parallel.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"

/* Joints to copy that are worth a thread's while. */
enum { ENOUGH_JOINTS = 16 * 1024 };

static skl_chain_limits limits_of(const skl_apply_two_bone_job *job, int64_t number) {
    skl_chain_limits found = {{NULL, NULL, NULL}, 0};
    for (int64_t n = 0; n < job->num_limits; n++)
        for (int k = 0; k < 3; k++)
            if (job->limits[n].joint == job->chains[3 * number + k]) {
                found.of[k] = &job->limits[n];
                found.any |= k < 2;
            }
    return found;
}

/* The rows that the closed form does not answer. They are solved at weight 1 first. */
static void correct_rows(const skl_limb_call *c, const skl_chain_limits *limits, const unsigned char *careful,
                         skl_limb_rows *rows, skl_limb_tile *tile, char *const *at, const int64_t *step) {
    for (int i = 0; i < rows->p.count; i++) {
        skl_limb_frame f;
        char *row[OPERANDS];
        if (!careful[i] || tile->bad[i]) continue;
        skl_limb_addresses(at, step, i, OPERANDS, row);
        skl_limb_frame_of(c, rows, i, row, &f);
        skl_limb_correct(tile, i, &f, limits);
        rows->corrected[i] = (unsigned char)f.corrected;
        rows->why[i] = (unsigned char)f.why;
    }
}

/* One chain in up to a tile of frames, `step` bytes apart. */
static void solve_chain(const skl_limb_call *c, int64_t number, skl_limb_tile *tile, skl_limb_rows *rows,
                        char *const *first, const int64_t *step, int count) {
    char *at[OPERANDS];
    unsigned char careful[SKL_TWO_BONE_TILE];
    const skl_chain_limits limits = limits_of(c->job, number);
    skl_limb_addresses(first, c->chain_step, number, OPERANDS, at);
    skl_limbs_read(c, number, at, step, count, rows, tile);
    for (int i = 0; i < count; i++) {
        careful[i] = rows->p.usable[i] > 0 && (limits.any || rows->p.scaled[i] > 0);
        if (careful[i]) tile->weight[i] = 1;
    }
    skl_limbs_solve(tile, count);
    correct_rows(c, &limits, careful, rows, tile, at, step);
    skl_limbs_write(c, number, limits.of[2], rows, tile, at, step);
    skl_limbs_report(c, number, rows, tile, at, step);
}

/* 1 if a later chain moves the end of an earlier one. */
static int chains_interfere(const skl_skeleton *skeleton, const int32_t *chains, int64_t count) {
    for (int64_t n = 0; n < count; n++)
        for (int64_t later = n + 1; later < count; later++) {
            int64_t above = chains[3 * n + 2];
            while (above > chains[3 * later]) above = skeleton->parents[above];
            if (above == chains[3 * later]) return 1;
        }
    return 0;
}

/* Status and error are those of what is returned, not of what a later chain has moved since. */
static void report_again(const skl_limb_call *c, skl_limb_tile *tile, skl_limb_rows *rows, char *const *first,
                         const int64_t *step, int count) {
    char *at[OPERANDS];
    for (int64_t n = 0; n + 1 < c->job->num_chains; n++) {
        skl_limb_addresses(first, c->chain_step, n, OPERANDS, at);
        skl_limbs_report_again(c, n, at, step, count, rows, tile);
    }
}

/* Each chain goes down the hierarchy. */
static skl_code check_chains(const skl_skeleton *skeleton, const int32_t *chains, int64_t count, skl_status *status) {
    for (int64_t n = 0; n < count; n++)
        for (int k = 0; k < 3; k++) {
            const int64_t joint = chains[3 * n + k];
            const char *rule = "it must be the index of a joint";
            int good = joint >= 0 && joint < skeleton->num_joints;
            if (good && k > 0) {
                rule = "each joint of a chain must be an ancestor of the next";
                int64_t above = skeleton->parents[joint];
                while (above > chains[3 * n + k - 1]) above = skeleton->parents[above];
                good = above == chains[3 * n + k - 1];
            }
            if (good) continue;
            skl_fail(status, SKL_BAD_VALUE, "chain", rule);
            skl_fail_index(status, n);
            skl_fail_index(status, k);
            return skl_fail_value(status, (double)joint);
        }
    return SKL_OK;
}

/* Take the dimension of the chains off an array. Only of an input it may be 1, or missing, for several chains. */
static skl_code without_chains(const skl_operand *o, int64_t chains, skl_array *out, int64_t *step,
                               skl_status *status) {
    const skl_array *array = o->array;
    const int last = array->ndim - 1;
    *out = *array;
    *step = 0;
    if (!array->data) return SKL_OK;
    if (last < 0 || last >= SKL_MAX_DIMS) /* too many are found later */
        return o->bytes && last < 0 && chains != 1
                   ? skl_fail(status, SKL_BAD_SHAPE, o->name, "its last leading dimension must be the number of chains")
                   : SKL_OK;
    if (array->shape[last] != chains && (o->bytes || array->shape[last] != 1))
        return skl_fail(status, SKL_BAD_SHAPE, o->name,
                        o->bytes ? "its last leading dimension must be the number of chains"
                                 : "its last leading dimension must be the number of chains, or 1");
    if (array->shape[last] != 1) *step = array->strides[last];
    out->ndim = last;
    out->step = *step;
    return SKL_OK;
}

/* Every goal has a direction. One that is not finite is its own limb's matter, as in a position. */
static skl_code check_goals(const skl_apply_two_bone_job *job, skl_status *status) {
    if (job->end_rotation != SKL_END_GOAL) return SKL_OK;
    const skl_array *goal = &job->goal;
    if (!goal->data) return skl_fail(status, SKL_BAD_VALUE, "end_rotation", "the goals are missing");
    int64_t items = 1;
    for (int d = 0; d < goal->ndim; d++) items *= goal->shape[d];
    for (int64_t i = 0; i < items && skl_goes_on(i); i++) {
        const char *at = skl_item_at(goal, i);
        double largest = 0;
        for (int k = 0; k < 4 && largest <= 0; k++) {
            const double size = fabs(skl_number(at, job->dtype, k));
            largest = size >= 0 ? size : 1; /* not a number */
        }
        if (largest > 0) continue;
        skl_fail(status, SKL_BAD_VALUE, "end_rotation", "a quaternion must not be zero");
        skl_fail_item_index(status, goal, i);
        for (int k = 0; k < 4; k++) skl_fail_value(status, 0);
        return SKL_BAD_VALUE;
    }
    return skl_done_after(items, status);
}

/* All but the arrays. */
static skl_code check_poses(skl_apply_two_bone_job *job) {
    const skl_pointer pointers[] = {{job->chains, "chains"}, {job->bends, "bends"}};
    skl_status *status = &job->status;
    skl_code code = skl_check_dtype(job->dtype, status);
    if (code == SKL_OK) code = skl_check_skeleton(job->skeleton, status);
    if (code == SKL_OK) code = SKL_CHECK_POINTERS(pointers, status);
    if (code == SKL_OK) code = skl_check_counted(job->chains, job->num_chains, "chains", status);
    if (code == SKL_OK) code = skl_check_counted(job->limits, job->num_limits, "limits", status);
    if (code == SKL_OK) code = skl_check_rows(job->local_rows, "local_rows", status);
    if (code == SKL_OK) code = skl_check_rows(job->out_rows, "out_rows", status);
    if (code == SKL_OK && (job->end_rotation < SKL_KEEP_GLOBAL || job->end_rotation > SKL_END_GOAL))
        code = skl_fail(status, SKL_BAD_VALUE, "end_rotation", "it must be one of skl_end_rotation");
    return code;
}

static skl_code begin(skl_limb_call *c, skl_apply_two_bone_job *job) {
    const skl_two_bone_options *o = &job->options;
    const int64_t number = skl_itemsize(job->dtype), chains = job->num_chains;
    skl_operand operands[OPERANDS] = {
        {&job->local, "local", 0, 0, 0},
        {&job->target, "target", 0, 0, 0},
        SKL_LIMB_OPTIONS(o),
        {&job->goal, "end_rotation", 1, 0, 0},
        {&job->hinge, "hinge", 1, 0, 0},
        {&job->out, "out", 0, job->skeleton->num_joints, 4 * job->out_rows * number},
        {&job->out_status, "out_status", 0, chains, 1},
        {&job->out_error, "out_error", 0, chains, number},
    };
    c->job = job;
    c->parents = job->skeleton->parents;
    for (int k = 0; k < OPERANDS; k++) {
        c->arrays[k] = *operands[k].array;
        c->chain_step[k] = 0;
        if (k == LOCAL || k == OUT) continue;
        const skl_code code = without_chains(&operands[k], chains, &c->arrays[k], &c->chain_step[k], &job->status);
        if (code != SKL_OK) return code;
        operands[k].array = &c->arrays[k];
    }
    const skl_code code = skl_check_operands(operands, OPERANDS, &c->batch, &job->status);
    if (code != SKL_OK) return code;
    if (o->pole.data && o->pole_direction.data)
        return skl_fail(&job->status, SKL_BAD_VALUE, "pole_direction", "give pole or pole_direction, not both");
    if (job->hinge.data && (o->pole.data || o->pole_direction.data))
        return skl_fail(&job->status, SKL_BAD_VALUE, "hinge", "give hinge, or pole or pole_direction, not both");
    return skl_check_options(o, job->dtype, &job->status);
}

/* What the threads share. */
typedef struct apply_work {
    const skl_limb_call *call;
    int interfere;
} apply_work;

/* A thread's piece; its tile is its own. */
static void apply_piece(void *context, const skl_walk *w, int worker) {
    const apply_work *work = context;
    const skl_limb_call *c = work->call;
    const skl_apply_two_bone_job *job = c->job;
    skl_limb_tile tile;
    skl_limb_rows rows;
    char *at[OPERANDS];
    const skl_pose_copy copy = {job->dtype,    job->skeleton->num_joints, job->local.step,
                                job->out.step, job->local_rows,           job->out_rows};
    skl_limbs_begin(&tile, job->dtype, &job->options, 1);
    if (job->hinge.data) tile.t.how.has_pole = 1; /* skl_limbs_read makes one of it */
    for (int64_t first = 0; first < w->run; first += SKL_TWO_BONE_TILE) {
        const int64_t left = w->run - first;
        const int count = left < SKL_TWO_BONE_TILE ? (int)left : SKL_TWO_BONE_TILE;
        skl_limb_addresses(w->at, w->step, first, OPERANDS, at);
        for (int i = 0; i < count; i++)
            skl_copy_pose(&copy, at[LOCAL] + i * w->step[LOCAL], at[OUT] + i * w->step[OUT]);
        for (int64_t n = 0; n < job->num_chains; n++) {
            if ((n > 0 || first > 0) && skl_worker_stopped(worker)) return;
            solve_chain(c, n, &tile, &rows, at, w->step, count);
        }
        if (work->interfere) report_again(c, &tile, &rows, at, w->step, count);
    }
}

skl_code skl_apply_two_bone_run(skl_apply_two_bone_job *job) {
    skl_limb_call c;
    job->status.code = SKL_OK;
    skl_code code = check_poses(job);
    if (code == SKL_OK) code = begin(&c, job);
    if (code == SKL_OK) code = check_goals(job, &job->status);
    if (code == SKL_OK) code = check_chains(job->skeleton, job->chains, job->num_chains, &job->status);
    if (code != SKL_OK) return code;
    apply_work work = {&c, chains_interfere(job->skeleton, job->chains, job->num_chains)};
    /* A limb costs some sixty times what copying a joint does. */
    const int64_t grain = skl_grain(ENOUGH_JOINTS, job->skeleton->num_joints + 60 * job->num_chains, SKL_TWO_BONE_TILE);
    return skl_walk_all(&c.batch, grain, apply_piece, &work, &job->status);
}
