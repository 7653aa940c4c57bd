/* SPDX-License-Identifier: MIT */
/* The polar decomposition through the singular values: with M = U S V^T the nearest rotation is U V^T (N. Higham,
 * "Computing the polar decomposition", 1986, section 2). The axes V come from Jacobi's rotations of M^T M; the third
 * axes of U and V are cross products, so that the result is a rotation even where M is flat. */
#include "rigid_part.h"

#include <math.h>
#include <string.h>

#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"

/* Bring v to length 1, or to `instead` where it has no direction. */
static void normalise(double v[3], const double instead[3]) {
    const double length = sqrt(skl_v3_dot(v, v));
    for (int i = 0; i < 3; i++) v[i] = length > 0 ? v[i] / length : instead[i];
}

/* A direction at right angles to the unit vector v. */
static void perpendicular(const double v[3], double out[3]) {
    double axis[3] = {0, 0, 0};
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(v[i]) < fabs(v[least])) least = i;
    axis[least] = 1;
    skl_v3_cross(v, axis, out);
    normalise(out, axis);
}

/* Turn rows and columns p and q of the symmetric `s` so that s[p][q] becomes 0, and rows p and q of `axes` with them.
 */
static void jacobi_turn(double s[3][3], double axes[3][3], int p, int q) {
    if (!(fabs(s[p][q]) > 0)) return;
    const double ratio = (s[q][q] - s[p][p]) / (2 * s[p][q]);
    const double t = (ratio < 0 ? -1 : 1) / (fabs(ratio) + sqrt(ratio * ratio + 1));
    const double c = 1 / sqrt(t * t + 1), sine = t * c;
    for (int i = 0; i < 3; i++) {
        const double a = s[i][p], b = s[i][q];
        s[i][p] = c * a - sine * b;
        s[i][q] = sine * a + c * b;
    }
    for (int i = 0; i < 3; i++) {
        const double a = s[p][i], b = s[q][i], u = axes[p][i], v = axes[q][i];
        s[p][i] = c * a - sine * b;
        s[q][i] = sine * a + c * b;
        axes[p][i] = c * u - sine * v;
        axes[q][i] = sine * u + c * v;
    }
}

/* The axes that m only stretches, the most stretched one first. */
static void stretched_axes(const skl_m3 m, double axes[3][3]) {
    double s[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            s[i][k] = m[i] * m[k] + m[3 + i] * m[3 + k] + m[6 + i] * m[6 + k];
            axes[i][k] = i == k;
        }
    for (int sweep = 0; sweep < 12; sweep++) {
        if (!(fabs(s[0][1]) + fabs(s[0][2]) + fabs(s[1][2]) > 0)) break;
        jacobi_turn(s, axes, 0, 1);
        jacobi_turn(s, axes, 0, 2);
        jacobi_turn(s, axes, 1, 2);
    }
    for (int i = 0; i < 2; i++)
        for (int k = 2; k > i; k--) {
            if (!(s[k][k] > s[k - 1][k - 1])) continue;
            double kept[3];
            memcpy(kept, axes[k], sizeof kept);
            memcpy(axes[k], axes[k - 1], sizeof kept);
            memcpy(axes[k - 1], kept, sizeof kept);
            const double value = s[k][k];
            s[k][k] = s[k - 1][k - 1];
            s[k - 1][k - 1] = value;
        }
    skl_v3_cross(axes[0], axes[1], axes[2]);
}

