/* SPDX-License-Identifier: MIT */
/* Transforms: matrices, quaternions, changes of basis.
 *
 * Each verb does the same to every item of a batch: leading dimensions of all inputs broadcast, outputs have just the
 * broadcast ones. The `step` of a matrix is the stride from one row to the next; the numbers of a row, and those of a
 * vector or quaternion, are contiguous. Matrices that are written have `out_rows` rows: 4, or 3 to leave the last out.
 *
 * `spoils_out`: 1 says that what is in the output after a failure does not matter; that saves a pass over the input.
 * Output and inputs must not overlap. */
#ifndef SKELKIN_TRANSFORMS_H
#define SKELKIN_TRANSFORMS_H

#include "skelkin/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* out = translation * rotation * scale. A quaternion that is zero or not finite is SKL_BAD_VALUE, here and below; so is
 * a scale that is not finite. */
typedef struct skl_compose_job {
    skl_dtype dtype;
    skl_array translations; /* 3 */
    skl_array rotations;    /* 4 */
    skl_array scales;       /* 3; data NULL: none */
    skl_array out;          /* matrix */
    int32_t out_rows;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_compose_job;
skl_code skl_compose_run(skl_compose_job *job);

/* The way back: columns are normalised, a negative determinant negates all three scales. `shear` is H in
 * linear = R H diag(scales). A column of length 0 takes the direction across the other two. */
typedef struct skl_decompose_job {
    skl_dtype dtype;
    skl_array matrices;     /* matrix */
    skl_array translations; /* 3 */
    skl_array rotations;    /* 4, w >= 0 */
    skl_array scales;       /* 3 */
    skl_array shear;        /* 3 x 3; data NULL: not wanted */
    skl_status status;
} skl_decompose_job;
skl_code skl_decompose_run(skl_decompose_job *job);

/* Inverses; a matrix without one is SKL_BAD_VALUE. `invert_rigid` transposes, `invert_trs` (translation *
 * rotation * scale) transposes and divides by the squares of the scales; neither checks that it may. */
typedef struct skl_matrix_job {
    skl_dtype dtype;
    skl_array matrices; /* matrix */
    skl_array out;      /* matrix */
    int32_t out_rows;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_matrix_job;
skl_code skl_invert_run(skl_matrix_job *job);
skl_code skl_invert_rigid_run(skl_matrix_job *job);
skl_code skl_invert_trs_run(skl_matrix_job *job);

/* With X = inverse(to_basis) * from_basis, computed in double: X M inverse(X) of matrices, X p of points. A basis
 * without inverse is SKL_BAD_VALUE. Allocates 24 numbers for each pair of bases. */
typedef struct skl_change_basis_job {
    skl_dtype dtype;
    skl_array values;     /* matrix, or 3 */
    skl_array from_basis; /* matrix */
    skl_array to_basis;   /* matrix */
    skl_array out;        /* matrix, or 3 */
    int32_t out_rows;     /* of matrices */
    skl_status status;
} skl_change_basis_job;
skl_code skl_change_basis_run(skl_change_basis_job *job);
skl_code skl_change_basis_points_run(skl_change_basis_job *job);

/* The matrix that takes coordinates in the frame of from_joint to those in the frame of to_joint. Only the joints below
 * their lowest common ancestor are read. Items of `local` are poses, those of `out` matrices. A joint between to_joint
 * and that ancestor without inverse is SKL_BAD_VALUE. */
typedef struct skl_relative_transform_job {
    const skl_skeleton *skeleton;
    skl_dtype dtype;
    int64_t from_joint, to_joint; /* 0: the first */
    skl_array local;
    skl_array out; /* matrix */
    int32_t out_rows;
    skl_status status;
} skl_relative_transform_job;
skl_code skl_relative_transform_run(skl_relative_transform_job *job);

/* Quaternions: what `a` and `b` are is said at each verb. */
typedef struct skl_quaternion_job {
    skl_dtype dtype;
    skl_array a;
    skl_array b; /* of verbs of two */
    skl_array t; /* of slerp */
    skl_array out;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_quaternion_job;
skl_code skl_quaternion_multiply_run(skl_quaternion_job *job); /* p (4), q (4) -> 4: first q, then p */
skl_code skl_quaternion_rotate_run(skl_quaternion_job *job);   /* q (4), v (3) -> 3 */
skl_code skl_quaternion_between_run(skl_quaternion_job *job);  /* u (3), v (3) -> 4: the smallest turn */
/* p (4), q (4), t (1) -> 4: the shorter way at constant speed, beyond the ends where t is outside of 0 .. 1; a t that
 * is not finite is SKL_BAD_VALUE. */
skl_code skl_quaternion_slerp_run(skl_quaternion_job *job);
skl_code skl_quaternion_from_matrix_run(skl_quaternion_job *job); /* matrix, its 3 x 3 alone is read -> 4, w >= 0 */
skl_code skl_quaternion_to_matrix_run(skl_quaternion_job *job);   /* q (4) -> 3 x 3 */
/* v (3) -> 4, and the way back: the axis times the angle in radians, 0 .. pi on the way back; 0 0 0 means no rotation.
 * A vector that is not finite is SKL_BAD_VALUE. */
skl_code skl_quaternion_from_rotation_vector_run(skl_quaternion_job *job);
skl_code skl_quaternion_to_rotation_vector_run(skl_quaternion_job *job);

/* From axes (3, of any length but 0) and angles (1) to quaternions (4), and the way back: angles of 0 .. pi, and the
 * axis X where there is no rotation. */
typedef struct skl_axis_angle_job {
    skl_dtype dtype;
    skl_array axes, angles, quaternions;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_axis_angle_job;
skl_code skl_quaternion_from_axis_angle_run(skl_axis_angle_job *job);
skl_code skl_quaternion_to_axis_angle_run(skl_axis_angle_job *job);

/* q (4) = swing (4) * twist (4): the twist turns about the axis (3, of any length but 0), the swing about an axis
 * across it. Both with w >= 0; the twist of a half turn about an axis across is none. */
typedef struct skl_swing_twist_job {
    skl_dtype dtype;
    skl_array quaternions, axes, swing, twist;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_swing_twist_job;
skl_code skl_quaternion_swing_twist_run(skl_swing_twist_job *job);

/* From the angles (3) about X, Y, Z, applied in the order of the axes order[0], order[1], order[2] (each of 0, 1, 2
 * once), to quaternions (4), and the way back: the solution with the smaller sum of sizes. */
typedef struct skl_euler_job {
    skl_dtype dtype;
    int32_t order[3];
    skl_array angles, quaternions;
    int32_t spoils_out; /* 0: a failure leaves the output as it was */
    skl_status status;
} skl_euler_job;
skl_code skl_quaternion_from_euler_run(skl_euler_job *job);
skl_code skl_quaternion_to_euler_run(skl_euler_job *job);

#ifdef __cplusplus
}
#endif

#endif
