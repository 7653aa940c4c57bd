/* SPDX-License-Identifier: MIT */
#include "limb.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/dispatch.h"
#include "core/base/validate.h"
#include "core/transforms/turn.h"

/* Sine of a knee too straight to show its side, and the miss that counts as reached, of the leg. */
static const double STRAIGHT[2] = {1e-3, 1e-6}, REACHED[2] = {4e-6, 1e-12};

/* Between these bounds fourth powers neither overflow nor vanish. */
static const double TINY = 1e-60, HUGE_SIZE = 1e60;

static double largest_of(const double v[3]) { return skl_larger(fabs(v[0]), skl_larger(fabs(v[1]), fabs(v[2]))); }

/* The gap between a number of this size and the next one. */
static double spacing(double value, skl_dtype dtype) {
    int exponent;
    (void)frexp(value, &exponent);
    const int digits = dtype == SKL_FLOAT32 ? FLT_MANT_DIG : DBL_MANT_DIG;
    return value > 0 ? ldexp(1.0, exponent - digits) : 0.0;
}

int skl_limb_reached(skl_dtype dtype, double residual, double leg, double largest) {
    const double allowed = REACHED[skl_is_wide(dtype)] * leg;
    return residual <= allowed || residual <= allowed + 2 * spacing(largest, dtype);
}

skl_two_bone_how skl_limbs_how(skl_dtype dtype, const skl_two_bone_options *options, int has_bend) {
    return (skl_two_bone_how){.hinge = !options->minimal_roll,
                              .has_pole = options->pole.data || options->pole_direction.data,
                              .has_bend = has_bend,
                              .has_soft = options->soften.data != NULL,
                              .has_stretch = options->stretch.data != NULL,
                              .has_twist = options->twist.data != NULL,
                              .straight = STRAIGHT[skl_is_wide(dtype)],
                              .reached = REACHED[skl_is_wide(dtype)]};
}

void skl_limbs_begin(skl_limb_tile *tile, skl_dtype dtype, const skl_two_bone_options *options, int has_bend) {
    memset(&tile->t, 0, sizeof tile->t);
    tile->dtype = dtype;
    tile->has_weight = options->weight.data != NULL;
    tile->t.how = skl_limbs_how(dtype, options, has_bend);
}

/* What to divide by so that lengths near `largest` are harmless. */
static double harmless(double largest) {
    return (largest > TINY && largest < HUGE_SIZE) || !(largest > 1e-300) ? 1.0 : largest;
}

/* Put a vector into a column of the tile, divided by `size`. */
static void put_row(skl_two_bone_row *rows, int i, const double v[3], double size) {
    const int plain = size >= 1 && size <= 1;
    for (int k = 0; k < 3; k++) rows[k][i] = plain ? v[k] : v[k] / size;
}

static void put_direction(skl_two_bone_row *rows, int i, const double v[3]) {
    put_row(rows, i, v, harmless(largest_of(v)));
}

double skl_soft_distance(double distance, double reach, double soften) {
    const double zone = soften * reach, beyond = distance - (reach - zone);
    if (!(zone > 0)) return DBL_MAX; /* not the reach: the solve knows it to its own last digit */
    return beyond > 0 ? reach - zone - zone * expm1(-beyond / zone) : distance;
}

static double optional(const char *at, skl_dtype dtype, double otherwise) {
    return at ? skl_number(at, dtype, 0) : otherwise;
}

void skl_limb_read_options(char *const *at, skl_dtype dtype, skl_limb *limb) {
    limb->soften = optional(at[0], dtype, 0);
    limb->stretch = optional(at[1], dtype, 1);
    limb->stretch_start = optional(at[2], dtype, 1);
    limb->twist = optional(at[3], dtype, 0);
    limb->weight = optional(at[4], dtype, 1);
}

void skl_limbs_set_options(skl_limb_tile *tile, int i, const skl_limb *limb) {
    skl_two_bone_tile *t = &tile->t;
    if (t->how.has_soft) tile->soften[i] = limb->soften;
    if (t->how.has_stretch) {
        t->stretch[i] = limb->stretch;
        t->start[i] = limb->stretch_start;
    }
    if (t->how.has_twist) {
        t->twist_cos[i] = cos(0.5 * limb->twist);
        t->twist_sin[i] = sin(0.5 * limb->twist);
    }
    tile->weight[i] = limb->weight;
}

void skl_limbs_set(skl_limb_tile *tile, int i, const skl_limb *limb, int finite) {
    skl_two_bone_tile *t = &tile->t;
    double u[3], v[3], w[3], d[3];
    for (int k = 0; k < 3; k++) {
        u[k] = limb->b[k] - limb->a[k];
        v[k] = limb->c[k] - limb->b[k];
        w[k] = limb->c[k] - limb->a[k];
        d[k] = limb->target[k] - limb->a[k];
    }
    double size = skl_larger(largest_of(u), skl_larger(largest_of(v), largest_of(d)));
    tile->bad[i] = !finite || !(size <= DBL_MAX);
    if (tile->bad[i]) {
        for (int k = 0; k < 3; k++) u[k] = v[k] = w[k] = d[k] = 0;
        size = 0;
    }
    size = harmless(size);
    tile->size[i] = size;
    put_row(t->u, i, u, size);
    put_row(t->v, i, v, size);
    put_row(t->w, i, w, size);
    put_row(t->d, i, d, size);
    static const double zero[3] = {0, 0, 0};
    if (t->how.has_pole) put_direction(t->pole, i, tile->bad[i] ? zero : limb->pole);
    if (t->how.has_bend) put_direction(t->bend, i, tile->bad[i] ? zero : limb->bend);
    skl_limbs_set_options(tile, i, limb);
}

