/* SPDX-License-Identifier: MIT */
/* Forward kinematics: from what each joint does to where everything is. */
#ifndef SKELKIN_KINEMATICS_H
#define SKELKIN_KINEMATICS_H

#include "skelkin/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A part of the joints. With `joints` (num_joints of them, in any order, repeats allowed) the output has just their
 * matrices, in this order, and only they and their ancestors are evaluated. Without, the output holds the globals of
 * before, and only the joint `start` and all below it are computed again: the parent of `start` is read from the
 * output, the others are left alone. */
typedef struct skl_pose_part {
    const int64_t *joints; /* as many as num_joints says; for `start` both are left out */
    int64_t num_joints;    /* 0: none */
    int64_t start;         /* 0: the first joint */
} skl_pose_part;

/* From pose to pose: each item of `matrices` and `out` is a pose of num_joints matrices. Output and inputs must not
 * overlap, here and below. */
typedef struct skl_pose_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_array matrices;
    skl_array out;
    int32_t out_rows;          /* 4, or 3 to leave the last row out */
    const skl_pose_part *part; /* NULL: all joints; only forward kinematics reads it */
    skl_status status;
} skl_pose_job;

/* Local to global: out[j] = out[parents[j]] @ matrices[j]. */
skl_code skl_forward_kinematics_run(skl_pose_job *job);

/* Global to local, the way back: out[j] = inverse(matrices[parents[j]]) @ matrices[j]. A parent without an inverse is
 * SKL_BAD_VALUE. */
skl_code skl_local_from_global_run(skl_pose_job *job);

/* Global to skinning: out[j] = matrices[j] @ inverse_bind[j]. */
skl_code skl_skinning_matrices_run(skl_pose_job *job);

/* Forward kinematics from rotations (quaternions), translations and scales (3 numbers per joint): local = T R S. A zero
 * or non-finite quaternion of a joint that is evaluated is SKL_BAD_VALUE. */
typedef struct skl_forward_kinematics_trs_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_array rotations;
    skl_array translations; /* data NULL: those of the rest pose */
    skl_array scales;       /* data NULL: none */
    skl_array out;
    int32_t out_rows;
    const skl_pose_part *part; /* NULL: all joints */
    skl_status status;
} skl_forward_kinematics_trs_job;
skl_code skl_forward_kinematics_trs_run(skl_forward_kinematics_trs_job *job);

/* Absolute rotations and translations by recursion over the parents: joint i moves a point p of the rest pose, given in
 * the model's space, to Q_i p + t_i, where Q_i = q_i Q_p, or Q_p q_i with `rest_axes`, and
 * t_i = Q_p x_i + t_p - Q_i x_i with x_i the joint's place in the rest pose. Roots have Q_p = 1 and t_p = 0.
 * `out_rotations`: 4 numbers per joint, of unit length; `out_translations`: 3. */
typedef struct skl_rest_relative_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    skl_array rotations;
    int32_t rest_axes; /* 0: the axes are those of the pose */
    skl_array out_rotations;
    skl_array out_translations;
    skl_status status;
} skl_rest_relative_job;
skl_code skl_rest_relative_run(skl_rest_relative_job *job);

#ifdef __cplusplus
}
#endif

#endif
