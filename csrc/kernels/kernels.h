/* SPDX-License-Identifier: MIT */
/* The kernel table: one entry per algorithm and precision, one table per instruction set.
 *
 * Kernels work on blocks that have been checked before. They allocate nothing, keep no state and report nothing.
 * Strides (`_item` from one pose to the next, `_step` from one joint or vertex to the next) are in bytes. */
#pragma once

#include <stdint.h>

#include "ik/fabrik.h"
#include "kinematics/kinematics.h"
#include "ik/limb_poses.h"
#include "planting/banded.h"
#include "skinning/skinning.h"
#include "transforms/transforms.h"
#include "ik/two_bone.h"

/* The kernels for one precision. */
typedef struct skl_kernel_set {
    int32_t lanes; /* poses side by side; 1: there is nothing to gain from it */
    void (*forward_kinematics)(const skl_fk_block *block);
    /* One tile of at most `lanes` whole poses into its scratch, as skinning matrices: global @ right. */
    void (*skinning_lanes)(const skl_fk_block *block, const void *right);
    void (*multiply)(const skl_pose_block *block);
    void (*rest_relative)(const skl_rest_relative_block *block);
    int64_t (*find_bad_quaternion)(const skl_quaternion_block *block); /* index of the first, or -1 */
    /* The way back: the first parent without an inverse (pose * num_joints + joint, or -1); locals. */
    int64_t (*find_singular_parent)(const skl_pose_block *block);
    void (*local_from_global)(const skl_pose_block *block);
    void (*pack_rows)(const skl_pack_block *block);  /* one pose: [joint][4 columns][4] */
    void (*pack_lanes)(const skl_pack_block *block); /* [joint][12][lanes] */
    void (*skin_rows)(const skl_skin_group *group);  /* linear, points alone */
    void (*skin_lanes)(const skl_skin_group *group);
    void (*mesh_rows)(const skl_skin_group *group); /* linear, any streams */
    void (*mesh_lanes)(const skl_skin_group *group);
    void (*dual_rows)(const skl_skin_group *group); /* dual quaternions, any streams */
    void (*dual_lanes)(const skl_skin_group *group);
    void (*running_rows)(const skl_running_group *group); /* dual quaternions, signs by the sum so far */
    void (*unstage)(const skl_unstage_block *block);
    void (*unstage_stream)(const skl_unstage_block *block, skl_stream *stream); /* of at most SKL_LINE vertices */
    /* Bytes past the cache. */
    void (*copy_past_cache)(char *to, const char *from, int64_t bytes);
    void (*stream_done)(void); /* after the last of these, before others may read */
    /* On a skl_two_bone_tile of this precision; operands and steps as SKL_LIMB_ numbers them. */
    void (*two_bone_read)(void *tile, char *const *at, const int64_t *step, int count);
    void (*two_bone_lengths)(void *tile);
    void (*two_bone_solve)(void *tile);
    void (*two_bone_write)(void *tile, char *const *at, const int64_t *step);
    /* Chains into columns; an iteration of the first `count`; columns out. */
    void (*fabrik_start)(skl_fabrik_tile *tile, int first, int last);
    void (*fabrik_pass)(skl_fabrik_tile *tile, int count);
    void (*fabrik_finish)(skl_fabrik_tile *tile, int count);
    skl_map_fn *map[SKL_MAPS];
} skl_kernel_set;

/* The kernels of one instruction set; index `set` by skl_dtype. */
typedef struct skl_kernels {
    const char *isa;
    skl_kernel_set set[2];
    skl_limb_pose_kernels limb_poses;
    skl_banded_kernels banded;
} skl_kernels;

/* Those that were compiled say so by SKL_HAVE_SSE2 and so on. */
extern const skl_kernels skl_kernels_scalar, skl_kernels_sse2, skl_kernels_avx2, skl_kernels_avx512, skl_kernels_neon;
