/* SPDX-License-Identifier: MIT */
/* Tiles of poses in float. */
#include <math.h>
#include <string.h>

#include "pose_tiles.h"

#define REAL float
#define REAL_SQRT sqrtf
#define REAL_SIN sinf
#define REAL_COS cosf
#define REAL_ACOS acosf
#define REAL_CBRT cbrtf
#define REAL_ABS fabsf
#include "pose_tiles.inl"

void skl_blender_pose_tile_f32(const skl_blender_pose_job *job, int64_t first, int count, void *scratch) {
    pose_tile(job, first, count, scratch);
}

void skl_blender_local_tile_f32(const skl_blender_local_job *job, int64_t first, int count, void *scratch) {
    local_tile(job, first, count, scratch);
}
