/* SPDX-License-Identifier: MIT */
/* Skin weights, and points that follow joints. Part of skelkin.h: include that. */
#ifndef SKELKIN_SKINNING_H
#define SKELKIN_SKINNING_H

#include "skelkin.h"

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
    const int64_t *block_groups;
    const skl_weights_group *groups;
    const uint8_t *order;
    const uint16_t *joints;
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

/* Linear blend skinning: out[v] = (sum_k w[v, k] matrices[joint[v, k]]) points[v]. Items of `points` and `out` are
 * num_vertices x 3 numbers, those of `matrices` num_joints matrices. A vertex without influence stays where it is. */
typedef struct skl_skin_points_job {
    const skl_weights *weights;
    skl_dtype dtype;
    skl_array points;
    skl_array matrices;
    skl_array out;
    skl_status status;
} skl_skin_points_job;
skl_code skl_skin_points_run(skl_skin_points_job *job);

/* From joint rotations to points: forward kinematics as in skl_forward_kinematics_trs_job, times the inverse bind
 * matrices, then skinning; a tile of poses at a time, so that no matrix leaves the cache. The bits are those of the
 * three jobs one after the other. */
typedef struct skl_skin_poses_job {
    const skl_weights *weights;
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_array points;
    skl_array rotations;
    skl_array translations; /* data NULL: those of the rest pose */
    skl_array scales;       /* data NULL: none */
    skl_array out;
    skl_status status;
} skl_skin_poses_job;
skl_code skl_skin_poses_run(skl_skin_poses_job *job);

#endif
