/* SPDX-License-Identifier: MIT */
/* Where the soles of feet are in every frame, and what they roll about. In double; nothing here can fail.
 *
 *   skl_sole_outline      the points that can touch the ground
 *   skl_rolls_on_heel     whether a foot stands on its heel, toes up
 *   skl_rolling_steps     how far the point that it rolls about slips
 *
 * Vectors of frames are packed, num_frames x 3; matrices row by row, num_frames x 9. Outputs may be no inputs. */
#pragma once

#include <stdint.h>

/* A sole in the foot joint's frame. */
typedef struct skl_sole {
    double heel[3];  /* under the ankle */
    double ball[3];  /* the ball joint, or the sole under it */
    double back[3];  /* of the heel */
    double along[3]; /* from `heel` to the sole under the ball of a flat foot */
    double drop;     /* how far below `ball` the sole is; 0 where `ball` lies on it */
    double raised;   /* how much further down all points are, straight below whichever way the foot points */
} skl_sole;

/* Heel, ball and back, 3 x num_frames x 3, relative to the ankle. Bent toes stay level under a rising foot: there the
 * sole is straight below the ball; where the toes are up, square to the foot. */
void skl_sole_outline(const skl_sole *sole, const double up[3], int64_t num_frames, const double *feet, double *out);

/* 1 from the frame on in which the toes are up, to the last one before the foot is flat, in every moment in which they
 * are clearly up. A foot that does not turn from frame to frame is flat where its toes are not clearly up. */
void skl_rolls_on_heel(const double up[3], int64_t num_frames, const double *back, const double *ball, uint8_t *out);

/* Level steps from each frame to the next, (num_frames - 1) x 3, of `back` where the foot stands on its heel before or
 * after the step, of `ball` elsewhere. */
void skl_rolling_steps(const double up[3], int64_t num_frames, const double *back, const double *ball, double *out);
