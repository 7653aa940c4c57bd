/* SPDX-License-Identifier: MIT */
/* What was solved for limbs, into the local matrices of their joints. */
#include <math.h>

#include "limb_pose.h"
#include "core/base/dispatch.h"
#include "core/limits/joint_limits.h"
#include "core/transforms/affine.h"
#include "core/transforms/turn.h"

/* The turn, in the model, that takes the end joint's axes to the goal. */
static void turn_to_goal(const skl_limb_frame *f, double weight, skl_m3 out) {
    skl_m3 axes, now, back, goal, turn;
    skl_affine_linear(f->ankle_global, axes);
    skl_m3_orthogonal(axes, now);
    if (skl_m3_determinant(now) < 0)
        for (int i = 0; i < 9; i++) now[i] = -now[i];
    double q[4], size = 0;
    for (int k = 0; k < 4; k++) size = skl_larger(size, fabs(f->goal[k]));
    double square = 0;
    for (int k = 0; k < 4; k++) square += f->goal[k] / size * (f->goal[k] / size);
    for (int k = 0; k < 4; k++) q[k] = f->goal[k] / size / sqrt(square);
    skl_m3_from_quaternion(q, goal);
    skl_m3_transpose(now, back);
    skl_m3_multiply(goal, back, turn);
    skl_m3_to_quaternion(turn, q);
    if (weight < 1) skl_partial_turn(q, weight);
    skl_m3_from_quaternion(q, out);
}

/* The end joint's own turn to its goal, in the frame of its parent; `whole` is the total rotation of the lower bone. */
static void turn_of_end(const skl_limb_frame *f, const skl_m3 whole, skl_m3 out) {
    skl_m3 axes, frame, back, undone, parent, turned, above, wanted, seen;
    skl_affine_linear(f->above_ankle, axes);
    skl_m3_orthogonal(axes, frame);
    skl_m3_transpose(whole, back);
    skl_m3_conjugate(frame, back, undone);
    skl_affine_linear(f->parent, parent);
    skl_m3_multiply(whole, axes, turned);
    skl_m3_multiply(parent, turned, above);
    skl_m3_orthogonal(above, frame);
    turn_to_goal(f, f->limb.weight, wanted);
    skl_m3_conjugate(frame, wanted, seen);
    skl_m3_multiply(seen, undone, out);
}

static void take_linear(const skl_affine_rows m, int i, skl_m3 out) {
    for (int k = 0; k < 9; k++) out[k] = m[4 * (k / 3) + k % 3][i];
}

/* The joint's axes turn, in the frame of its parent. */
static void turn_row(skl_affine_rows m, int i, const skl_m3 turn) {
    skl_m3 axes, turned;
    take_linear(m, i, axes);
    skl_m3_multiply(turn, axes, turned);
    for (int k = 0; k < 9; k++) m[4 * (k / 3) + k % 3][i] = turned[k];
}

/* The end joint of row i turns to its goal. */
static void turn_end(const skl_limb_call *c, skl_limb_rows *rows, skl_limb_tile *tile, int i, char *const *at) {
    skl_limb_frame f;
    skl_m3 whole, turn;
    double q[4];
    for (int k = 0; k < 4; k++) q[k] = tile->t.lower[k][i];
    skl_m3_from_quaternion(q, whole);
    skl_limb_frame_of(c, rows, i, at, &f);
    turn_of_end(&f, whole, turn);
    turn_row(rows->p.local[2], i, turn);
}

/* The end joint of row i turns into its limit, by the part that the weight is. */
static void limit_end(skl_limb_rows *rows, int i, const skl_joint_limit *limit, skl_dtype dtype) {
    double q[4];
    skl_m3 axes, turn;
    take_linear(rows->p.local[2], i, axes);
    if (!(skl_limit_turn(limit, axes, 1, dtype, turn) > 0)) return;
    if (rows->weight[i] < 1) {
        skl_m3_to_quaternion(turn, q);
        skl_partial_turn(q, rows->weight[i]);
        skl_m3_from_quaternion(q, turn);
    }
    turn_row(rows->p.local[2], i, turn);
}

/* Both bones of row i grow: the joints at their ends move along. */
static void grow(skl_limb_poses *p, const skl_two_bone_row *factor, int i) {
    const skl_affine_rows *above[2] = {&p->above_knee, &p->above_ankle};
    const skl_two_bone_row *from[2] = {p->a, p->b}, *to[2] = {p->b, p->c};
    for (int n = 0; n < 2; n++) {
        skl_m3 axes;
        double bone[3], shift[3];
        take_linear(*above[n], i, axes);
        for (int k = 0; k < 3; k++) bone[k] = (*factor)[i] * (to[n][k][i] - from[n][k][i]);
        (void)skl_m3_solve(axes, bone, shift);
        for (int k = 0; k < 3; k++) p->local[n + 1][4 * k + 3][i] += shift[k];
    }
}

/* The matrices of rows first .. first + count - 1 into the poses. */
static void store_joint(const skl_limb_call *c, int64_t joint, const skl_affine_rows m, char *pose, int64_t item,
                        int first, int count) {
    const skl_two_bone_row *from = (const skl_two_bone_row *)(const void *)(&m[0][0] + first);
    skl_dispatch()->limb_poses.store[skl_is_wide(c->job->dtype)](pose + joint * c->job->out.step + first * item, item,
                                                                 count, from);
}

void skl_limbs_write(const skl_limb_call *c, int64_t number, const skl_joint_limit *limit, skl_limb_rows *rows,
                     skl_limb_tile *tile, char *const *at, const int64_t *step) {
    const int32_t *chain = c->job->chains + 3 * number;
    const int goal = c->job->end_rotation == SKL_END_GOAL, keeps_local = c->job->end_rotation == SKL_KEEP_LOCAL;
    skl_limb_poses *p = &rows->p;
    skl_two_bone_row growth;
    int grows = 0;
    for (int i = 0; i < p->count; i++) {
        char *row[OPERANDS];
        growth[i] = tile->t.factor[i] - 1;
        grows |= growth[i] > 0;
        if (goal) skl_limb_addresses(at, step, i, OPERANDS, row);
        if (goal && rows->moves[i]) turn_end(c, rows, tile, i, row);
    }
    skl_dispatch()->limb_poses.turn(p, &tile->t, !keeps_local && !goal);
    const int joints = keeps_local && !grows && !limit ? 2 : 3;
    for (int i = 0; i < p->count; i++) {
        if (growth[i] > 0 && rows->moves[i]) grow(p, &growth, i);
        if (limit && rows->moves[i]) limit_end(rows, i, limit, c->job->dtype);
    }
    for (int i = 0; i < p->count; i++) {
        int end = i;
        while (end < p->count && rows->moves[end]) end++;
        for (int k = 0; end > i && k < joints; k++)
            store_joint(c, chain[k], p->local[k], at[OUT], step[OUT], i, end - i);
        i = end;
    }
}
