/* SPDX-License-Identifier: MIT */
#include "affine.h"

#include <math.h>

#include "matrix3.h"

int skl_affine_invert(const double a[16], double out[16]) {
    skl_m3 linear, cofactors;
    double determinant;
    skl_affine_linear(a, linear);
    const double size = skl_m3_adjugate(linear, cofactors, &determinant);
    if (!(size > 0)) return 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[4 * i + j] = cofactors[3 * j + i] / determinant / size;
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
