/* SPDX-License-Identifier: MIT */
/* Blocks of the skinning kernels. "Rows" work on one pose, "lanes" on as many poses as a wide number has lanes. */
#pragma once

#include <stdint.h>

/* Skinning matrices of `count` joints `step` bytes apart, packed for skin_rows or skin_lanes. */
typedef struct skl_pack_block {
    const char *matrices;
    int64_t item, step; /* bytes from one pose, one joint to the next */
    int64_t count;
    int32_t poses; /* for skin_lanes: poses in use, at most `lanes` */
    void *packed;
} skl_pack_block;

/* What a vertex has that moves. */
enum { SKL_POINTS, SKL_NORMALS, SKL_TANGENTS, SKL_STREAMS };

/* Vectors of a block, one per vertex; `in` is NULL where there are none. */
typedef struct skl_skin_stream {
    const char *in;
    int64_t item, step; /* bytes from one pose (0: all have the same), one vertex to the next */
    void *out;          /* lanes: staged as [vertex][size][lanes] */
    int64_t out_step;   /* rows only */
    int32_t size;       /* numbers: 3, or 4, of which the last is passed on */
} skl_skin_stream;

/* Most vertices of a group. */
enum { SKL_GROUP_VERTICES = 64 };

/* Vertices with the same number of influences, `order[i]` counted from the beginning of each stream. */
typedef struct skl_skin_group {
    int32_t influences;
    int32_t count;
    int32_t poses; /* in use, for lanes */
    const uint8_t *order;
    const uint16_t *joints;
    const uint16_t *pivots;
    const void *weights;
    const void *packed;    /* matrices; for dual quaternions [joint][8] or [joint][8][lanes] */
    const void *residuals; /* of dual quaternions: [joint][3][4] or [joint][9][lanes]; NULL: all are 0 */
    skl_skin_stream stream[SKL_STREAMS];
} skl_skin_group;

/* The same for dual quaternions as Blender blends them; `group` has points alone, and neither pivots nor residuals. See
 * skl_deform_dual_job. */
typedef struct skl_running_group {
    skl_skin_group group;
    const void *into, *back; /* rows of four numbers each, three count; NULL: the same space */
    const void *scales;      /* [joint][3][4], or NULL */
    int32_t blend_scales;
} skl_running_group;

/* Staged results of `count` vertices to `poses` poses. */
typedef struct skl_unstage_block {
    const void *staged;
    int64_t count;
    int32_t poses;
    int32_t size; /* numbers per vertex */
    char *out;
    int64_t out_item, out_step;
} skl_unstage_block;

/* Most lanes that a wide number has, and bytes of a cache line, of all instruction sets. */
enum { SKL_MAX_LANES = 16, SKL_LINE = 64 };

/* The way past the cache: whole lines only, so what is left of a line waits here for the block that comes next. */
typedef struct skl_stream {
    int32_t begins, ends; /* this is the first, the last block of a series whose outputs lie behind each other */
    char lines[SKL_MAX_LANES][2 * SKL_LINE + 4 * 8 * SKL_LINE]; /* of each pose; see unstage.inl */
} skl_stream;
