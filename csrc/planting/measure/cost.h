/* SPDX-License-Identifier: MIT */
/* What one sees a leg do, frame by frame: knees that turn over; second and third differences. In double; nothing here
 * can fail. Vectors of frames are packed, num_frames x 3. Outputs may be no inputs. */
#pragma once

#include "planting/motion/hinges.h"

/* Rows of num_frames numbers. What needs frames that are not there is 0. */
typedef struct skl_leg_jumps_rows {
    double *overturned; /* 1 where the bend has turned by more than 90 degrees since the frame before, bent in both */
    double *hip, *ankle, *flexion; /* sizes of second differences around each frame */
    double *flexion_jerk;          /* sizes of third differences, of two frames before to one after */
} skl_leg_jumps_rows;

/* `flexion` in degrees, as skl_knee_flexions gives it. */
void skl_leg_jumps(const skl_leg_motion *leg, const double *flexion, const skl_leg_jumps_rows *out);
