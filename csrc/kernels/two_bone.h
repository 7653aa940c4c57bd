/* SPDX-License-Identifier: MIT */
/* A tile of two-bone problems, one number of each problem beside the same number of the next.
 *
 * Tiles hold double for both precisions: a knee that is nearly straight, or a bone much shorter than the other, loses
 * in float what the result needs. Lengths are divided by the problem's size before, so that squares stay in range. */
#ifndef SKL_KERNELS_TWO_BONE_H
#define SKL_KERNELS_TWO_BONE_H

/* A multiple of every instruction set's lanes; small enough to stay in the first cache. */
enum { SKL_TWO_BONE_TILE = 32 };

typedef double skl_two_bone_row[SKL_TWO_BONE_TILE];

typedef struct skl_two_bone_tile {
    /* Given. */
    int count;       /* problems in use; the rows behind them up to a multiple of the lanes must be finite */
    int hinge;       /* the upper bone carries the bend plane */
    int has_pole;    /* `pole` is set */
    int has_bend;    /* `bend` is set */
    int has_soft;    /* `soft` is set: the distance to which softening lets the end go */
    int has_stretch; /* `stretch` and `start` are set */
    int has_twist;   /* `twist_cos` and `twist_sin`, of half the angle, are set */
    double straight; /* sine of a knee too straight to tell its side */
    skl_two_bone_row u[3], v[3], d[3]; /* hip to knee, knee to ankle, hip to target */
    skl_two_bone_row pole[3], bend[3]; /* directions of any length, finite */
    skl_two_bone_row soft, stretch, start, twist_cos, twist_sin;
    /* Found by two_bone_turns. */
    skl_two_bone_row turn[4], knee[4]; /* total rotation of the upper bone, then of the knee on top of it */
    skl_two_bone_row factor;           /* of both bones' lengths */
    skl_two_bone_row distance;         /* from the hip, at which the end is aimed */
    skl_two_bone_row leg;              /* length of both bones */
    /* Found by two_bone_place from turn, knee and factor. */
    skl_two_bone_row lower[4];
    skl_two_bone_row knee_at[3], end_at[3]; /* relative to the hip */
} skl_two_bone_tile;

#endif
