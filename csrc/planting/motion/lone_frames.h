/* SPDX-License-Identifier: MIT */
/* Lone frames: a pose before the motion or after it, or a few wrong frames within it, between jumps of the capture. */
#ifndef SKL_LONE_FRAMES_H
#define SKL_LONE_FRAMES_H

#include "planting/curves/arena.h"
#include "tracks.h"

/* The frames that no motion leads into or out of: few, before or after a jump or between two. 0 where memory failed. */
int skl_lone_frames(int64_t num_legs, const skl_track *tracks, double fps, skl_arena *arena, uint8_t *out);

#endif
