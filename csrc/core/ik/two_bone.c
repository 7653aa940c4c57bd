/* SPDX-License-Identifier: MIT */
/* Two bones between positions: check, walk the batch in tiles, measure what came out. */
#include <math.h>
#include <string.h>

#include "limb.h"
#include "core/base/dispatch.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"

/* Limbs that are worth a thread's while, in whole tiles. */
enum { ENOUGH_LIMBS = 64 * SKL_TWO_BONE_TILE };

/* --- limbs that are hard: by themselves, in double ---------------------------------------------------------------- */

/* One limb of the job into row i of a tile of doubles; `at` are its addresses. */
static void read_row(skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
    skl_limb limb;
    double sum = skl_vector(at[SKL_LIMB_A], dtype, limb.a) + skl_vector(at[SKL_LIMB_B], dtype, limb.b) +
                 skl_vector(at[SKL_LIMB_C], dtype, limb.c) + skl_vector(at[SKL_LIMB_TARGET], dtype, limb.target);
    if (at[SKL_LIMB_POLE]) {
        sum += skl_vector(at[SKL_LIMB_POLE], dtype, limb.pole);
        /* cppcheck-suppress uninitvar; skl_vector has set it */
        for (int k = 0; k < 3; k++) limb.pole[k] -= limb.a[k];
    }
    if (at[SKL_LIMB_POLE_DIRECTION]) sum += skl_vector(at[SKL_LIMB_POLE_DIRECTION], dtype, limb.pole);
    if (at[SKL_LIMB_BEND]) sum += skl_vector(at[SKL_LIMB_BEND], dtype, limb.bend);
    skl_limb_read_options(at + SKL_LIMB_SOFTEN, dtype, &limb);
    skl_limbs_set(tile, i, &limb, sum >= 0 && sum <= 0);
}

/* Distance of the point that was written from the target. */
static double measure(const char *written, const double target[3], skl_dtype dtype) {
    double miss[3];
    for (int k = 0; k < 3; k++) miss[k] = skl_number(written, dtype, k) - target[k];
    return skl_length(miss);
}

static void write_quaternion(char *at, skl_dtype dtype, const skl_two_bone_row *rows, int i) {
    for (int k = 0; k < 4; k++) skl_put(at, dtype, k, rows[k][i]);
}

/* A row whose input is not finite: the limb stays, bit for bit. */
static void write_bad_row(char *const *at, skl_dtype dtype) {
    const double nan_value = (double)NAN;
    for (int k = 0; k < 3; k++) {
        skl_put(at[SKL_LIMB_OUT_B], dtype, k, skl_number(at[SKL_LIMB_B], dtype, k));
        skl_put(at[SKL_LIMB_OUT_C], dtype, k, skl_number(at[SKL_LIMB_C], dtype, k));
    }
    for (int k = 0; k < 4; k++) {
        skl_put(at[SKL_LIMB_OUT_UPPER], dtype, k, k == 0);
        skl_put(at[SKL_LIMB_OUT_LOWER], dtype, k, k == 0);
    }
    *(unsigned char *)at[SKL_LIMB_OUT_STATUS] = SKL_BAD_INPUT;
    skl_put(at[SKL_LIMB_OUT_ERROR], dtype, 0, nan_value);
    skl_put(at[SKL_LIMB_OUT_STRETCH], dtype, 0, 1);
}

