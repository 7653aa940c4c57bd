/* SPDX-License-Identifier: MIT */
#include "limb_pose.h"

#include <math.h>
#include <string.h>

#include "hinge_side.h"
#include "core/base/dispatch.h"
#include "core/transforms/affine.h"
#include "core/transforms/joint_path.h"
#include "core/transforms/turn.h"

/* Unequal squares of scale, of the largest, that count as rounding. */
static const double UNEVEN[2] = {4e-6, 1e-12};

static void load_joint(const skl_limb_call *c, const char *pose, int64_t item, int count, int64_t joint,
                       skl_affine_rows out) {
    skl_dispatch()->limb_poses.load[skl_is_wide(c->job->dtype)](pose + joint * c->job->out.step, item, count, out);
}

/* out = local[a] ... local[joint], where `a` is the last ancestor before `stop`; the identity where there is none. */
static void carry_up(const skl_limb_call *c, const char *pose, int64_t item, int count, int64_t joint, int64_t stop,
                     skl_affine_rows out) {
    const skl_joint_path path = {c->parents, joint, stop};
    const skl_pose_tile tile = {c->job->dtype, pose, item, c->job->out.step, count};
    skl_path_rows(&path, &tile, out);
}

/* The chain's matrices in each frame. */
static void read_matrices(const skl_limb_call *c, const int32_t *chain, const char *pose, int64_t item, int count,
                          skl_limb_poses *p) {
    const skl_limb_pose_kernels *kernels = &skl_dispatch()->limb_poses;
    const int64_t stop = c->parents[chain[0]];
    skl_affine_rows knee, below;
    p->count = count;
    for (int k = 0; k < 3; k++) load_joint(c, pose, item, count, chain[k], p->local[k]);
    carry_up(c, pose, item, count, stop, -1, p->parent);
    carry_up(c, pose, item, count, c->parents[chain[1]], stop, p->above_knee);
    if (c->parents[chain[2]] == chain[1]) {
        kernels->multiply(p->above_knee, p->local[1], p->above_ankle, count);
        return;
    }
    kernels->multiply(p->above_knee, p->local[1], knee, count);
    carry_up(c, pose, item, count, c->parents[chain[2]], chain[1], below);
    kernels->multiply(knee, below, p->above_ankle, count);
}

/* Vectors of the frames into rows; what is not finite goes into `finite`. */
static void read_vectors(const char *at, int64_t step, int count, skl_dtype dtype, skl_two_bone_row *out,
                         double *finite) {
    double v[3];
    for (int i = 0; i < count; i++, at += step) {
        finite[i] += skl_vector(at, dtype, v);
        for (int k = 0; k < 3; k++) out[k][i] = v[k];
    }
}

static void take_vector(const skl_two_bone_row *rows, int i, double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = rows[k][i];
}

/* The limb inside; its options are left out. */
static void take_limb(const skl_limb_poses *p, int i, skl_limb *limb) {
    take_vector(p->a, i, limb->a);
    take_vector(p->b, i, limb->b);
    take_vector(p->c, i, limb->c);
    take_vector(p->aim, i, limb->target);
    take_vector(p->pole, i, limb->pole);
    take_vector(p->bend, i, limb->bend);
}

/* What is given beside the poses. */
static void read_numbers(const skl_limb_call *c, char *const *at, const int64_t *step, int count, skl_limb_rows *rows) {
    skl_limb_poses *p = &rows->p;
    const skl_dtype dtype = c->job->dtype;
    const int which = at[POLE] ? POLE : POLE_DIRECTION;
    memset(p->finite, 0, sizeof p->finite);
    memset(p->pole, 0, sizeof p->pole);
    memset(p->bend, 0, sizeof p->bend);
    p->pole_is_point = which == POLE;
    p->has_bend = at[BEND] != NULL;
    read_vectors(at[TARGET], step[TARGET], count, dtype, p->target, p->finite);
    if (at[which]) read_vectors(at[which], step[which], count, dtype, p->pole, p->finite);
    if (at[HINGE]) read_vectors(at[HINGE], step[HINGE], count, dtype, rows->hinge, p->finite);
    if (at[BEND]) read_vectors(at[BEND], step[BEND], count, dtype, p->bend, p->finite);
    for (int i = 0; at[GOAL] && i < count; i++)
        for (int k = 0; k < 4; k++) {
            const double q = skl_number(at[GOAL] + i * step[GOAL], dtype, k);
            p->finite[i] += q - q;
        }
}

