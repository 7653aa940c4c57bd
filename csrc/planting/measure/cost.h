/* SPDX-License-Identifier: MIT */
/* What planting costs, frame by frame: what one sees a leg do, and what a correction adds. In double; nothing here can
 * fail.
 *
 *   skl_leg_jumps         knees that turn over; second and third differences of a leg
 *   skl_read_correction   how far a correction moves the body, and what it adds to accelerations
 *
 * Vectors of frames are packed, num_frames x 3. Outputs may be no inputs. */
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

/* A correction of num_legs legs, one after the other in every array. */
typedef struct skl_correction {
    int64_t num_frames, num_legs;
    const double *hip, *ankle; /* of the original */
    const double *new_hip, *new_ankle;
    double length; /* the unit of lengths: a leg */
    double fps;
} skl_correction;

/* Rows of num_frames numbers: lengths in `length`, times in seconds. */
typedef struct skl_correction_rows {
    double *body;       /* how far the hips are moved, on average */
    double *body_added; /* the square of the acceleration that this adds */
    double *leg_added;  /* the squares of those of ankles relative to the body, summed over the legs */
} skl_correction_rows;

void skl_read_correction(const skl_correction *correction, const skl_correction_rows *out);
