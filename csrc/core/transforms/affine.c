/* SPDX-License-Identifier: MIT */
#include "affine.h"

#include <math.h>

/* Unlike fmax never a call. */
static double larger(double a, double b) { return a > b ? a : b; }

int skl_affine_invert(const double a[16], double out[16]) {
    double largest = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) largest = larger(fabs(a[4 * i + j]), largest);
    if (!(largest > 0) || !isfinite(largest)) return 0;
    /* Brought to size 1 first, so that a tiny or huge scale neither vanishes nor overflows in the determinant. */
    double m[3][3], cofactor[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = a[4 * i + j] / largest;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactor[i][j] = m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
        }
    const double determinant = m[0][0] * cofactor[0][0] + m[0][1] * cofactor[0][1] + m[0][2] * cofactor[0][2];
    if (!(fabs(determinant) > 0)) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[4 * i + j] = cofactor[j][i] / determinant / largest;
    for (int i = 0; i < 3; i++) out[4 * i + 3] = -(out[4 * i] * a[3] + out[4 * i + 1] * a[7] + out[4 * i + 2] * a[11]);
    for (int j = 0; j < 4; j++) out[12 + j] = j == 3 ? 1.0 : 0.0;
    double sum = 0; /* stays 0 as long as all are finite */
    for (int i = 0; i < 12; i++) sum += out[i] - out[i];
    return sum >= 0 && sum <= 0;
}

int skl_affine_check(const double a[16]) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(a[i])) return 0;
    for (int j = 0; j < 4; j++) {
        const double wanted = j == 3 ? 1.0 : 0.0;
        if (!(a[12 + j] >= wanted && a[12 + j] <= wanted)) return 0;
    }
    return 1;
}
