/* SPDX-License-Identifier: MIT */
/* Skin weights, and points that follow joints. */
#ifndef SKELKIN_SKINNING_H
#define SKELKIN_SKINNING_H

#include "skelkin/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vertices of a block: the ones that are sorted together, worked on together and never cut by a thread. */
#define SKL_WEIGHTS_BLOCK 64

/* Vertices of a block that have the same number of influences. */
typedef struct skl_weights_group {
    int64_t entry;      /* of the first influence of the first vertex; the others follow without gaps */
    int32_t influences; /* of each vertex */
    int32_t count;      /* vertices */
    int32_t slot;       /* place of the first vertex in the block's order */
} skl_weights_group;

/* Influences of every vertex, those of weight 0 left out. Block b has the groups block_groups[b] .. block_groups[b + 1]
 * - 1, in the order of rising numbers of influences; its vertex in slot i is SKL_WEIGHTS_BLOCK * b + order[SKL_WEIGHTS_
 * BLOCK * b + i]. Owns its memory. Read, never write. */
typedef struct skl_weights {
    int64_t num_vertices;
    int64_t num_joints;
    int64_t num_used;
    const int64_t *block_groups;
    const skl_weights_group *groups;
    const uint8_t *order;
    const uint16_t *joints;
    const uint16_t *pivots; /* of the vertex in slot i, at SKL_WEIGHTS_BLOCK * b + i: its joint of largest weight */
    const uint16_t *used;   /* the num_used joints that move any vertex, rising */
    const float *weights_f32;
    const double *weights_f64;
    void *memory;
} skl_weights;

/* Check and copy num_vertices x max_influences (joint, weight) pairs; or, where `offsets` is not NULL, the entries
 * offsets[v] .. offsets[v + 1] - 1 of vertex v (offsets start at 0 and never fall; the arrays have
 * offsets[num_vertices] entries). Weights are kept as they are; they must be finite. */
skl_code skl_weights_init(skl_weights *weights, int64_t num_vertices, int64_t max_influences, int64_t num_joints,
                          const int64_t *offsets, const int64_t *joints, const double *values, skl_status *status);
void skl_weights_free(skl_weights *weights);

/* The weights of the vertices vertices[0 .. count - 1], in this order, any number of times each: for what there is one
 * of per corner of a face. */
skl_code skl_weights_take(skl_weights *taken, const skl_weights *weights, const int64_t *vertices, int64_t count,
                          skl_status *status);

/* How the influences of a vertex become one transform. Linear: the weighted sum of the matrices. Dual quaternion: each
 * matrix is split into a rigid motion and what is left (polar decomposition); what is left is summed as matrices and
 * goes first, the motions are summed as dual quaternions, each with the sign that is nearer to the one of largest
 * weight (L. Kavan et al., "Skinning with Dual Quaternions", 2007). */
typedef enum skl_skin_method { SKL_LINEAR = 0, SKL_DUAL_QUATERNION = 1 } skl_skin_method;

/* Points that follow joints. Items of `points` and `out` are num_vertices x 3 numbers, those of `matrices` num_joints
 * matrices. A vertex without influence stays where it is. */
typedef struct skl_skin_points_job {
    const skl_weights *weights;
    skl_dtype dtype;
    skl_skin_method method; /* 0: SKL_LINEAR */
    skl_array points;
    skl_array matrices;
    skl_array out;
    skl_status status;
} skl_skin_points_job;
skl_code skl_skin_points_run(skl_skin_points_job *job);

/* The same with normals, which go through the inverse transpose of what the points go through, and tangents, which go
 * through it as it is; both get length 1, or 0 0 0 where nothing is left of them. One of the three is needed, and an
 * output for each that is given. With `corners` (from skl_weights_take) normals and tangents are one per corner, else
 * one per vertex. */
typedef struct skl_skin_mesh_job {
    const skl_weights *weights;
    const skl_weights *corners; /* NULL: one per vertex */
    skl_dtype dtype;
    skl_skin_method method; /* 0: SKL_LINEAR */
    int32_t tangent_size;   /* 3, or 4, the last number of which is passed on; read with tangents */
    skl_array points;       /* data NULL: none, as of the next two */
    skl_array normals;      /* data NULL: none */
    skl_array tangents;     /* data NULL: none */
    skl_array matrices;
    skl_array out_points;
    skl_array out_normals;
    skl_array out_tangents;
    skl_status status;
} skl_skin_mesh_job;
skl_code skl_skin_mesh_run(skl_skin_mesh_job *job);

/* From joint rotations to points and, where there are any, normals: forward kinematics as in
 * skl_forward_kinematics_trs_job, times the inverse bind matrices, then skinning; a tile of poses at a time, so that no
 * matrix leaves the cache. The bits are those of the three jobs one after the other. */
typedef struct skl_skin_poses_job {
    const skl_weights *weights;
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_skin_method method; /* 0: SKL_LINEAR */
    skl_array points;
    skl_array normals; /* data NULL: none; out_normals is not looked at then */
    skl_array rotations;
    skl_array translations; /* data NULL: those of the rest pose */
    skl_array scales;       /* data NULL: none */
    skl_array out_points;
    skl_array out_normals;
    skl_status status;
} skl_skin_poses_job;
skl_code skl_skin_poses_run(skl_skin_poses_job *job);

#ifdef __cplusplus
}
#endif

#endif