/* Out of row i of the solved tile; status and error are measured on what is written. */
static void write_row(const skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
    if (tile->bad[i]) {
        write_bad_row(at, dtype);
        return;
    }
    double points[12], *a = points, *b = points + 3, *c = points + 6, *target = points + 9;
    (void)skl_vector(at[SKL_LIMB_A], dtype, a);
    (void)skl_vector(at[SKL_LIMB_B], dtype, b);
    (void)skl_vector(at[SKL_LIMB_C], dtype, c);
    (void)skl_vector(at[SKL_LIMB_TARGET], dtype, target);
    const double size = tile->size[i];
    const int moves = !tile->has_weight || tile->weight[i] > 0;
    for (int k = 0; k < 3; k++) {
        skl_put(at[SKL_LIMB_OUT_B], dtype, k, moves ? a[k] + tile->t.knee_at[k][i] * size : b[k]);
        skl_put(at[SKL_LIMB_OUT_C], dtype, k, moves ? a[k] + tile->t.end_at[k][i] * size : c[k]);
    }
    write_quaternion(at[SKL_LIMB_OUT_UPPER], dtype, tile->t.turn, i);
    write_quaternion(at[SKL_LIMB_OUT_LOWER], dtype, tile->t.lower, i);
    const double error = measure(at[SKL_LIMB_OUT_C], target, dtype);
    const double whole = tile->has_weight && tile->weight[i] < 1 ? skl_limb_whole_miss(tile, i) : error;
    *(unsigned char *)at[SKL_LIMB_OUT_STATUS] = (unsigned char)skl_limb_status(tile, i, whole, points, 12);
    skl_put(at[SKL_LIMB_OUT_ERROR], dtype, 0, error);
    skl_put(at[SKL_LIMB_OUT_STRETCH], dtype, 0, tile->t.factor[i]);
}

/* --- tiles -------------------------------------------------------------------------------------------------------- */

/* A worker's tiles, of both precisions. */
typedef struct tiles {
    union {
        skl_two_bone_tile_f32 f32;
        skl_two_bone_tile_f64 f64;
    } plain;
    skl_limb_tile hard;
    int hard_begun; /* most calls never need that tile */
    int hard_rows[SKL_TWO_BONE_TILE];
    int num_hard;
} tiles;

/* A row of the plain tile. */
#define ROW(field) ((dtype) == SKL_FLOAT32 ? (char *)t->plain.f32.field : (char *)t->plain.f64.field)

/* What takes functions of the C library: softening and the half angles of twist. */
static inline void finish_options(tiles *t, const skl_two_bone_options *options, int count, skl_dtype dtype) {
    for (int i = 0; options->soften.data && i < count; i++) {
        const double reach = skl_number(ROW(l1), dtype, i) + skl_number(ROW(l2), dtype, i);
        const double distance = skl_number(ROW(away), dtype, i), soften = skl_number(ROW(soft), dtype, i);
        skl_put(ROW(soft), dtype, i, skl_soft_distance(distance, reach, soften));
    }
    double angle = 0, c = 1, s = 0;
    for (int i = 0; options->twist.data && i < count; i++) {
        const double next = skl_number(ROW(twist_cos), dtype, i);
        if (next < angle || next > angle) { /* most often it is the same for all */
            c = cos(0.5 * next);
            s = sin(0.5 * next);
            angle = next;
        }
        skl_put(ROW(twist_cos), dtype, i, c);
        skl_put(ROW(twist_sin), dtype, i, s);
    }
}

static inline void write_status(const tiles *t, char *at, int64_t step, int count, skl_dtype dtype) {
    unsigned char codes[SKL_TWO_BONE_TILE];
    for (int i = 0; i < count; i++)
        codes[i] = (unsigned char)(dtype == SKL_FLOAT32 ? t->plain.f32.status[i] : (float)t->plain.f64.status[i]);
    if (step == 1)
        memcpy(at, codes, (size_t)count);
    else
        for (int i = 0; i < count; i++) at[i * step] = (char)codes[i];
}

