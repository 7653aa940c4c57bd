/* SPDX-License-Identifier: MIT */
/* The rotations that a joint may have, and the nearest one that it may have.
 *
 * In the frame of a limit, whose third axis is the limit's, a rotation relative to the rest pose is q = swing * twist:
 * first a turn by the twist about that axis, then one by the swing about an axis across it. */
#pragma once

#include "core/base/numbers.h"
#include "core/transforms/matrix3.h"
#include "skelkin/skelkin.h"

/* The rotation out[4] inside of the limit that is nearest to q (both in the limit's frame), without softness: the one
 * to which the angle of the turn is least. Where q is inside, q itself. Returns that angle. */
double skl_limit_nearest(const skl_joint_limit *limit, const double q[4], double out[4]);

/* The same with the limit's softness: twist and swing are eased towards their bounds. */
double skl_limit_eased(const skl_joint_limit *limit, const double q[4], double out[4]);

/* The rotation of a joint whose local matrix has these axes, in the limit's frame; `proper` is the rotation itself. */
void skl_limit_rotation(const skl_joint_limit *limit, const skl_m3 axes, skl_m3 proper, double q[4]);

/* The turn, in the frame of the joint's parent, by which a joint gets inside: axes become turn @ axes. `soft`: eased.
 * Returns the angle of the turn; at less than the rounding of the precision it is 0, and there is nothing to do. */
double skl_limit_turn(const skl_joint_limit *limit, const skl_m3 axes, int soft, skl_dtype dtype, skl_m3 turn);

/* 1 if a joint whose local matrix has these axes would be well inside of what is not soft after `turn`; 0 where only
 * skl_limit_breaks says, or the axes are sheared or of different lengths. Quick. */
int skl_limit_well_inside(const skl_joint_limit *limit, const skl_m3 axes, const skl_m3 turn, skl_dtype dtype);

/* 1 if a joint whose local matrix has these axes is outside, or where softness moves it, by more than the rounding of
 * the precision: skl_limit_turn would turn it. Cheaper where the answer is clear. */
int skl_limit_breaks(const skl_joint_limit *limit, const skl_m3 axes, skl_dtype dtype);

/* swing * twist, of a swing's rotation vector and half of a twist. */
void skl_limit_compose(const double swing[2], double half_twist, double out[4]);

/* A swing and a twist inside that are near q, cheaply: not always the nearest. */
void skl_limit_clamp(const skl_joint_limit *limit, const double q[4], double swing[2], double *twist);

/* Move the bounds out by the soft part, to where easing reaches them, and take the softness away. */
void skl_limit_widen(skl_joint_limit *limit);

/* What easing makes of x >= 0 in front of a bound h >= 0, whose part `soft` is soft. */
double skl_ease(double x, double bound, double soft);
