/* SPDX-License-Identifier: MIT */
/* Turns between directions, in double: quaternions w x y z of length 1, vectors of any length.
 *
 * A direction that is zero or not finite has no direction: a turn from or to it is none. */
#pragma once

/* First q, then p. `out` may be neither. */
static inline void skl_turn_after(const double p[4], const double q[4], double *restrict out) {
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    out[1] = p[0] * q[1] + q[0] * p[1] + p[2] * q[3] - p[3] * q[2];
    out[2] = p[0] * q[2] + q[0] * p[2] + p[3] * q[1] - p[1] * q[3];
    out[3] = p[0] * q[3] + q[0] * p[3] + p[1] * q[2] - p[2] * q[1];
}

/* q becomes slerp(1, q, amount), the shorter way; a half turn the way in which it is written. */
void skl_partial_turn(double q[4], double amount);

/* 1 if q turns anything. */
int skl_turn_moves(const double q[4]);

/* 1 if v is finite and not zero. */
int skl_has_direction(const double v[3]);

/* The unit vector along v; 0 if v has no direction, and then `out` is 0 0 0. */
int skl_unit(const double v[3], double out[3]);

/* The part of the unit vector along v that lies across `axis`; where almost all of v lies along it, 0 0 0. Taken twice,
 * so that rounding leaves nothing along it. */
void skl_across(const double v[3], const double axis[3], double out[3]);

/* The smallest turn of the direction u onto v, w >= 0. Opposite ones turn about the part of `if_opposite` across u. */
void skl_shortest_turn(const double u[3], const double v[3], const double if_opposite[3], double out[4]);

/* The turn about `axis` that brings u as near to v as it can; none where a part across is missing. */
void skl_twist_onto(const double u[3], const double v[3], const double axis[3], double out[4]);
