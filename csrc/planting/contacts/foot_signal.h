/* SPDX-License-Identifier: MIT */
/* What contact detection sees of a foot: height, speed and place of the point it rolls about. Lengths are in leg
 * lengths, speeds in those per second; vectors are packed. `arena` says whether it had the memory. */
#pragma once

#include "planting/curves/arena.h"
#include "planting/motion/tracks.h"

typedef struct skl_foot_signal {
    int64_t num_frames;
    double *height;     /* lower point of the sole along up */
    double *velocity;   /* level velocity of the pivot */
    double *climb;      /* speed of `height` */
    double *above_hips; /* `height` above the hips, below 0 */
    double *place;      /* the pivot itself, in the clip's units */
    double *slips;      /* num_frames - 1: level velocity of the pivot between frames */
    double *raw;        /* the same without any smoothing, per frame */
    double *rises;      /* by how much the lower point of the sole rises from frame to frame, without any smoothing */
} skl_foot_signal;

/* By how much a foot's path has to be smoothed before its speed is taken: the standard deviation of a Gaussian in
 * seconds, from 0.015 to 0.08.
 *
 * Third differences of an even path are small, those of white noise of deviation s have one of s sqrt(20). Their length
 * in space is below 0.764 of that in a tenth of the frames. Smoothed by a Gaussian of t seconds, the speed of the noise
 * has a deviation of s / sqrt(4 sqrt(pi) fps t^3). */
double skl_path_smoothing(const skl_track *track, double fps, skl_arena *arena);

/* Half the window of the low envelope, in frames. */
int64_t skl_envelope_frames(double fps);

/* Guess the frames in which a foot stands flat, before its sole is known: low for its own surroundings, neither rising
 * nor falling, at ankle and ball. At least one frame. */
void skl_standing_frames(const skl_track *track, const double up[3], double fps, double smoothing, skl_arena *arena,
                         uint8_t *out);

/* `smoothing`: what skl_path_smoothing gives for the track, or the clip of which it is a part. */
void skl_read_signal(const skl_track *track, const skl_foot_model *model, const double up[3], double fps,
                     double smoothing, skl_arena *arena, skl_foot_signal *out);

/* Level steps of the pivot from each frame to the next, num_frames - 1, in the clip's units; also, where they are
 * wanted for, the path of the sole's back and ball. */
void skl_pivot_steps(const skl_track *track, const skl_foot_model *model, const double up[3], skl_arena *arena,
                     double *steps, double *back, double *ball);

/* Where the pivot rests, to rounding, on a ground that goes `ground_step` per frame. Such a clip was planted before, or
 * made so. A foot that rises or falls by more than `lift` per frame, be it straight up or down, does not stand. */
void skl_fixed_frames(const skl_foot_signal *signal, double lift, const double ground_step[3], skl_arena *arena,
                      uint8_t *out);

/* Deviation of white noise on the path: 0 where its third differences do not alternate. Neighbours among those of white
 * noise have a correlation of -3/4. */
double skl_shake(const skl_foot_signal *signal, skl_arena *arena);

/* Level speed of the pivot over a ground that moves at `ground_velocity`. */
void skl_signal_speeds(const skl_foot_signal *signal, const double ground_velocity[3], double *out);
