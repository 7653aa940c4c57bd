/* SPDX-License-Identifier: MIT */
/* How a sole slips over the ground. In double; nothing here can fail. */
#pragma once

#include <stdint.h>

/* The sole of one foot, as skl_sole_outline gives it, and the ground below it. */
typedef struct skl_sole_motion {
    int64_t num_frames;
    const double *sole; /* heel, ball and back, 3 x num_frames x 3 */
    const int8_t *roll; /* above 0 where the foot stands on its heel */
    const double
        *carried; /* how far the ground goes below ball and back, 2 x (num_frames - 1) x 3; NULL where it rests */
    double up[3];
    double ground_step[3]; /* what all of the ground goes per frame */
    double fps;
} skl_sole_motion;

/* Level steps over the ground from each frame to the next, (num_frames - 1) x 3: of the point the foot rolls about, as
 * skl_rolling_steps, and of the ball; and the speed of the former, num_frames, the first that of the second. */
void skl_sole_steps(const skl_sole_motion *motion, double *steps, double *ball_steps, double *speed);
