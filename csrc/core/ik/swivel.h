/* SPDX-License-Identifier: MIT */
/* Turns of the upper bone inside of its limit. */
#pragma once

#include "core/limits/joint_limits.h"

/* A limited joint: its limit, without softness, and its rotation now. */
typedef struct skl_swivel {
    skl_joint_limit limit;
    skl_m3 left, right; /* of a turn U, the rotation in the limit's frame is left @ U @ right */
} skl_swivel;

void skl_swivel_begin(skl_swivel *s, const skl_joint_limit *limit, const skl_m3 axes);

/* The rotation in the limit's frame of a turn, and back. */
void skl_swivel_rotation(const skl_swivel *s, const skl_m3 turn, double q[4]);
void skl_swivel_turn(const skl_swivel *s, const double q[4], skl_m3 turn);

/* `turn`, then a turn by the angle about the unit vector `axis`. */
void skl_swivel_by(const double axis[3], double angle, const skl_m3 turn, skl_m3 out);

/* The swivel about `axis`, least in size, that brings `turn` inside; 0 if there is none. */
int skl_swivel_inside(const skl_swivel *s, const double axis[3], const skl_m3 turn, double *angle);

/* The shortest turn from the direction of `from` to that of `to`, after `turn`. */
void skl_swivel_aim(const double from[3], const double to[3], const skl_m3 turn, skl_m3 out);
