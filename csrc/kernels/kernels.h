/* SPDX-License-Identifier: MIT */
/* The kernel table: one entry per algorithm and precision, one table per instruction set.
 *
 * Kernels work on blocks that have been checked before. They allocate nothing, keep no state and report nothing.
 * Strides (`_item` from one pose to the next, `_step` from one joint or vertex to the next) are in bytes. */
#ifndef SKL_KERNELS_H
#define SKL_KERNELS_H

#include <stdint.h>

#include "transforms.h"
#include "two_bone.h"

/* `count` poses; matrices have rows of 4 contiguous numbers. */
typedef struct skl_fk_block {
    const int32_t *parents;
    int64_t num_joints;
    int64_t count;
    const char *local;
    int64_t local_item, local_step;
    char *out;
    int64_t out_item, out_step;
    int32_t out_rows;
} skl_fk_block;

/* As before from quaternions; `translations` are never NULL, `scales` may be. */
typedef struct skl_fk_trs_block {
    const int32_t *parents;
    int64_t num_joints;
    int64_t count;
    const char *rotations, *translations, *scales;
    int64_t rotations_item, rotations_step;
    int64_t translations_item, translations_step;
    int64_t scales_item, scales_step;
    char *out;
    int64_t out_item, out_step;
    int32_t out_rows;
} skl_fk_trs_block;

/* out[j] = left[j] @ right[j] of affine matrices; `right` is num_joints x 16 numbers, the same for every pose. */
typedef struct skl_multiply_block {
    int64_t num_joints;
    int64_t count;
    const char *left;
    int64_t left_item, left_step;
    const void *right;
    char *out;
    int64_t out_item, out_step;
    int32_t out_rows;
} skl_multiply_block;

/* `count` quaternions `step` bytes apart. */
typedef struct skl_quaternion_block {
    const char *rotations;
    int64_t step;
    int64_t count;
} skl_quaternion_block;

/* `count` matrices `step` bytes apart, to packed columns: 4 columns of 4 numbers (the fourth is 0) each. */
typedef struct skl_pack_block {
    const char *matrices;
    int64_t step;
    int64_t count;
    void *packed;
} skl_pack_block;

/* Vertices first .. first + count - 1 of one pose. `points` and `out` are those of vertex `first`. */
typedef struct skl_skin_block {
    const int64_t *offsets;
    const uint16_t *joints;
    const void *weights;
    int64_t first;
    int64_t count;
    const void *packed;
    const char *points;
    int64_t points_step;
    char *out;
    int64_t out_step;
} skl_skin_block;

/* The kernels for one precision. */
typedef struct skl_kernel_set {
    void (*forward_kinematics)(const skl_fk_block *block);
    void (*forward_kinematics_trs)(const skl_fk_trs_block *block);
    void (*multiply)(const skl_multiply_block *block);
    int64_t (*find_bad_quaternion)(const skl_quaternion_block *block); /* index of the first, or -1 */
    void (*pack_columns)(const skl_pack_block *block);
    /* The way back, with globals in `local`: the first parent without an inverse (pose * num_joints + joint, or -1). */
    int64_t (*find_singular_parent)(const skl_fk_block *block);
    void (*local_from_global)(const skl_fk_block *block);
    void (*skin_points)(const skl_skin_block *block);
    skl_map_fn *map[SKL_MAPS];
} skl_kernel_set;

/* The kernels of one instruction set; index `set` by skl_dtype. */
typedef struct skl_kernels {
    const char *isa;
    skl_kernel_set set[2];
    void (*two_bone_turns)(skl_two_bone_tile *tile);
    void (*two_bone_place)(skl_two_bone_tile *tile);
} skl_kernels;

extern const skl_kernels skl_kernels_scalar;
#ifdef SKL_HAVE_AVX2
extern const skl_kernels skl_kernels_avx2;
#endif

#endif
