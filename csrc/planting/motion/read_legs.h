/* SPDX-License-Identifier: MIT */
/* Where the joints of legs are in space, read from local matrices some frames at a time, so that global ones stay in
 * the cache. In double; vectors are packed, num_frames x 3; matrices row by row, num_frames x 9. */
#pragma once

#include "skelkin/kinematics.h"

/* One leg: joints of the skeleton, and what is read of them. */
typedef struct skl_read_leg {
    int64_t hip, knee, ankle;
    int64_t toe;                                  /* the ankle once more where there is none */
    double *hip_at, *knee_at, *ankle_at, *toe_at; /* out; toe_at may be NULL */
    double *foot, *thigh;                         /* out: linear parts of the matrices of ankle and hip */
} skl_read_leg;

/* `local` is num_frames x num_joints x 16. */
skl_code skl_read_legs(const skl_skeleton *skeleton, int64_t num_frames, const double *local, int64_t num_legs,
                       const skl_read_leg *legs, skl_status *status);

/* Poses of so many joints one after another, `numbers` of each joint. */
skl_array skl_poses_at(const double *data, int64_t count, int64_t joints, int64_t numbers);

/* Where one joint is, num_frames x 3, read in the same way. */
skl_code skl_joint_places(const skl_skeleton *skeleton, int64_t num_frames, const double *local, int64_t joint,
                          double *out, skl_status *status);

/* The joints of a leg are those of the skeleton, each below the one before; `toe` and `heel` may be -1. */
skl_code skl_check_leg_joints(const skl_skeleton *skeleton, const int32_t chain[3], int32_t toe, int32_t heel,
                              skl_status *status);
