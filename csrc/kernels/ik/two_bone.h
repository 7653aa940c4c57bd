/* SPDX-License-Identifier: MIT */
/* A tile of two-bone problems, one number of each problem beside the same number of the next.
 *
 * A row can be too hard for a plain tile: lengths whose squares leave the precision's range, no length at all, a limb
 * of which float loses digits, only a part of the solve wanted. Such rows say so (`hard`); csrc/core/ik/limb.h brings
 * them into a tile of doubles. */
#pragma once

/* A multiple of every instruction set's lanes; small enough to stay in the first cache. */
enum { SKL_TWO_BONE_TILE = 32 };

typedef float skl_two_bone_row_f32[SKL_TWO_BONE_TILE];
typedef double skl_two_bone_row_f64[SKL_TWO_BONE_TILE];
typedef skl_two_bone_row_f64 skl_two_bone_row;

/* The arrays of a job; a vector, quaternion or number per limb. */
enum {
    SKL_LIMB_A,
    SKL_LIMB_B,
    SKL_LIMB_C,
    SKL_LIMB_TARGET,
    SKL_LIMB_POLE,
    SKL_LIMB_POLE_DIRECTION,
    SKL_LIMB_BEND,
    SKL_LIMB_SOFTEN,
    SKL_LIMB_STRETCH,
    SKL_LIMB_START,
    SKL_LIMB_TWIST,
    SKL_LIMB_WEIGHT,
    SKL_LIMB_INPUTS,
    SKL_LIMB_OUT_B = SKL_LIMB_INPUTS,
    SKL_LIMB_OUT_C,
    SKL_LIMB_OUT_UPPER,
    SKL_LIMB_OUT_LOWER,
    SKL_LIMB_OUT_STATUS,
    SKL_LIMB_OUT_ERROR,
    SKL_LIMB_OUT_STRETCH,
    SKL_LIMB_OPERANDS
};

/* What two_bone_write says of a row: numbers of skl_ik_status. */
enum { SKL_LIMB_REACHED = 0, SKL_LIMB_TOO_FAR = 1, SKL_LIMB_TOO_CLOSE = 2 };

/* How the problems of a tile are to be solved. */
typedef struct skl_two_bone_how {
    int hinge;       /* the upper bone carries the bend plane */
    int has_pole;    /* `pole` is set */
    int has_bend;    /* `bend` is set */
    int has_soft;    /* `soft` is set: the distance to which softening lets the end go */
    int has_stretch; /* `stretch` and `start` are set */
    int has_twist;   /* `twist_cos` and `twist_sin`, of half the angle, are set */
    double straight; /* sine of a knee too straight to show its side */
    double reached;  /* miss that counts as reached, of the leg */
} skl_two_bone_how;

/* Given: directions of the bones, and lengths found by two_bone_lengths; the rows behind `count` up to a multiple of
 * the lanes may be any numbers. Found by two_bone_solve: total rotations, factor of both bones' lengths, distance from
 * the hip at which the end is aimed, knee and end relative to the hip. */
#define SKL_TWO_BONE_FIELDS(row)                                                                                       \
    int count;                                                                                                         \
    skl_two_bone_how how;                                                                                              \
    row u[3], v[3], w[3], d[3]; /* hip to knee, knee to ankle, hip to ankle, hip to target */                          \
    row pole[3], bend[3];       /* directions of any length */                                                         \
    row soft, stretch, start, twist_cos, twist_sin;                                                                    \
    row l1, l2, away; /* lengths of u, v, d */                                                                         \
    row turn[4], lower[4];                                                                                             \
    row factor, distance;                                                                                              \
    row knee_at[3], end_at[3];

typedef struct skl_two_bone_tile_f32 {
    SKL_TWO_BONE_FIELDS(skl_two_bone_row_f32)
    /* Of two_bone_read and two_bone_write. */
    skl_two_bone_row_f32 largest, status, hard;
} skl_two_bone_tile_f32;

typedef struct skl_two_bone_tile_f64 {
    SKL_TWO_BONE_FIELDS(skl_two_bone_row_f64)
    skl_two_bone_row_f64 largest, status, hard;
} skl_two_bone_tile_f64;
typedef skl_two_bone_tile_f64 skl_two_bone_tile;