/* Options of each frame, and the rows whose lengths the lanes leave alone. */
static void set_rows(const skl_limb_call *c, char *const *at, const int64_t *step, skl_limb_rows *rows,
                     skl_limb_tile *tile) {
    const skl_limb_poses *p = &rows->p;
    const int varies = at[SOFTEN] || at[STRETCH] || at[START] || at[TWIST] || at[WEIGHT];
    skl_limb limb;
    for (int i = 0; i < p->count; i++) {
        const int usable = p->usable[i] > 0;
        if (varies || i == 0) {
            char *row[OPERANDS];
            skl_limb_addresses(at, step, i, OPERANDS, row);
            skl_limb_read_options(row + SOFTEN, c->job->dtype, &limb);
        }
        if (p->plain[i] > 0) {
            tile->bad[i] = !usable;
            tile->size[i] = 1;
            skl_limbs_set_options(tile, i, &limb);
        } else {
            take_limb(p, i, &limb);
            skl_limbs_set(tile, i, &limb, usable);
        }
        rows->weight[i] = limb.weight;
        rows->corrected[i] = 0;
        rows->why[i] = p->singular[i] > 0 ? SKL_DEGENERATE : SKL_BAD_INPUT;
        rows->moves[i] = usable && !tile->bad[i] && limb.weight > 0;
    }
}

/* The poles that hinges are: the sides to which knees go. */
static void aim_hinges(skl_limb_rows *rows, skl_limb_tile *tile) {
    skl_limb_poses *p = &rows->p;
    for (int i = 0; i < p->count; i++) {
        double thigh[3], shin[3], line[3], own[3], axis[3], side[3];
        skl_m3 upper, axes;
        take_vector(rows->hinge, i, own);
        if (!(p->usable[i] > 0) || !skl_has_direction(own)) continue;
        for (int k = 0; k < 3; k++) {
            thigh[k] = p->b[k][i] - p->a[k][i];
            shin[k] = p->c[k][i] - p->b[k][i];
            line[k] = p->aim[k][i] - p->a[k][i];
        }
        for (int k = 0; k < 9; k++) upper[k] = p->local[0][4 * (k / 3) + k % 3][i];
        skl_joint_axes(upper, axes);
        skl_hinge_in_space(axes, own, axis);
        skl_hinge_side(thigh, shin, axis, line, side);
        for (int k = 0; k < 3; k++) p->pole[k][i] = tile->t.pole[k][i] = side[k];
    }
}

/* The orthogonal matrices that the lanes did not find. */
static void find_frames(skl_limb_poses *p) {
    const skl_affine_rows *above[2] = {&p->above_knee, &p->above_ankle};
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < p->count; i++) {
            skl_m3 m, frame;
            if (!(p->frame_missing[which][i] > 0)) continue;
            for (int k = 0; k < 9; k++) m[k] = (*above[which])[4 * (k / 3) + k % 3][i];
            skl_m3_orthogonal(m, frame);
            for (int k = 0; k < 9; k++) p->frame[which][k][i] = frame[k];
        }
}

void skl_limbs_read(const skl_limb_call *c, int64_t number, char *const *at, const int64_t *step, int count,
                    skl_limb_rows *rows, skl_limb_tile *tile) {
    skl_limb_poses *p = &rows->p;
    read_numbers(c, at, step, count, rows);
    read_matrices(c, c->job->chains + 3 * number, at[OUT], step[OUT], count, p);
    memcpy(p->rest_bend, c->job->bends + 3 * number, sizeof p->rest_bend);
    p->uneven = UNEVEN[skl_is_wide(c->job->dtype)];
    skl_dispatch()->limb_poses.inside(p, &tile->t);
    if (at[HINGE]) aim_hinges(rows, tile);
    set_rows(c, at, step, rows, tile);
    find_frames(p);
}

static void take_matrix(const skl_affine_rows m, int i, double out[16]) {
    for (int k = 0; k < 16; k++) out[k] = k < 12 ? m[k][i] : k == 15;
}

