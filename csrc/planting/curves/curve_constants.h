/* SPDX-License-Identifier: MIT */
/* The numbers of curves over frames. */
#pragma once

#include <stdint.h>

/* 1/frames^4 at a window of one frame, and frames: a turn's spring back, 12 000 1/s^4 at a window of 0.2 s, so that it
 * fades by e in 0.135 s. With a longer window it would be less than what rounding leaves of differences. */
static const double TURN_SPRING = 19.2;
static const int64_t LONGEST_WINDOW = 1000;
/* Frames at a border whose slope continues, so that one noisy frame does not set it. */
enum { SLOPE_FRAMES = 3 };
/* In the values' unit: less is nothing, and written as 0. */
static const double NO_VALUE = 1e-9;
/* Frames: a narrower bell has no weight on its neighbours. Deviations: beyond, 1 % of a bell is left. */
static const double NARROWEST_BELL = 0.2, BELL_REACH = 3.0;
/* Sums at once, that stay in the first cache; products between two checks of whether to stop. */
static const int64_t TILE = 512, BETWEEN_STOPS = (int64_t)1 << 20;
