/* SPDX-License-Identifier: MIT */
/* Where a motion jumps from one frame to the next, and what it is like without noise in between. */
#pragma once

#include "planting/curves/arena.h"
#include "planting/curves/spans.h"
#include "tracks.h"

/* Mark the frames whose hips, in the mean of all legs, have jumped since the frame before. 0 where memory failed. */
int skl_body_cuts(int64_t num_legs, const skl_track *const *tracks, double fps, skl_arena *arena, uint8_t *out);

/* The line from ankle to hip, num_frames x 3, as a bell of 20 ms sees it that neither ends nor jumps of the leg let
 * through. Sets `failed` of the arena where memory failed. */
void skl_calm_line(const skl_track *track, double fps, skl_arena *arena, double *out);

/* A joint of a leg of so great a length that goes further than this from one frame to the next is torn away. */
double skl_tear(double length, double fps);

/* Smooth a path (num_frames x 3), or take its velocity, as skl_low_pass and skl_rate do, in pieces between steps that
 * are longer than `torn`. */
void skl_low_pass_between(const double *path, int64_t num_frames, double torn, double sigma, skl_arena *arena,
                          double *out);
void skl_rate_between(const double *path, int64_t num_frames, double torn, double fps, double *out);

/* End contacts (one per leg) where any joint of the legs is torn away, as by lost tracking or a cut between takes, and
 * begin them again: no contact bridges a tear. 0 where memory failed. */
int skl_break_at_tears(int64_t num_legs, const skl_track *tracks, double fps, skl_arena *arena, skl_spans *contacts);
