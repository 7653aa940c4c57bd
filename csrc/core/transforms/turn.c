/* SPDX-License-Identifier: MIT */
#include "turn.h"

#include <math.h>

#include "core/base/numbers.h"
#include "vector3.h"

/* Sine below which a direction counts as parallel to the axis that it is looked at along, and the cosine of half the
 * angle between opposite directions. */
static const double PARALLEL = 1e-9, OPPOSITE = 1e-15;

void skl_partial_turn(double q[4], double amount) {
    const double sign = q[0] < -1e-12 ? -1.0 : 1.0;
    const double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), half = atan2(sine, sign * q[0]) * amount;
    const double share = sine > 0 ? sign * sin(half) / sine : 0.0;
    q[0] = cos(half);
    for (int k = 1; k < 4; k++) q[k] *= share;
}

int skl_turn_moves(const double q[4]) { return fabs(q[1]) > 0 || fabs(q[2]) > 0 || fabs(q[3]) > 0; }

int skl_has_direction(const double v[3]) {
    const double sum = (v[0] - v[0]) + (v[1] - v[1]) + (v[2] - v[2]); /* stays 0 as long as all are finite */
    return sum >= 0 && (fabs(v[0]) > 0 || fabs(v[1]) > 0 || fabs(v[2]) > 0);
}

int skl_unit(const double v[3], double out[3]) {
    const double square = skl_v3_dot(v, v);
    for (int i = 0; i < 3; i++) out[i] = 0;
    if (square > 1e-200 && square < 1e200) {
        const double by = 1 / sqrt(square);
        for (int i = 0; i < 3; i++) out[i] = v[i] * by;
        return 1;
    }
    if (!skl_has_direction(v)) return 0;
    const double largest = skl_larger(fabs(v[0]), skl_larger(fabs(v[1]), fabs(v[2])));
    double scaled[3];
    for (int i = 0; i < 3; i++) scaled[i] = v[i] / largest;
    const double length = sqrt(skl_v3_dot(scaled, scaled));
    for (int i = 0; i < 3; i++) out[i] = scaled[i] / length;
    return 1;
}

/* Of unit vectors. */
static void across_unit(const double v[3], const double axis[3], double out[3]) {
    double along = skl_v3_dot(v, axis);
    for (int i = 0; i < 3; i++) out[i] = v[i] - along * axis[i];
    if (!(skl_v3_dot(out, out) > PARALLEL * PARALLEL)) {
        for (int i = 0; i < 3; i++) out[i] = 0;
        return;
    }
    along = skl_v3_dot(out, axis);
    for (int i = 0; i < 3; i++) out[i] -= along * axis[i];
}

void skl_across(const double v[3], const double axis[3], double out[3]) {
    double unit[3], along[3];
    for (int i = 0; i < 3; i++) out[i] = 0;
    if (skl_unit(v, unit) && skl_unit(axis, along)) across_unit(unit, along, out);
}

/* Half a turn about what lies across the unit vector u, if possible that of `wanted`. */
static void half_turn(const double u[3], const double wanted[3], double out[4]) {
    double other[3];
    skl_across(wanted, u, other);
    out[0] = 0;
    if (skl_unit(other, out + 1)) return;
    const double x = fabs(u[0]), y = fabs(u[1]), z = fabs(u[2]);
    const double axis[3] = {x <= y && x <= z, !(x <= y && x <= z) && y <= z, !(x <= y && x <= z) && !(y <= z)};
    skl_across(axis, u, other);
    (void)skl_unit(other, out + 1);
}

/* Half the sum and half the difference of unit vectors are the cosine and the sine of half the angle; the axis is taken
 * from the shorter of the two, a difference without rounding. */
void skl_shortest_turn(const double from[3], const double to[3], const double if_opposite[3], double out[4]) {
    double u[3], v[3], low[3], high[3], axis[3];
    out[0] = 1;
    for (int i = 1; i < 4; i++) out[i] = 0;
    if (!skl_unit(from, u) || !skl_unit(to, v)) return;
    const int near = skl_v3_dot(u, v) >= 0;
    for (int i = 0; i < 3; i++) {
        const double sum = u[i] + v[i], difference = v[i] - u[i];
        low[i] = near ? difference : sum;
        high[i] = near ? sum : difference;
    }
    skl_v3_cross(u, low, axis);
    const double half_long = 0.5 * sqrt(skl_v3_dot(high, high));
    if (near) {
        out[0] = half_long;
        for (int i = 0; i < 3; i++) out[1 + i] = axis[i] * (0.5 / half_long);
    } else {
        const double sine = sqrt(skl_v3_dot(axis, axis));
        out[0] = 0.5 * sine / half_long;
        if (out[0] < OPPOSITE) {
            half_turn(u, if_opposite, out);
            return;
        }
        for (int i = 0; i < 3; i++) out[1 + i] = axis[i] * (half_long / sine);
    }
}

void skl_twist_onto(const double u[3], const double v[3], const double axis[3], double out[4]) {
    double from[3], to[3];
    skl_across(u, axis, from);
    skl_across(v, axis, to);
    skl_shortest_turn(from, to, axis, out);
}
