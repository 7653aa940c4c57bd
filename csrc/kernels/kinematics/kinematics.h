/* SPDX-License-Identifier: MIT */
/* What the kernels from pose to pose work on. */
#pragma once

#include <stdint.h>

/* Numbers of each joint of each pose; at NULL where left out. `item` bytes from pose to pose, `step` from joint to
 * joint; matrices have rows of 4 contiguous numbers. */
typedef struct skl_pose_view {
    char *at;
    int64_t item, step;
} skl_pose_view;

/* Which joints are evaluated, in which order, and which matrices are written. For a whole pose: a slot per joint, and
 * `joints`, `from` and `to` NULL. */
typedef struct skl_fk_plan {
    int64_t slots;
    const int32_t *parents; /* of each slot: an earlier slot, or -1 */
    const int32_t *joints;  /* of each slot: the joint that is evaluated; NULL: the joint of the slot's number */
    int64_t given;          /* the first slots, 0 or 1, are read from the output, matrix joints[slot] */
    int64_t stores;         /* matrices to write */
    const int32_t *from;    /* the slot of each, in any order; NULL: that of its number */
    const int32_t *to;      /* where each goes in the output; NULL: in order */
} skl_fk_plan;

/* Where a result may go past the cache, a matrix begins at the beginning of a line or this many bytes into it, as
 * memory from numpy's does. */
enum { SKL_ROW_BEHIND = 16 };

/* `count` poses from matrices (`local`), or where that is NULL from rotations, translations (never NULL) and scales.
 * `scratch`, at a cache line: with `tiles` 12 * LANES numbers per slot, and poses go LANES at a time;
 * else 12 per slot, or none for a whole pose. */
typedef struct skl_fk_block {
    const skl_fk_plan *plan;
    int64_t count;
    skl_pose_view local, rotations, translations, scales, out;
    int32_t out_rows;
    int32_t tiles;
    int32_t large;  /* of a large batch of whole poses; what follows says what that means */
    int32_t behind; /* past the cache: bytes between the beginning of a line and a matrix, 0 or SKL_ROW_BEHIND; or -1 */
    int32_t ahead;  /* poses are fetched before they are read */
    struct skl_stream *lines; /* past the cache, for matrices of three rows that lie behind each other; or NULL */
    void *scratch;
} skl_fk_block;

/* From globals in `in`: out = in @ right, or locals. `right` is num_joints x 16 numbers, the same for every pose. */
typedef struct skl_pose_block {
    const int32_t *parents;
    int64_t num_joints;
    int64_t count;
    skl_pose_view in, out;
    int32_t out_rows;
    const void *right;
} skl_pose_block;

/* `count` poses to absolute rotations and translations; `rest_global` is num_joints x 16 doubles. `scratch`: 7 * LANES
 * numbers per joint. */
typedef struct skl_rest_relative_block {
    const int32_t *parents;
    int64_t num_joints;
    int64_t count;
    const double *rest_global;
    skl_pose_view rotations, out_rotations, out_translations;
    int32_t rest_axes;
    void *scratch;
} skl_rest_relative_block;

/* `count` quaternions `step` bytes apart. */
typedef struct skl_quaternion_block {
    const char *rotations;
    int64_t step;
    int64_t count;
} skl_quaternion_block;
