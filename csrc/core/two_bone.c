/* SPDX-License-Identifier: MIT */
/* Two bones between positions: check, walk the batch in tiles, measure what came out. */
#include <math.h>

#include "limb.h"
#include "parallel_walk.h"
#include "status.h"
#include "view.h"

/* The operands of the walk, in this order. */
enum { A, B, C, TARGET, POLE, POLE_DIRECTION, BEND, SOFTEN, STRETCH, START, TWIST, WEIGHT, INPUTS };
enum { OUT_B = INPUTS, OUT_C, OUT_UPPER, OUT_LOWER, OUT_STATUS, OUT_ERROR, OUT_STRETCH, OPERANDS };

/* Limbs that are worth a thread's while, in whole tiles. */
enum { ENOUGH_LIMBS = 16 * SKL_TWO_BONE_TILE };

static double optional(const char *at, skl_dtype dtype, double otherwise) {
    return at ? skl_number(at, dtype, 0) : otherwise;
}

/* Read row i of a tile. Inlined for each precision, so that the choice is made outside of the loop. */
static inline void read_row(skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
    skl_limb limb;
    double sum = skl_vector(at[A], dtype, limb.a) + skl_vector(at[B], dtype, limb.b) +
                 skl_vector(at[C], dtype, limb.c) + skl_vector(at[TARGET], dtype, limb.target);
    if (at[POLE]) {
        sum += skl_vector(at[POLE], dtype, limb.pole);
        /* cppcheck-suppress uninitvar; skl_vector has set it */
        for (int k = 0; k < 3; k++) limb.pole[k] -= limb.a[k];
    }
    if (at[POLE_DIRECTION]) sum += skl_vector(at[POLE_DIRECTION], dtype, limb.pole);
    if (at[BEND]) sum += skl_vector(at[BEND], dtype, limb.bend);
    limb.soften = optional(at[SOFTEN], dtype, 0);
    limb.stretch = optional(at[STRETCH], dtype, 1);
    limb.stretch_start = optional(at[START], dtype, 1);
    limb.twist = optional(at[TWIST], dtype, 0);
    limb.weight = optional(at[WEIGHT], dtype, 1);
    skl_limbs_set(tile, i, &limb, sum >= 0 && sum <= 0);
}

/* Distance of the point that was written from the target. */
static double measure(const char *written, const double target[3], skl_dtype dtype) {
    double miss[3];
    for (int k = 0; k < 3; k++) miss[k] = skl_number(written, dtype, k) - target[k];
    return skl_length(miss);
}

static void write_quaternion(char *at, skl_dtype dtype, skl_two_bone_row *rows, int i) {
    for (int k = 0; k < 4; k++) skl_put(at, dtype, k, rows[k][i]);
}

/* A row whose input is no number: the limb stays, bit for bit. */
static void write_bad_row(char *const *at, skl_dtype dtype) {
    const double nan_value = (double)NAN;
    for (int k = 0; k < 3; k++) {
        skl_put(at[OUT_B], dtype, k, skl_number(at[B], dtype, k));
        skl_put(at[OUT_C], dtype, k, skl_number(at[C], dtype, k));
    }
    for (int k = 0; k < 4; k++) {
        skl_put(at[OUT_UPPER], dtype, k, k == 0);
        skl_put(at[OUT_LOWER], dtype, k, k == 0);
    }
    *(unsigned char *)at[OUT_STATUS] = SKL_BAD_INPUT;
    skl_put(at[OUT_ERROR], dtype, 0, nan_value);
    skl_put(at[OUT_STRETCH], dtype, 0, 1);
}

