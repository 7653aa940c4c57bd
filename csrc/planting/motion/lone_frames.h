/* SPDX-License-Identifier: MIT */
/* Lone frames: a pose before the motion or after it, or a few wrong frames within it, between jumps of the capture; and
 * those in which a foot is scaled to nothing, and stands nowhere. */
#pragma once

#include "planting/curves/arena.h"
#include "tracks.h"

/* Mark the frames in which a foot's axes (num_frames x 9) are a thousandth, or less, of what they are at most. */
void skl_mark_flat(const double *foot, int64_t num_frames, uint8_t *out);

/* The frames that no motion leads into or out of: few, before or after a jump or between two. 0 where memory failed. */
int skl_lone_frames(int64_t num_legs, const skl_track *tracks, double fps, skl_arena *arena, uint8_t *out);
