/* SPDX-License-Identifier: MIT */
/* Rotations of 3 x 3 as Blender's IK takes them apart: about axes, by vectors, into swing and twist about Y. */
#pragma once

#include "core/transforms/matrix3.h"

/* out = m @ the rotation about the vector `by`, by its length; `out` may be m. */
void skl_turn_by(const skl_m3 m, const double by[3], skl_m3 out);
/* The rotation about the axis 0, 1 or 2. */
void skl_turn_about(int axis, double angle, skl_m3 out);
/* The vector of the rotation. */
void skl_turn_vector(const skl_m3 turn, double out[3]);
/* The angle about Y of turn = swing @ twist; -pi .. pi. */
double skl_turn_twist(const skl_m3 turn);
/* Sines of half the angles about X and Z of its swing, from where Y goes: q[1] and q[3]. */
void skl_turn_bend(const skl_m3 turn, double q[4]);
/* out = turn without its twist. */
void skl_turn_swing(const skl_m3 turn, skl_m3 out);
/* The part `by` of a rotation about its own axis, and of the change of the axes' lengths. */
void skl_turn_part(const skl_m3 turn, double by, skl_m3 out);
/* The part `by` of the way from one rotation to another. */
void skl_turn_between(const skl_m3 from, const skl_m3 to, double by, skl_m3 out);