static void rotate(const double q[4], const double v[3], double out[3]) {
    const double x = 2 * (q[2] * v[2] - q[3] * v[1]), y = 2 * (q[3] * v[0] - q[1] * v[2]),
                 z = 2 * (q[1] * v[1] - q[2] * v[0]);
    out[0] = v[0] + q[0] * x + q[2] * z - q[3] * y;
    out[1] = v[1] + q[0] * y + q[3] * x - q[1] * z;
    out[2] = v[2] + q[0] * z + q[1] * y - q[2] * x;
}

static void take_row(const skl_two_bone_row *rows, int i, int count, double *out) {
    for (int k = 0; k < count; k++) out[k] = rows[k][i];
}

/* Only `amount` of the turns and of the growth that the solve found for row i. */
static void take_part(skl_two_bone_tile *t, int i, double amount) {
    double turn[4], lower[4], knee[4], u[3], v[3], knee_at[3], shin[3];
    take_row(t->turn, i, 4, turn);
    take_row(t->lower, i, 4, lower);
    take_row(t->u, i, 3, u);
    take_row(t->v, i, 3, v);
    const double back[4] = {turn[0], -turn[1], -turn[2], -turn[3]};
    skl_turn_after(lower, back, knee);
    skl_partial_turn(turn, amount);
    skl_partial_turn(knee, amount);
    skl_turn_after(knee, turn, lower);
    const double factor = 1 + (t->factor[i] - 1) * amount, sign = lower[0] < 0 ? -1 : 1;
    rotate(turn, u, knee_at);
    rotate(lower, v, shin);
    t->factor[i] = factor;
    for (int k = 0; k < 4; k++) {
        t->turn[k][i] = turn[k];
        t->lower[k][i] = sign * lower[k]; /* as the kernel gives them: w is not negative */
    }
    for (int k = 0; k < 3; k++) {
        t->knee_at[k][i] = factor * knee_at[k];
        t->end_at[k][i] = factor * (knee_at[k] + shin[k]);
    }
}

void skl_limbs_solve(skl_limb_tile *tile, int count) {
    skl_two_bone_tile *t = &tile->t;
    const skl_kernel_set *kernels = skl_kernels_for(SKL_FLOAT64);
    t->count = count;
    kernels->two_bone_lengths(t);
    for (int i = 0; t->how.has_soft && i < count; i++)
        t->soft[i] = skl_soft_distance(t->away[i], t->l1[i] + t->l2[i], tile->soften[i]);
    kernels->two_bone_solve(t);
    if (!tile->has_weight) return;
    memcpy(tile->whole_at, t->end_at, sizeof tile->whole_at);
    for (int i = 0; i < count; i++)
        if (tile->weight[i] < 1) take_part(t, i, tile->weight[i]);
}

double skl_limb_whole_miss(const skl_limb_tile *tile, int i) {
    const skl_two_bone_row *end = tile->has_weight ? tile->whole_at : tile->t.end_at;
    double miss[3];
    for (int k = 0; k < 3; k++) miss[k] = (end[k][i] - tile->t.d[k][i]) * tile->size[i];
    return skl_length(miss);
}

skl_ik_status skl_limb_status(const skl_limb_tile *tile, int i, double residual, const double *points, int count) {
    const skl_two_bone_tile *t = &tile->t;
    if (tile->bad[i]) return SKL_BAD_INPUT;
    const double leg = (t->l1[i] + t->l2[i]) * tile->size[i];
    if (residual <= REACHED[skl_is_wide(tile->dtype)] * leg) return SKL_REACHED;
    double largest = 0;
    for (int k = 0; k < count; k++) largest = skl_larger(fabs(points[k]), largest);
    if (skl_limb_reached(tile->dtype, residual, leg, largest)) return SKL_REACHED;
    if (!(t->l1[i] > 0) || !(t->l2[i] > 0)) return SKL_DEGENERATE;
    return t->away[i] > t->distance[i] ? SKL_TOO_FAR : SKL_TOO_CLOSE;
}

skl_code skl_check_options(const skl_two_bone_options *o, skl_dtype dtype, skl_status *status) {
    const double most = DBL_MAX;
    const skl_bounds part = {0, 1, SKL_OPEN_ABOVE}, factor = {1, most, SKL_CLOSED}, share = {0, 1, SKL_OPEN_BELOW},
                     angle = {-most, most, SKL_CLOSED}, weight = {0, 1, SKL_CLOSED};
    if (skl_check_numbers(&o->soften, dtype, &part, "soften", "it must be at least 0 and less than 1", status) ||
        skl_check_numbers(&o->stretch, dtype, &factor, "stretch", "it must be at least 1 and finite", status) ||
        skl_check_numbers(&o->stretch_start, dtype, &share, "stretch_start", "it must be above 0 and at most 1",
                          status) ||
        skl_check_numbers(&o->twist, dtype, &angle, "twist", "it must be finite", status) ||
        skl_check_numbers(&o->weight, dtype, &weight, "weight", "it must be between 0 and 1", status))
        return status->code;
    return SKL_OK;
}
