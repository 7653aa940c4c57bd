/* SPDX-License-Identifier: MIT */
/* Tiles of poses in float. */
#include <math.h>
#include <string.h>

#include "pose_tiles.h"

#define REAL float
#define REAL_TILE(verb) skl_blender_##verb##_tile_f32
#define REAL_SQRT sqrtf
#define REAL_SIN sinf
#define REAL_COS cosf
#define REAL_ACOS acosf
#define REAL_CBRT cbrtf
#define REAL_ABS fabsf
#include "pose_tiles.inl"
