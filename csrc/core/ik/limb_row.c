/* SPDX-License-Identifier: MIT */
#include "limb_row.h"

#include <math.h>

void skl_limb_row_read(skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
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

void skl_limb_row_write(const skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype) {
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
