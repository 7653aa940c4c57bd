/* SPDX-License-Identifier: MIT */
/* Every algorithm, once; and the order in which the table lists them. */
#include "transforms/transforms.inl"
/* after it */
#include "kinematics/affine_rows.inl"
#include "base/lines.inl"
/* after it */
#include "kinematics/pose_lanes.inl"
#include "base/unstage.inl"
/* after them */
#include "kinematics/forward_kinematics.inl"
#include "kinematics/inverse.inl"
#include "kinematics/quaternion_check.inl"
#include "kinematics/rest_relative.inl"
#include "skinning/skin_streams.inl"
/* after it */
#include "skinning/skin_finish.inl"
#include "skinning/skin_rows.inl"
#include "skinning/skin_lanes.inl"
/* after them */
#include "skinning/skin_unit.inl"
/* after it */
#include "skinning/mesh_rows.inl"
#include "skinning/mesh_lanes.inl"
#include "skinning/skin_dual.inl"
/* after it */
#include "skinning/dual_rows.inl"
#include "skinning/dual_lanes.inl"
#include "skinning/running_rows.inl"
#include "ik/fabrik_start.inl"
/* after it */
#include "ik/fabrik_settle.inl"
/* after both */
#include "ik/fabrik.inl"
#include "ik/vector.inl"
/* after it */
#include "ik/two_bone.inl"
#include "ik/two_bone_rows.inl"
#include "kinematics/pose_rows.inl"
#if !SKL_IS_F32
#include "ik/limb_poses.inl"
#include "planting/banded.inl"
#endif
/* after them */
#include "ik/vector_end.inl"

#ifndef SKL_KERNEL_SET
#define SKL_KERNEL_SET(K_)                                                                                             \
    {                                                                                                                  \
        .lanes = K_(pose_lanes_of),                                                                                    \
        .forward_kinematics = K_(forward_kinematics),                                                                  \
        .skinning_lanes = K_(skinning_lanes),                                                                          \
        .multiply = K_(multiply),                                                                                      \
        .rest_relative = K_(rest_relative),                                                                            \
        .find_bad_quaternion = K_(find_bad_quaternion),                                                                \
        .find_singular_parent = K_(find_singular_parent),                                                              \
        .local_from_global = K_(local_from_global),                                                                    \
        .pack_rows = K_(pack_rows),                                                                                    \
        .pack_lanes = K_(pack_lanes),                                                                                  \
        .skin_rows = K_(skin_rows),                                                                                    \
        .skin_lanes = K_(skin_lanes),                                                                                  \
        .mesh_rows = K_(mesh_rows),                                                                                    \
        .mesh_lanes = K_(mesh_lanes),                                                                                  \
        .dual_rows = K_(dual_rows),                                                                                    \
        .dual_lanes = K_(dual_lanes),                                                                                  \
        .running_rows = K_(running_rows),                                                                              \
        .stream_done = skl_stream_done,                                                                                \
        .copy_past_cache = K_(copy_past_cache),                                                                        \
        .unstage_stream = K_(unstage_stream),                                                                          \
        .unstage = K_(unstage),                                                                                        \
        .two_bone_read = K_(two_bone_read),                                                                            \
        .two_bone_lengths = K_(two_bone_lengths),                                                                      \
        .two_bone_solve = K_(two_bone_solve),                                                                          \
        .two_bone_write = K_(two_bone_write),                                                                          \
        .fabrik_start = K_(fabrik_start),                                                                              \
        .fabrik_pass = K_(fabrik_pass),                                                                                \
        .fabrik_finish = K_(fabrik_finish),                                                                            \
        .map = SKL_MAP_TABLE(K_),                                                                                      \
    }
#endif