/* One tile of limbs. All that is hard is read before anything is written. */
static inline void solve_tile(tiles *t, const skl_solve_two_bone_job *job, char *const *at, const int64_t *step,
                              int count, skl_dtype dtype) {
    const skl_kernel_set *kernels = skl_kernels_for(dtype);
    char *row[SKL_LIMB_OPERANDS];
    kernels->two_bone_read(&t->plain, at, step, count);
    finish_options(t, &job->options, count, dtype);
    kernels->two_bone_solve(&t->plain);
    t->num_hard = 0;
    double hard = 0;
    for (int i = 0; i < count; i++) hard += skl_number(ROW(hard), dtype, i);
    for (int i = 0; hard > 0 && i < count; i++)
        if (skl_number(ROW(hard), dtype, i) > 0) {
            if (!t->hard_begun) skl_limbs_begin(&t->hard, dtype, &job->options, job->options.bend.data != NULL);
            t->hard_begun = 1;
            skl_limb_addresses(at, step, i, SKL_LIMB_OPERANDS, row);
            read_row(&t->hard, t->num_hard, row, dtype);
            t->hard_rows[t->num_hard++] = i;
        }
    if (t->num_hard > 0) skl_limbs_solve(&t->hard, t->num_hard);
    kernels->two_bone_write(&t->plain, at, step);
    write_status(t, at[SKL_LIMB_OUT_STATUS], step[SKL_LIMB_OUT_STATUS], count, dtype);
    for (int n = 0; n < t->num_hard; n++) {
        skl_limb_addresses(at, step, t->hard_rows[n], SKL_LIMB_OPERANDS, row);
        write_row(&t->hard, n, row, dtype);
    }
}

/* A thread's piece; its tiles are its own. */
static void solve_piece(void *context, const skl_walk *w, int worker) {
    const skl_solve_two_bone_job *job = context;
    tiles t;
    char *at[SKL_LIMB_OPERANDS];
    (void)worker;
    const skl_two_bone_how how = skl_limbs_how(job->dtype, &job->options, job->options.bend.data != NULL);
    t.hard_begun = 0;
    if (job->dtype == SKL_FLOAT32)
        t.plain.f32.how = how;
    else
        t.plain.f64.how = how;
    for (int64_t first = 0; first < w->run; first += SKL_TWO_BONE_TILE) {
        const int64_t left = w->run - first;
        const int count = left < SKL_TWO_BONE_TILE ? (int)left : SKL_TWO_BONE_TILE;
        skl_limb_addresses(w->at, w->step, first, SKL_LIMB_OPERANDS, at);
        if (job->dtype == SKL_FLOAT32)
            solve_tile(&t, job, at, w->step, count, SKL_FLOAT32);
        else
            solve_tile(&t, job, at, w->step, count, SKL_FLOAT64);
    }
}

skl_code skl_solve_two_bone_run(skl_solve_two_bone_job *job) {
    const skl_two_bone_options *o = &job->options;
    const int64_t number = skl_itemsize(job->dtype);
    const skl_operand operands[SKL_LIMB_OPERANDS] = {{&job->a, "a", 0, 0, 0},
                                                     {&job->b, "b", 0, 0, 0},
                                                     {&job->c, "c", 0, 0, 0},
                                                     {&job->target, "target", 0, 0, 0},
                                                     SKL_LIMB_OPTIONS(o),
                                                     {&job->out_b, "out_b", 0, 1, 3 * number},
                                                     {&job->out_c, "out_c", 0, 1, 3 * number},
                                                     {&job->out_upper, "out_upper", 0, 1, 4 * number},
                                                     {&job->out_lower, "out_lower", 0, 1, 4 * number},
                                                     {&job->out_status, "out_status", 0, 1, 1},
                                                     {&job->out_error, "out_error", 0, 1, number},
                                                     {&job->out_stretch, "out_stretch", 0, 1, number}};
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_operands(operands, SKL_LIMB_OPERANDS, &batch, &job->status);
    if (code != SKL_OK) return code;
    if (o->pole.data && o->pole_direction.data)
        return skl_fail(&job->status, SKL_BAD_VALUE, "pole_direction", "give pole or pole_direction, not both");
    code = skl_check_options(o, job->dtype, &job->status);
    if (code != SKL_OK) return code;
    return skl_walk_all(&batch, ENOUGH_LIMBS, solve_piece, job, &job->status);
}