void skl_limb_frame_of(const skl_limb_call *c, const skl_limb_rows *rows, int i, char *const *at, skl_limb_frame *f) {
    const skl_limb_poses *p = &rows->p;
    double local[16], ankle[16];
    take_matrix(p->parent, i, f->parent);
    take_matrix(p->above_knee, i, f->above_knee);
    take_matrix(p->above_ankle, i, f->above_ankle);
    take_matrix(p->local[2], i, local);
    skl_affine_multiply(f->above_ankle, local, ankle);
    skl_affine_multiply(f->parent, ankle, f->ankle_global);
    for (int k = 0; k < 18; k++) f->axes[k / 9][k % 9] = p->local[k / 9][4 * (k % 9 / 3) + k % 3][i];
    take_limb(p, i, &f->limb);
    skl_limb_read_options(at + SOFTEN, c->job->dtype, &f->limb);
    take_vector(p->target, i, f->target);
    for (int k = 0; at[GOAL] && k < 4; k++) f->goal[k] = skl_number(at[GOAL], c->job->dtype, k);
    f->corrected = 0;
    f->why = (skl_ik_status)rows->why[i];
}

/* Distance of the end joint, as the poses have it now, from the target. */
static void measure_ends(const skl_limb_call *c, int64_t number, const char *pose, int64_t item, skl_limb_poses *p,
                         skl_two_bone_tile *tile) {
    const skl_limb_pose_kernels *kernels = &skl_dispatch()->limb_poses;
    const int32_t *chain = c->job->chains + 3 * number, stop = c->parents[chain[0]];
    skl_affine_rows local;
    memset(p->end, 0, sizeof p->end);
    for (int64_t j = chain[2]; j != stop; j = c->parents[j]) {
        load_joint(c, pose, item, p->count, j, local);
        kernels->carry_end(p, local);
    }
    kernels->carry_end(p, p->parent); /* a limb's own turns leave its parent where it is */
    kernels->miss(p, tile);
}

/* What a solve that ended with `status` is called, after measuring whether the pose reaches. */
static skl_ik_status measured_status(skl_ik_status status, int reached) {
    if (reached) return SKL_REACHED;
    return status == SKL_REACHED ? SKL_NOT_CONVERGED : status;
}

void skl_limbs_report(const skl_limb_call *c, int64_t number, skl_limb_rows *rows, skl_limb_tile *tile, char *const *at,
                      const int64_t *step) {
    const skl_dtype dtype = c->job->dtype;
    skl_limb_poses *p = &rows->p;
    measure_ends(c, number, at[OUT], step[OUT], p, &tile->t);
    for (int i = 0; i < p->count; i++) {
        const int usable = p->usable[i] > 0;
        skl_ik_status status = (skl_ik_status)rows->why[i];
        double error = (double)NAN;
        if (usable && !rows->corrected[i] && p->near[i] > 0 && p->plain[i] > 0 && !tile->has_weight)
            status = SKL_REACHED;
        else if (usable && !rows->corrected[i])
            status = skl_limb_status(tile, i, skl_limb_whole_miss(tile, i), NULL, 0);
        if (status != SKL_BAD_INPUT) {
            error = p->error[i];
            if (usable && !(rows->weight[i] < 1))
                status = measured_status(status, skl_limb_reached(dtype, error, p->leg[i], p->largest[i]));
        }
        *(unsigned char *)(at[OUT_STATUS] + i * step[OUT_STATUS]) = (unsigned char)status;
        skl_put(at[OUT_ERROR] + i * step[OUT_ERROR], dtype, 0, error);
    }
}

void skl_limbs_report_again(const skl_limb_call *c, int64_t number, char *const *at, const int64_t *step, int count,
                            skl_limb_rows *rows, skl_limb_tile *tile) {
    const skl_dtype dtype = c->job->dtype;
    const skl_limb_poses *p = &rows->p;
    skl_limbs_read(c, number, at, step, count, rows, tile);
    measure_ends(c, number, at[OUT], step[OUT], &rows->p, &tile->t);
    for (int i = 0; i < count; i++) {
        unsigned char *status = (unsigned char *)(at[OUT_STATUS] + i * step[OUT_STATUS]);
        if (*status == SKL_BAD_INPUT) continue;
        if (!(rows->weight[i] < 1))
            *status = (unsigned char)measured_status((skl_ik_status)*status,
                                                     skl_limb_reached(dtype, p->error[i], p->leg[i], p->largest[i]));
        skl_put(at[OUT_ERROR] + i * step[OUT_ERROR], dtype, 0, p->error[i]);
    }
}
