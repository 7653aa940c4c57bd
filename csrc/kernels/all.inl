/* SPDX-License-Identifier: MIT */
/* Every algorithm, once; and the order in which the table lists them. */
#include "transforms.inl"
/* after it */
#include "affine_rows.inl"
#include "lines.inl"
/* after it */
#include "pose_lanes.inl"
/* after them */
#include "forward_kinematics.inl"
#include "inverse.inl"
#include "quaternion_check.inl"
#include "rest_relative.inl"
#include "skin_streams.inl"
/* after it */
#include "skin_finish.inl"
#include "skin_rows.inl"
#include "skin_lanes.inl"
/* after them */
#include "skin_unit.inl"
/* after it */
#include "mesh_rows.inl"
#include "mesh_lanes.inl"
#include "skin_dual.inl"
/* after it */
#include "dual_rows.inl"
#include "dual_lanes.inl"
#include "running_rows.inl"
#include "unstage.inl"
#include "fabrik_start.inl"
/* after it */
#include "fabrik_settle.inl"
/* after both */
#include "fabrik.inl"
#include "vector.inl"
/* after it */
#include "two_bone.inl"
#include "two_bone_rows.inl"
#include "pose_rows.inl"
#if !SKL_IS_F32
#include "limb_poses.inl"
#endif
/* after them */
#include "vector_end.inl"

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
