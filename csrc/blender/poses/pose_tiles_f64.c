/* SPDX-License-Identifier: MIT */
/* Tiles of poses in double. */
#include <math.h>
#include <string.h>

#include "pose_tiles.h"

#define REAL double
#define REAL_TILE(verb) skl_blender_##verb##_tile_f64
#define REAL_SQRT sqrt
#define REAL_SIN sin
#define REAL_COS cos
#define REAL_ACOS acos
#define REAL_CBRT cbrt
#define REAL_ABS fabs
#include "pose_tiles.inl"

#include "pose_followers.inl"
