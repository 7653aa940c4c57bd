/* SPDX-License-Identifier: MIT */
/* Where a motion jumps from one frame to the next, and what it is like without noise in between. */
#ifndef SKL_CUTS_H
#define SKL_CUTS_H

#include "planting/curves/arena.h"
#include "tracks.h"

/* Mark the frames whose hips, in the mean of all legs, have jumped since the frame before. 0 where memory failed. */
int skl_body_cuts(int64_t num_legs, const skl_track *const *tracks, double fps, skl_arena *arena, uint8_t *out);

/* The line from ankle to hip, num_frames x 3, as a bell of 20 ms sees it that neither ends nor jumps of the leg let
 * through. Sets `failed` of the arena where memory failed. */
void skl_calm_line(const skl_track *track, double fps, skl_arena *arena, double *out);

#endif
