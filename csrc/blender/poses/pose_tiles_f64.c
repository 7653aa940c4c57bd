/* SPDX-License-Identifier: MIT */
/* Tiles of poses in double. */
#include <math.h>
#include <string.h>

#include "pose_tiles.h"

#define REAL double
#define REAL_SQRT sqrt
#define REAL_SIN sin
#define REAL_COS cos
#define REAL_ACOS acos
#define REAL_CBRT cbrt
#define REAL_ABS fabs
#include "pose_tiles.inl"

#include "pose_followers.inl"

void skl_blender_pose_tile_f64(const skl_blender_pose_job *job, int64_t first, int count, void *scratch) {
    pose_tile(job, first, count, scratch);
}

void skl_blender_local_tile_f64(const skl_blender_local_job *job, int64_t first, int count, void *scratch) {
    local_tile(job, first, count, scratch);
}

void skl_blender_follow_tile_f64(const skl_blender_follow_job *job, int64_t first, int count, void *scratch) {
    follow_tile(job, first, count, scratch);
}
