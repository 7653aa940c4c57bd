/* SPDX-License-Identifier: MIT */
/* Turns of the upper bone inside of its limit. */
#ifndef SKL_SWIVEL_H
#define SKL_SWIVEL_H

#include "joint_limits.h"

/* A limited joint: its limit, without softness, and its rotation now. */
typedef struct skl_swivel {
    skl_joint_limit limit;
    skl_m3 proper;
    skl_m3 left, right; /* of a turn U, the rotation in the limit's frame is left @ U @ right */
} skl_swivel;

void skl_swivel_begin(skl_swivel *s, const skl_joint_limit *limit, const skl_m3 axes);

/* How far outside the limit a turn brings the joint, in radians of no particular path; at most 0 inside. */
double skl_swivel_excess(const skl_swivel *s, const skl_m3 turn);

/* The nearest turn inside. */
void skl_swivel_nearest(const skl_swivel *s, const skl_m3 turn, skl_m3 out);

/* `turn`, then a turn by the angle about the unit vector `axis`. */
void skl_swivel_by(const double axis[3], double angle, const skl_m3 turn, skl_m3 out);

/* The swivel about `axis`, least in size, that brings `turn` inside; 0 if there is none, and then `angle` is where it
 * is least outside. */
int skl_swivel_inside(const skl_swivel *s, const double axis[3], const skl_m3 turn, double *angle);

/* Turns all over what is allowed: number 0 .. SKL_SWIVEL_SAMPLES - 1. */
enum { SKL_SWIVEL_SAMPLES = 96 };
void skl_swivel_sample(const skl_swivel *s, int number, skl_m3 out);

/* The shortest turn from the direction of `from` to that of `to`, after `turn`. */
void skl_swivel_aim(const double from[3], const double to[3], const skl_m3 turn, skl_m3 out);

#endif
