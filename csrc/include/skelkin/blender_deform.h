/* SPDX-License-Identifier: MIT */
/* What Blender's Armature modifier does with points: who moves them, and how. All arrays lie without gaps; indices have
 * been checked. */
#ifndef SKELKIN_BLENDER_DEFORM_H
#define SKELKIN_BLENDER_DEFORM_H

#include "skelkin/blender.h"
#include "skelkin/skinning.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A bone's envelope at rest, in armature space. */
typedef struct skl_envelope {
    float head[3], tail[3];
    float head_radius, tail_radius, distance, weight;
    int32_t multiply; /* weights of groups too */
    int32_t deforms;  /* else the bone moves nothing at all */
} skl_envelope;

/* Who moves each vertex: (bone, weight) pairs in the order in which Blender adds them up, and their sum. Groups of
 * vertex v are entries group_offsets[v] .. group_offsets[v + 1] - 1, as stored. Run once for the offsets alone, so that
 * there can be room for the rest. */
typedef struct skl_influences_job {
    int64_t num_vertices;         /* 0: nothing is done */
    int64_t num_bones;            /* 0: none */
    const float *points;          /* num_vertices x 3, in armature space */
    const int64_t *group_offsets; /* num_vertices + 1; NULL: no groups count */
    const int32_t *groups;
    const float *group_weights;
    const int32_t *bone_of_group; /* -1: none */
    const skl_envelope *envelopes;
    int32_t use_envelopes; /* where no group has a bone; 0: such vertices have no influence */
    int64_t *offsets;      /* num_vertices + 1 */
    int32_t *bones;        /* NULL: the offsets alone are found */
    float *weights;        /* one for each of `bones` */
    float *totals;         /* num_vertices; NULL: not wanted */
    skl_status status;
} skl_influences_job;
skl_code skl_influences_run(skl_influences_job *job);

/* Linear blending in float32, each operation in Blender's order: bits and all. A vertex whose mask is 0 is not touched;
 * one whose total is at most SKL_DEFORM_LEAST goes to armature space and back, as in Blender. */
typedef struct skl_deform_linear_job {
    int64_t num_frames;   /* 0: nothing is done */
    int64_t num_vertices; /* 0: nothing is done */
    int64_t num_matrices;
    const float *points;   /* num_vertices x 3, of the mesh */
    const float *into;     /* 16 numbers, columns: mesh to armature; NULL: the same space */
    const float *back;     /* and back, read with `into` */
    const float *matrices; /* num_frames x num_matrices x 4 columns x 4 */
    const int64_t *offsets;
    const int32_t *indices; /* of matrices */
    const float *weights;
    const float *totals;
    const float *masks; /* num_vertices; NULL: 1 */
    float *out;         /* num_frames x num_vertices x 3 */
    skl_status status;
} skl_deform_linear_job;
skl_code skl_deform_linear_run(skl_deform_linear_job *job);

/* Vertices with no more weight than this in all stay where they are. */
#define SKL_DEFORM_LEAST 1e-4f

/* Blending of dual quaternions, each with the sign that is nearer to the sum so far, in the order of the influences.
 * What scales goes before the motion: either it is applied with each bone's own motion (scales: 3 columns of the part
 * of the dual quaternion that grows with x, y, z), or blended like matrices (blend_scales; 3 rows, minus the identity).
 * Numbers are of `dtype`. A vertex without influence stays where it is. */
typedef struct skl_deform_dual_job {
    const skl_weights *weights;
    skl_dtype dtype;
    int64_t num_frames;   /* 0: nothing is done */
    const void *points;   /* num_vertices x 3, of the mesh */
    const void *into;     /* 16 numbers, rows: mesh to armature; NULL: the same space */
    const void *back;     /* and back, read with `into` */
    const void *motions;  /* num_frames x num_joints x 8: rotation, dual part */
    const void *scales;   /* num_frames x num_joints x 12; NULL: nothing is scaled */
    int32_t blend_scales; /* 0: each goes with its bone's own motion */
    void *out;            /* num_frames x num_vertices x 3 */
    skl_status status;
} skl_deform_dual_job;
skl_code skl_deform_dual_run(skl_deform_dual_job *job);

#ifdef __cplusplus
}
#endif

#endif