/* The rotation nearest to m, whose determinant is not negative and whose numbers are at most 1. */
static void nearest_rotation(const skl_m3 m, skl_m3 out) {
    double v[3][3], u[3][3], other[3];
    stretched_axes(m, v);
    skl_m3_transform(m, v[0], u[0]);
    normalise(u[0], v[0]);
    skl_m3_transform(m, v[1], u[1]);
    const double along = skl_v3_dot(u[0], u[1]), length = sqrt(skl_v3_dot(u[1], u[1]));
    for (int i = 0; i < 3; i++) u[1][i] -= along * u[0][i];
    /* What is left of rounding is no direction. */
    if (!(sqrt(skl_v3_dot(u[1], u[1])) > 1e-15) || !(length > 1e-15)) {
        const double straight = skl_v3_dot(v[1], u[0]);
        for (int i = 0; i < 3; i++) u[1][i] = v[1][i] - straight * u[0][i];
        if (skl_v3_dot(u[1], u[1]) < 0.1) memset(u[1], 0, sizeof u[1]);
    }
    perpendicular(u[0], other);
    normalise(u[1], other);
    skl_v3_cross(u[0], u[1], u[2]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[3 * i + k] = u[0][i] * v[0][k] + u[1][i] * v[1][k] + u[2][i] * v[2][k];
}

/* Whether m^T m is the identity within the tolerance, and m no mirror. */
static int is_rotation(const skl_m3 m, double determinant, double tolerance) {
    if (!(determinant > 0)) return 0;
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++) {
            const double product = m[i] * m[k] + m[3 + i] * m[3 + k] + m[6 + i] * m[6 + k];
            if (!(fabs(product - (i == k)) <= 2 * tolerance)) return 0;
        }
    return 1;
}

/* One step of Newton's iteration, the mean of m and its inverse transpose: enough for what is nearly a rotation. */
static void straighten(const skl_m3 m, double determinant, skl_m3 out) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            const double cofactor = m[3 * i1 + k1] * m[3 * i2 + k2] - m[3 * i1 + k2] * m[3 * i2 + k1];
            out[3 * i + k] = 0.5 * (m[3 * i + k] + cofactor / determinant);
        }
}

/* The rotation of m, and what it leaves of m minus the identity; returns whether it leaves anything. */
static int split(const skl_m3 m, double tolerance, skl_m3 rotation, double residual[9]) {
    const double determinant = skl_m3_determinant(m);
    memset(residual, 0, 9 * sizeof *residual);
    if (is_rotation(m, determinant, tolerance)) {
        straighten(m, determinant, rotation);
        return 0;
    }
    skl_m3 scaled, back;
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(m[i]));
    for (int i = 0; i < 9; i++) scaled[i] = largest > 0 ? m[i] / largest : 0;
    /* Rounding alone makes no mirror of what is flat. */
    if (skl_m3_determinant(scaled) < -1e-14)
        for (int i = 0; i < 9; i++) scaled[i] = -scaled[i];
    nearest_rotation(scaled, rotation);
    skl_m3_transpose(rotation, back);
    skl_m3_multiply(back, m, residual);
    for (int i = 0; i < 9; i += 4) residual[i] -= 1;
    return 1;
}

int skl_rigid_part(const double matrix[12], double tolerance, double dual[8], double residual[9]) {
    skl_m3 m, rotation;
    double sum = 0;
    for (int i = 0; i < 9; i++) m[i] = matrix[4 * (i / 3) + i % 3];
    for (int i = 0; i < 9; i++) sum += 0 * m[i];
    if (isnan(sum)) {
        for (int i = 0; i < 8; i++) dual[i] = NAN;
        for (int i = 0; i < 9; i++) residual[i] = NAN;
        return 1;
    }
    const int left = split(m, tolerance, rotation, residual);
    skl_m3_to_quaternion(rotation, dual);
    const double w = dual[0], x = dual[1], y = dual[2], z = dual[3];
    const double t[3] = {matrix[3] / 2, matrix[7] / 2, matrix[11] / 2};
    dual[4] = -(t[0] * x + t[1] * y + t[2] * z);
    dual[5] = t[0] * w + t[1] * z - t[2] * y;
    dual[6] = t[1] * w + t[2] * x - t[0] * z;
    dual[7] = t[2] * w + t[0] * y - t[1] * x;
    return left;
}
