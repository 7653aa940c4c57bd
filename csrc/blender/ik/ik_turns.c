/* SPDX-License-Identifier: MIT */
#include "ik_turns.h"

#include <math.h>
#include <string.h>
#include "core/transforms/vector3.h"

#define NEARLY_UNIT 6e-4
#define SERIES 2
#define NO_ARC 1e-4 /* nearer to 1, parts of a quaternion lie on the chord */

/* s = sin(angle) / angle and c = (1 - cos(angle)) / angle^2 of an angle given squared: by their power series as far as
 * SERIES, where the first term left out is below 1e-19. */
static void sine_and_rise(double squared, double *s, double *c) {
    static const double even[6][2] = {{1.0, 1.0 / 2},
                                      {1.0 / 120, 1.0 / 720},
                                      {1.0 / 362880, 1.0 / 3628800},
                                      {1.0 / 6227020800, 1.0 / 87178291200},
                                      {1.0 / 355687428096000, 1.0 / 6402373705728000},
                                      {1.0 / 51090942171709440000.0, 1.0 / 1124000727777607680000.0}};
    static const double odd[5][2] = {{1.0 / 6, 1.0 / 24},
                                     {1.0 / 5040, 1.0 / 40320},
                                     {1.0 / 39916800, 1.0 / 479001600},
                                     {1.0 / 1307674368000, 1.0 / 20922789888000},
                                     {1.0 / 121645100408832000, 1.0 / 2432902008176640000}};
    if (squared > SERIES) {
        const double angle = sqrt(squared);
        *s = sin(angle) / angle;
        *c = (1 - cos(angle)) / squared;
        return;
    }
    const double by = squared * squared;
    double plus[2] = {even[5][0], even[5][1]}, minus[2] = {odd[4][0], odd[4][1]};
    for (int k = 4; k >= 0; k--)
        for (int i = 0; i < 2; i++) plus[i] = plus[i] * by + even[k][i];
    for (int k = 3; k >= 0; k--)
        for (int i = 0; i < 2; i++) minus[i] = minus[i] * by + odd[k][i];
    *s = plus[0] - minus[0] * squared;
    *c = plus[1] - minus[1] * squared;
}

void skl_turn_by(const skl_m3 m, const double by[3], skl_m3 out) {
    const double squared = skl_v3_dot(by, by);
    if (squared <= 0) {
        memmove(out, m, sizeof(skl_m3));
        return;
    }
    double s, c;
    sine_and_rise(squared, &s, &c);
    const double x = by[0], y = by[1], z = by[2];
    const skl_m3 turn = {1 - c * (y * y + z * z), c * x * y - s * z,       c * x * z + s * y,
                         c * x * y + s * z,       1 - c * (x * x + z * z), c * y * z - s * x,
                         c * x * z - s * y,       c * y * z + s * x,       1 - c * (x * x + y * y)};
    skl_m3_multiply(m, turn, out);
}

void skl_turn_about(int axis, double angle, skl_m3 out) {
    static const skl_m3 identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double by[3] = {0, 0, 0};
    by[axis] = angle;
    skl_turn_by(identity, by, out);
}

/* Unevenly scaled bones have axes that are not orthogonal: there the formulas of the same angle differ, and the
 * choice of numbers that they take it from is Blender's. */

void skl_turn_vector(const skl_m3 turn, double out[3]) {
    const double v[3] = {turn[7] - turn[5], turn[2] - turn[6], turn[3] - turn[1]}, side = sqrt(skl_v3_dot(v, v));
    const double cosine = fmin(fmax((turn[0] + turn[4] + turn[8] - 1) / 2, -1), 1);
    const double by = side > 0 ? acos(cosine) / side : 0;
    for (int i = 0; i < 3; i++) out[i] = by * v[i];
}

double skl_turn_twist(const skl_m3 turn) { return 2 * atan2(turn[2] - turn[6], 1 + turn[0] + turn[4] + turn[8]); }

void skl_turn_bend(const skl_m3 turn, double q[4]) {
    const double squared = 2 * (1 + turn[4]), by = squared > 0 ? 1 / sqrt(squared) : 0;
    q[1] = turn[7] * by;
    q[3] = -turn[1] * by;
}

void skl_turn_swing(const skl_m3 turn, skl_m3 out) {
    skl_m3 back;
    skl_turn_about(1, -skl_turn_twist(turn), back);
    skl_m3_multiply(turn, back, out);
}

/* The quaternion of axes that need not be orthogonal: by the part that the signs of the diagonal choose (M. Day,
 * "Converting a rotation matrix to a quaternion"), and of length 1 only where it is not nearly so. */
static void loose_quaternion(const skl_m3 axes, double q[4]) {
    const int part = axes[8] < 0 ? (axes[0] > axes[4] ? 1 : 2) : axes[0] < -axes[4] ? 3 : 0;
    skl_m3_to_quaternion_by(axes, part, q);
    const double squared = q[0] * q[0] + skl_v3_dot(q + 1, q + 1);
    const double by = (q[0] < 0 ? -1 : 1) / (fabs(squared - 1) < NEARLY_UNIT ? 1 : sqrt(squared));
    for (int i = 0; i < 4; i++) q[i] *= by;
}

/* The part `by` of the arc from one quaternion to another, which becomes it. */
static void along_arc(const double from[4], double by, double q[4]) {
    double rest = 1 - by, part = by, cosine = 0;
    for (int i = 0; i < 4; i++) cosine += from[i] * q[i];
    if (cosine < 0)
        for (int i = 0; i < 4; i++) q[i] = -q[i];
    cosine = fabs(cosine);
    if (cosine < 1 - NO_ARC) {
        const double arc = acos(cosine);
        rest = sin((1 - by) * arc) / sin(arc);
        part = sin(by * arc) / sin(arc);
    }
    for (int i = 0; i < 4; i++) q[i] = part * q[i] + rest * from[i];
}

void skl_turn_between(const skl_m3 from, const skl_m3 to, double by, skl_m3 out) {
    double p[4], q[4];
    loose_quaternion(from, p);
    loose_quaternion(to, q);
    along_arc(p, by, q);
    skl_m3_from_quaternion(q, out);
}

void skl_turn_part(const skl_m3 turn, double by, skl_m3 out) {
    skl_m3 axes;
    static const double none[4] = {1, 0, 0, 0};
    double q[4], length[3];
    for (int c = 0; c < 3; c++) {
        const double column[3] = {turn[c], turn[3 + c], turn[6 + c]};
        length[c] = sqrt(skl_v3_dot(column, column));
        for (int r = 0; r < 3; r++) axes[3 * r + c] = length[c] > 0 ? column[r] / length[c] : column[r];
    }
    loose_quaternion(axes, q);
    along_arc(none, by, q);
    skl_m3_from_quaternion(q, out);
    for (int i = 0; i < 9; i++) out[i] *= 1 + by * (length[i % 3] - 1);
}