static inline void write_row(skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
    if (tile->bad[i]) {
        write_bad_row(at, dtype);
        return;
    }
    double points[12], *a = points, *b = points + 3, *c = points + 6, *target = points + 9;
    (void)skl_vector(at[A], dtype, a);
    (void)skl_vector(at[B], dtype, b);
    (void)skl_vector(at[C], dtype, c);
    (void)skl_vector(at[TARGET], dtype, target);
    const double size = tile->size[i];
    const int moves = !tile->has_weight || tile->weight[i] > 0;
    for (int k = 0; k < 3; k++) {
        skl_put(at[OUT_B], dtype, k, moves ? a[k] + tile->t.knee_at[k][i] * size : b[k]);
        skl_put(at[OUT_C], dtype, k, moves ? a[k] + tile->t.end_at[k][i] * size : c[k]);
    }
    write_quaternion(at[OUT_UPPER], dtype, tile->t.turn, i);
    write_quaternion(at[OUT_LOWER], dtype, tile->t.lower, i);
    const double error = measure(at[OUT_C], target, dtype);
    const double whole = tile->has_weight && tile->weight[i] < 1 ? skl_limb_whole_miss(tile, i) : error;
    *(unsigned char *)at[OUT_STATUS] = (unsigned char)skl_limb_status(tile, i, whole, points, 12);
    skl_put(at[OUT_ERROR], dtype, 0, error);
    skl_put(at[OUT_STRETCH], dtype, 0, tile->t.factor[i]);
}

static inline void solve_run(skl_limb_tile *tile, const skl_walk *w, skl_dtype dtype) {
    char *at[OPERANDS], *back[OPERANDS];
    for (int k = 0; k < OPERANDS; k++) at[k] = w->at[k];
    for (int64_t first = 0; first < w->run; first += SKL_TWO_BONE_TILE) {
        const int64_t left = w->run - first;
        const int count = left < SKL_TWO_BONE_TILE ? (int)left : SKL_TWO_BONE_TILE;
        for (int k = 0; k < OPERANDS; k++) back[k] = at[k];
        for (int i = 0; i < count; i++) {
            read_row(tile, i, at, dtype);
            for (int k = 0; k < INPUTS; k++)
                if (at[k]) at[k] += w->step[k];
        }
        skl_limbs_solve(tile, count);
        for (int i = 0; i < count; i++) {
            write_row(tile, i, back, dtype);
            for (int k = 0; k < OPERANDS; k++)
                if (back[k]) back[k] += w->step[k];
        }
        for (int k = INPUTS; k < OPERANDS; k++) at[k] = back[k];
    }
}

/* A thread's piece; its tile is its own. */
static void solve_piece(void *context, const skl_walk *piece, int worker) {
    const skl_solve_two_bone_job *job = context;
    skl_limb_tile tile;
    (void)worker;
    skl_limbs_begin(&tile, job->dtype, &job->options, job->options.bend.data != NULL);
    if (job->dtype == SKL_FLOAT32)
        solve_run(&tile, piece, SKL_FLOAT32);
    else
        solve_run(&tile, piece, SKL_FLOAT64);
}

skl_code skl_solve_two_bone_run(skl_solve_two_bone_job *job) {
    const skl_two_bone_options *o = &job->options;
    const skl_array *const arrays[OPERANDS] = {
        &job->a,          &job->b,     &job->c,         &job->target,      &o->pole,         &o->pole_direction,
        &o->bend,         &o->soften,  &o->stretch,     &o->stretch_start, &o->twist,        &o->weight,
        &job->out_b,      &job->out_c, &job->out_upper, &job->out_lower,   &job->out_status, &job->out_error,
        &job->out_stretch};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    skl_code code = skl_check_shapes(arrays, INPUTS, &job->out_b, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    for (int k = INPUTS; k < OPERANDS; k++)
        if (!skl_has_shape(arrays[k], shape, ndim))
            return skl_fail(&job->status, SKL_BAD_SHAPE, "out",
                            "the leading dimensions of all outputs must be the same");
    if (o->pole.data && o->pole_direction.data)
        return skl_fail(&job->status, SKL_BAD_VALUE, "pole_direction", "give pole or pole_direction, not both");
    code = skl_check_options(o, job->dtype, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, arrays, OPERANDS, shape, ndim);
    if (w.remaining > 0) skl_walk_parallel(&w, ENOUGH_LIMBS, skl_walk_workers(&w, ENOUGH_LIMBS), solve_piece, job);
    return SKL_OK;
}
