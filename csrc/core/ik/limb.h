/* SPDX-License-Identifier: MIT */
/* Tiles of limbs: what solving positions and solving poses share around the kernels. */
#pragma once

#include "core/base/numbers.h"
#include "kernels/ik/two_bone.h"
#include "skelkin/skelkin.h"

/* One limb with everything that was said about it, in double. */
typedef struct skl_limb {
    double a[3], b[3], c[3], target[3];
    double pole[3]; /* direction */
    double bend[3];
    double soften, stretch, stretch_start, twist, weight;
} skl_limb;

/* A tile of limbs. `bad` rows hold harmless numbers. */
typedef struct skl_limb_tile {
    skl_two_bone_tile t;
    int has_weight;
    skl_dtype dtype;
    double size[SKL_TWO_BONE_TILE]; /* by which the row's lengths were divided: 1, but for huge or tiny limbs */
    double soften[SKL_TWO_BONE_TILE];
    double weight[SKL_TWO_BONE_TILE];
    unsigned char bad[SKL_TWO_BONE_TILE];
    skl_two_bone_row whole_at[3]; /* set by skl_limbs_solve: the end at weight 1, relative to the hip */
} skl_limb_tile;

/* The arrays of the options among the operands of a job. */
#define SKL_LIMB_OPTIONS(o)                                                                                            \
    {&(o)->pole, "pole", 1, 0, 0}, {&(o)->pole_direction, "pole_direction", 1, 0, 0}, {&(o)->bend, "bend", 1, 0, 0},   \
        {&(o)->soften, "soften", 1, 0, 0}, {&(o)->stretch, "stretch", 1, 0, 0},                                        \
        {&(o)->stretch_start, "stretch_start", 1, 0, 0}, {&(o)->twist, "twist", 1, 0, 0},                              \
        {&(o)->weight, "weight", 1, 0, 0}

/* Addresses of item i of `count` arrays, NULL where one is left out. */
static inline void skl_limb_addresses(char *const *first, const int64_t *step, int64_t i, int count, char **at) {
    for (int k = 0; k < count; k++) at[k] = first[k] ? first[k] + i * step[k] : NULL;
}

/* Softening, stretch, its start, twist and weight at `at`, in this order, or what is so where one is left out. */
void skl_limb_read_options(char *const *at, skl_dtype dtype, skl_limb *limb);

/* How these options are to be solved in this precision. */
skl_two_bone_how skl_limbs_how(skl_dtype dtype, const skl_two_bone_options *options, int has_bend);

/* The distance to which softening lets the end go: as it is up to (1 - s) of the reach, then ever slower, with a
 * continuous slope, and never beyond the reach. Without softening it is huge. */
double skl_soft_distance(double distance, double reach, double soften);

/* An empty tile for these options. */
void skl_limbs_begin(skl_limb_tile *tile, skl_dtype dtype, const skl_two_bone_options *options, int has_bend);

/* Set row i; `finite` says whether all numbers are. */
void skl_limbs_set(skl_limb_tile *tile, int i, const skl_limb *limb, int finite);

/* Only its options: softening, stretch, twist and weight. */
void skl_limbs_set_options(skl_limb_tile *tile, int i, const skl_limb *limb);

/* Solve rows 0 .. count - 1: t.turn, t.lower, t.factor, t.knee_at, t.end_at at the rows' weight; whole_at. */
void skl_limbs_solve(skl_limb_tile *tile, int count);

/* Distance of row i's end at weight 1 from its target, before anything is rounded. */
double skl_limb_whole_miss(const skl_limb_tile *tile, int i);

/* Status from a residual measured on a result; `points` (count of them) are the numbers that were rounded. */
skl_ik_status skl_limb_status(const skl_limb_tile *tile, int i, double residual, const double *points, int count);

/* 1 if `residual` counts as reached for a leg of this length. */
int skl_limb_reached(skl_dtype dtype, double residual, double leg, double largest);

/* The options' numbers are inside their bounds; else `status` names the first that is not. */
skl_code skl_check_options(const skl_two_bone_options *options, skl_dtype dtype, skl_status *status);
