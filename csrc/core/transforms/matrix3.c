/* SPDX-License-Identifier: MIT */
#include "matrix3.h"

#include <math.h>
#include <string.h>

#include "core/base/numbers.h"

void skl_m3_transpose(const skl_m3 m, skl_m3 out) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = m[3 * j + i];
}

void skl_m3_conjugate(const skl_m3 f, const skl_m3 m, skl_m3 out) {
    skl_m3 t, right;
    skl_m3_multiply(m, f, right);
    skl_m3_transpose(f, t);
    skl_m3_multiply(t, right, out);
}

/* The matrix of cofactors: determinant times the transposed inverse. */
static void cofactors(const skl_m3 m, skl_m3 out) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[3 * i + j] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
        }
}

double skl_m3_determinant(const skl_m3 m) {
    skl_m3 c;
    cofactors(m, c);
    return m[0] * c[0] + m[1] * c[1] + m[2] * c[2];
}

double skl_m3_even_scale(const skl_m3 m) {
    double square[3], off = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        square[i] = m[i] * m[i] + m[3 + i] * m[3 + i] + m[6 + i] * m[6 + i];
        off = skl_larger(fabs(m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j]), off);
    }
    off = skl_larger(skl_larger(fabs(square[0] - square[1]), fabs(square[0] - square[2])), off);
    return square[0] > 1e-100 && square[0] < 1e100 && off <= 4e-6 * square[0] ? sqrt(square[0]) : 0;
}

/* Brought to size 1; returns the size, or 0 where there is none. */
static double scaled(const skl_m3 m, skl_m3 out) {
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = skl_larger(fabs(m[i]), largest);
    if (!(largest > 0) || !isfinite(largest)) return 0;
    for (int i = 0; i < 9; i++) out[i] = m[i] / largest;
    return largest;
}

int skl_m3_is_singular(const skl_m3 m) {
    skl_m3 s;
    const double determinant = skl_m3_determinant(scaled(m, s) > 0 ? s : m);
    return determinant >= 0 && determinant <= 0;
}

double skl_m3_adjugate(const skl_m3 m, skl_m3 c, double *determinant) {
    skl_m3 s;
    const double size = scaled(m, s);
    if (!(size > 0)) return 0;
    cofactors(s, c);
    *determinant = s[0] * c[0] + s[1] * c[1] + s[2] * c[2];
    return fabs(*determinant) > 0 ? size : 0;
}

int skl_m3_solve(const skl_m3 m, const double v[3], double out[3]) {
    skl_m3 c;
    double determinant;
    memset(out, 0, 3 * sizeof *out);
    const double size = skl_m3_adjugate(m, c, &determinant);
    if (!(size > 0)) return 0;
    for (int i = 0; i < 3; i++) out[i] = (c[i] * v[0] + c[3 + i] * v[1] + c[6 + i] * v[2]) / determinant / size;
    return 1;
}

int skl_m3_solve_direction(const skl_m3 m, const double v[3], double out[3]) {
    skl_m3 c;
    cofactors(m, c);
    const double determinant = m[0] * c[0] + m[1] * c[1] + m[2] * c[2], size = fabs(determinant);
    if (!(size > 1e-60 && size < 1e60)) return skl_m3_solve(m, v, out);
    const double sign = determinant > 0 ? 1 : -1;
    for (int i = 0; i < 3; i++) out[i] = sign * (c[i] * v[0] + c[3 + i] * v[1] + c[6 + i] * v[2]);
    return 1;
}

int skl_m3_inverse(const skl_m3 m, skl_m3 out) {
    skl_m3 c;
    double determinant;
    memset(out, 0, sizeof c);
    const double size = skl_m3_adjugate(m, c, &determinant);
    if (!(size > 0)) return 0;
    const double by = 1 / determinant / size;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[3 * i + j] = c[3 * j + i] * by;
    return 1;
}

static double norm(const skl_m3 m) {
    double sum = 0;
    for (int i = 0; i < 9; i++) sum += m[i] * m[i];
    return sqrt(sum);
}

