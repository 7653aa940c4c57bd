/* SPDX-License-Identifier: MIT */
/* A tile of limbs out of poses: matrices with one number of each frame beside the same number of the next.
 *
 * "Inside" means: seen from the parent of the upper joint. Everything is in double, whatever the poses are. */
#pragma once

#include <stdint.h>

#include "two_bone.h"

/* Rows 0 to 2 of an affine matrix per frame; a matrix of three by three. */
typedef skl_two_bone_row skl_affine_rows[12];
typedef skl_two_bone_row skl_m3_rows[9];

typedef struct skl_limb_poses {
    int count;
    /* Given. */
    skl_affine_rows local[3];    /* upper, lower and end joint; replaced by limb_poses_turn */
    skl_affine_rows parent;      /* global matrix of the upper joint's parent */
    skl_affine_rows above_knee;  /* inside matrix of the lower joint's parent */
    skl_affine_rows above_ankle; /* inside matrix of the end joint's parent */
    skl_two_bone_row target[3], pole[3], bend[3];
    skl_two_bone_row finite; /* 0 as long as the numbers that belong to a frame are finite */
    double rest_bend[3];     /* in the axes of the upper joint, where no bend is given */
    int pole_is_point, has_bend;
    double uneven; /* unequal squares of scale, of the largest, that count */
    /* Found by limb_poses_inside. */
    skl_two_bone_row a[3], b[3], c[3], aim[3]; /* inside: the three joints and the target */
    skl_two_bone_row leg, largest;             /* in the model: length of both bones, largest number */
    skl_two_bone_row usable;                   /* 1, or 0: not finite, or (singular 1) the parent has no inverse */
    skl_two_bone_row singular;
    skl_two_bone_row plain;  /* 1 where the tile's row is set; others are tiny or huge */
    skl_two_bone_row scaled; /* 1 where scale above the knee differs between the axes */
    skl_m3_rows frame[2];    /* orthogonal matrices nearest to above_knee and above_ankle */
    skl_two_bone_row frame_missing[2];
    /* Found by limb_poses_miss. */
    skl_two_bone_row end[3], error;
    skl_two_bone_row near; /* 1 where the solve and the pose reach the target but for the leg's part `reached` */
} skl_limb_poses;

typedef struct skl_limb_pose_kernels {
    /* The matrices of `count` poses, `item` bytes apart, by precision. */
    void (*load[2])(const char *at, int64_t item, int count, skl_affine_rows out);
    void (*carry[2])(const char *at, int64_t item, int count, skl_affine_rows m); /* m = the matrices @ m */
    void (*store[2])(char *at, int64_t item, int count, const skl_affine_rows m);
    /* out = left @ right; `out` may be neither. */
    void (*multiply)(const skl_affine_rows left, const skl_affine_rows right, skl_affine_rows out, int count);
    /* Points and directions inside, and the rows of the tile that are plain. */
    void (*inside)(skl_limb_poses *p, skl_two_bone_tile *tile);
    /* The local matrices after the turns of the tile; `turns_end`: the end joint turns back. */
    void (*turn)(skl_limb_poses *p, skl_two_bone_tile *tile, int turns_end);
    /* p->end = m @ p->end; and how far it is from the target. */
    void (*carry_end)(skl_limb_poses *p, const skl_affine_rows m);
    void (*miss)(skl_limb_poses *p, skl_two_bone_tile *tile);
} skl_limb_pose_kernels;
