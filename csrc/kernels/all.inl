/* SPDX-License-Identifier: MIT */
/* Every algorithm, once; and the order in which the table lists them. */
#include "forward_kinematics.inl"
#include "inverse.inl"
#include "skinning.inl"
#include "transforms.inl"
#include "two_bone.inl"

#ifndef SKL_KERNEL_SET
#define SKL_KERNEL_SET(K_)                                                                                             \
    {                                                                                                                  \
        .forward_kinematics = K_(forward_kinematics),                                                                  \
        .forward_kinematics_trs = K_(forward_kinematics_trs),                                                          \
        .multiply = K_(multiply),                                                                                      \
        .find_bad_quaternion = K_(find_bad_quaternion),                                                                \
        .find_singular_parent = K_(find_singular_parent),                                                              \
        .local_from_global = K_(local_from_global),                                                                    \
        .pack_columns = K_(pack_columns),                                                                              \
        .skin_points = K_(skin_points),                                                                                \
        .map = SKL_MAP_TABLE(K_),                                                                                      \
    }
#endif