/* Two steps for a matrix that is orthogonal but for its size and for rounding, without a quotient: m (3 - m^T m) / 2
 * (Bjorck, Bowie 1971), of which each squares what is left. 0 if it is not; most matrices of poses are. */
static int almost_orthogonal(const skl_m3 m, skl_m3 out) {
    double square = 0;
    for (int i = 0; i < 9; i++) square += m[i] * m[i];
    const double size = 1 / sqrt(square / 3);
    if (!(size > 1e-100 && size < 1e100)) return 0;
    for (int i = 0; i < 9; i++) out[i] = m[i] * size;
    for (int step = 0; step < 2; step++) {
        skl_m3 gram, next;
        double off = 0;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const double dot = out[i] * out[j] + out[3 + i] * out[3 + j] + out[6 + i] * out[6 + j];
                off = skl_larger(fabs(dot - (i == j)), off);
                gram[3 * i + j] = (i == j ? 1.5 : 0.0) - 0.5 * dot;
            }
        if (!(off < 1e-4)) return 0;
        skl_m3_multiply(out, gram, next);
        memcpy(out, next, sizeof next);
    }
    return 1;
}

/* Newton's iteration for the polar decomposition (N. Higham 1986): the mean of a matrix and its transposed inverse. */
void skl_m3_orthogonal(const skl_m3 m, skl_m3 out) {
    static const skl_m3 identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (almost_orthogonal(m, out)) return;
    if (!(scaled(m, out) > 0)) memcpy(out, identity, sizeof identity);
    for (int step = 0; step < 64; step++) {
        skl_m3 c;
        cofactors(out, c);
        const double determinant = out[0] * c[0] + out[1] * c[1] + out[2] * c[2];
        const double balance = sqrt(norm(c) / fabs(determinant) / norm(out));
        if (!(balance > 0) || !isfinite(balance)) {
            memcpy(out, identity, sizeof identity);
            return;
        }
        double change = 0;
        for (int i = 0; i < 9; i++) {
            const double next = 0.5 * (out[i] * balance + c[i] / determinant / balance);
            change = skl_larger(fabs(next - out[i]), change);
            out[i] = next;
        }
        if (change < 1e-15) return;
    }
}

void skl_m3_from_quaternion(const double q[4], skl_m3 out) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const skl_m3 m = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                      2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                      2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(out, m, sizeof m);
}

/* Rows of numbers in the ratio of the quaternion's parts; row i is 4 times its part i times all of them. */
static void quaternion_rows(const skl_m3 m, double rows[4][4]) {
    rows[0][0] = 1 + m[0] + m[4] + m[8];
    rows[1][1] = 1 + m[0] - m[4] - m[8];
    rows[2][2] = 1 - m[0] + m[4] - m[8];
    rows[3][3] = 1 - m[0] - m[4] + m[8];
    rows[0][1] = rows[1][0] = m[7] - m[5];
    rows[0][2] = rows[2][0] = m[2] - m[6];
    rows[0][3] = rows[3][0] = m[3] - m[1];
    rows[1][2] = rows[2][1] = m[1] + m[3];
    rows[1][3] = rows[3][1] = m[2] + m[6];
    rows[2][3] = rows[3][2] = m[5] + m[7];
}

void skl_m3_to_quaternion_by(const skl_m3 m, int part, double q[4]) {
    double rows[4][4];
    quaternion_rows(m, rows);
    const double by = 0.5 / sqrt(rows[part][part]);
    for (int i = 0; i < 4; i++) q[i] = rows[part][i] * by;
}

void skl_m3_to_quaternion(const skl_m3 m, double q[4]) {
    double rows[4][4], length = 0;
    int best = 0; /* dividing by the largest loses no digits */
    quaternion_rows(m, rows);
    for (int i = 1; i < 4; i++)
        if (rows[i][i] > rows[best][best]) best = i;
    for (int i = 0; i < 4; i++) length += rows[best][i] * rows[best][i];
    length = sqrt(length);
    for (int i = 0; i < 4; i++) q[i] = rows[best][i] / length;
}
