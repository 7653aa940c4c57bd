/* SPDX-License-Identifier: MIT */
/* The way from a joint up to one above it. */
#pragma once

#include "kernels/ik/limb_poses.h"
#include "skelkin/skeleton.h"

/* The lowest joint that is both of them or lies above them; -1 where there is none. */
int64_t skl_common_ancestor(const int32_t *parents, int64_t a, int64_t b);

/* Some joints of poses: those from `joint` on up to `ancestor` (-1: to the root), which is not one of them. */
typedef struct skl_joint_path {
    const int32_t *parents;
    int64_t joint, ancestor;
} skl_joint_path;

/* Every matrix on the way has an inverse in every pose of `local`; else it goes into `status` with its index, as
 * `local[pose, joint]`. What is not finite is no reason. */
skl_code skl_check_path(const skl_joint_path *path, const skl_array *local, skl_dtype dtype, skl_status *status);

/* From the joint's frame into that of the ancestor: the product of the matrices (16 numbers) of the pose at `pose`,
 * with `step` bytes between them; the identity where joint and ancestor are the same. In double. */
void skl_path_product(const skl_joint_path *path, const char *pose, int64_t step, skl_dtype dtype, double out[16]);

/* Up to SKL_TWO_BONE_TILE poses, `item` bytes apart. */
typedef struct skl_pose_tile {
    skl_dtype dtype;
    const char *at;
    int64_t item, step;
    int count;
} skl_pose_tile;

/* The same products, of all poses of a tile. */
void skl_path_rows(const skl_joint_path *path, const skl_pose_tile *tile, skl_affine_rows out);

/* 1 if the determinants of the linear parts of the first `count` matrices are finite and clearly not 0. */
int skl_rows_are_regular(const skl_affine_rows m, int count);
