/* SPDX-License-Identifier: MIT */
/* Cardano's formula, with Viete's cosines where there are three roots. It loses digits where roots nearly coincide, as
 * handles that were shortened make them, and Blender loses the same ones: hence no iteration, which would find better
 * roots and so other values. */
#include "cubic_root.h"

#include <math.h>

static int cubic_roots(double a, double b, double c, double root[3]) {
    a /= 3.0;
    const double p = b / 3.0 - a * a, q = (2.0 * a * a * a - a * b + c) / 2.0, d = q * q + p * p * p;
    if (d > 0.0) {
        const double s = sqrt(d);
        root[0] = cbrt(-q + s) + cbrt(-q - s) - a;
        return 1;
    }
    if (d == 0.0) {
        const double s = cbrt(-q);
        root[0] = 2.0 * s - a;
        root[1] = -s - a;
        return 2;
    }
    const double angle = acos(-q / sqrt(-(p * p * p))) / 3.0, s = sqrt(-p);
    const double near = cos(angle), far = sqrt(3.0 - 3.0 * near * near);
    root[0] = 2.0 * s * near - a;
    root[1] = -s * (near + far) - a;
    root[2] = -s * (near - far) - a;
    return 3;
}

static int quadratic_roots(double a, double b, double c, double root[2]) {
    if (a == 0.0) {
        root[0] = b != 0.0 ? -c / b : 0.0;
        return 1;
    }
    const double d = b * b - 4.0 * a * c, s = sqrt(d > 0.0 ? d : 0.0);
    root[0] = (-b - s) / (2.0 * a);
    root[1] = (-b + s) / (2.0 * a);
    return 2;
}

double skl_rising_root(const float c[4]) {
    const double c0 = (double)c[0], c1 = (double)c[1], c2 = (double)c[2], c3 = (double)c[3];
    double root[3];
    const int count = c3 != 0.0 ? cubic_roots(c2 / c3, c1 / c3, c0 / c3, root) : quadratic_roots(c2, c1, c0, root);
    for (int i = 0; i < count; i++) {
        if (root[i] >= -1e-10 && root[i] <= 1.000001) return root[i];
    }
    return c0 < 0.0 && root[0] > 0.5 ? 1.0 : 0.0;
}
