/* SPDX-License-Identifier: MIT */
/* What the jobs of poses hand to their tiles: a few frames side by side, in float or in double.
 *
 * The float tiles do each operation in the order in which Blender does it, so that their bits are Blender's; the
 * double ones are the same lines. */
#pragma once

#include "skelkin/blender_pose.h"

/* Frames of a tile. */
enum { SKL_FRAMES = 8 };

/* Numbers of scratch of a tile, for each bone: a matrix of 4 columns and 3 rows per frame. */
enum { SKL_FRAME_NUMBERS = 12 * SKL_FRAMES };

/* Frames [first, first + count) of the job; `scratch` has SKL_FRAME_NUMBERS numbers per bone. */
void skl_blender_pose_tile_f32(const skl_blender_pose_job *job, int64_t first, int count, void *scratch);
void skl_blender_pose_tile_f64(const skl_blender_pose_job *job, int64_t first, int count, void *scratch);
void skl_blender_local_tile_f32(const skl_blender_local_job *job, int64_t first, int count, void *scratch);
void skl_blender_local_tile_f64(const skl_blender_local_job *job, int64_t first, int count, void *scratch);
void skl_blender_follow_tile_f64(const skl_blender_follow_job *job, int64_t first, int count, void *scratch);
