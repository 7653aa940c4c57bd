/* SPDX-License-Identifier: MIT */
/* Every algorithm, once; and the order in which the table lists them. */
#include "forward_kinematics.inl"
#include "skinning.inl"
#include "two_bone.inl"

#ifndef SKL_KERNEL_SET
#define SKL_KERNEL_SET(K_)                                                                                             \
    {                                                                                                                  \
        K_(forward_kinematics),  K_(forward_kinematics_trs), K_(multiply),                                             \
        K_(find_bad_quaternion), K_(pack_columns),           K_(skin_points),                                          \
    }
#endif
