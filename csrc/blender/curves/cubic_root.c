/* SPDX-License-Identifier: MIT */
/* Cardano's formula, with Viete's cosines where there are three roots. It loses digits where roots nearly coincide, as
 * handles that were shortened make them, and Blender loses the same ones: hence no iteration, which would find better
 * roots and so other values.
 *
 * Of many cubics at a time, the same formula is computed with cube roots and cosines that are good to some 14 digits,
 * in loops that a compiler spreads over lanes. Where that is not enough to tell which float the root is rounded to, or
 * whether it lies within 0 and 1, the formula is computed again as it stands. */
#include "cubic_root.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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

skl_cubic skl_cubic_of(const float c[4]) {
    skl_cubic cubic = {.c = {0.0f, c[1], c[2], c[3]}, .c3 = (double)c[3]};
    if (c[3] == 0.0f) return cubic;
    /* in the order of operations of cubic_roots */
    const double a = (double)c[2] / cubic.c3 / 3.0, b = (double)c[1] / cubic.c3, p = b / 3.0 - a * a;
    cubic.shift = a;
    cubic.base = 2.0 * a * a * a - a * b;
    cubic.p3 = p * p * p;
    cubic.size = sqrt(p < 0.0 ? -p : 0.0);
    cubic.turn = sqrt(p < 0.0 ? -cubic.p3 : 0.0);
    return cubic;
}

/* Numbers whose logarithms fit a float, with something to spare. */
#define LEAST 1e-30
#define MOST 1e30

/* Halley's iteration, once in float and once in double: 0, and for sizes from LEAST to MOST good to 1e-14 of the root.
 */
static void near_cube_roots(const double *x, int count, double *root) {
    for (int i = 0; i < count; i++) {
        const double wide = fabs(x[i]);
        const float narrow = (float)(wide < MOST ? wide : MOST);
        uint32_t bits;
        float guess;
        memcpy(&bits, &narrow, sizeof bits);
        bits = bits / 3 + 0x2a514067u; /* a third of the logarithm */
        memcpy(&guess, &bits, sizeof bits);
        const float cube = guess * guess * guess;
        const double near = (double)(guess * ((cube + narrow + narrow) / (cube + cube + narrow)));
        const double nearer = near * near * near;
        const double found = near * ((nearer + wide + wide) / (nearer + nearer + wide));
        root[i] = wide == 0.0 ? 0.0 : copysign(found, x[i]);
    }
}

/* cos(acos(x) / 3) to 1e-15: a polynomial in the cosine of half of that angle, in which it has no singularity
 * (Chebyshev's interpolation of cos(2/3 acos w) for w from 0 to 1, in powers of 2 w - 1). */
static double near_third(double x) {
    static const double c[] = {
        0x1.8836fa2cf5038p-1,   0x1.fab19ac4b971cp-3,  -0x1.fc34808fa1d9cp-7,  0x1.4345115cc2316p-9,
        -0x1.084e788284eb3p-11, 0x1.e852e0dd6febdp-14, -0x1.e532287a97500p-16, 0x1.fa12b6ee73fc7p-18,
        -0x1.1140e0c53d1c7p-19, 0x1.2ee18b5410aabp-21, -0x1.5672d84fc0000p-23, 0x1.89b7a89b00000p-25,
        -0x1.cf3af7838e38ep-27, 0x1.1105225aaaaabp-28, -0x1.215bca0000000p-30, 0x1.59d956aaaaaabp-32,
        -0x1.67b6e00000000p-33, 0x1.b7272aaaaaaabp-35,
    };
    const double z = 2.0 * sqrt(0.5 + 0.5 * x) - 1.0;
    double sum = c[17];
    for (int i = 16; i >= 0; i--) sum = sum * z + c[i];
    return sum;
}

/* Cubics that are waiting for the same formula. */
typedef struct waiting {
    int count, place[SKL_CUBICS];
    double a[SKL_CUBICS], b[SKL_CUBICS]; /* what its functions take */
} waiting;

/* The float that all numbers so near to x are rounded to; -1 where there are several, or some beyond 0 and 1. */
static float certain(double x, double within) {
    const float low = (float)(x - within), high = (float)(x + within);
    return x - within > 0.0 && x + within < 1.0 && low == high ? low : -1.0f;
}

static int fits(double x) { return x == 0.0 || (fabs(x) >= LEAST && fabs(x) <= MOST); }

static void single_roots(const waiting *some, const skl_cubic *const *cubics, float *roots) {
    double u[SKL_CUBICS], v[SKL_CUBICS];
    near_cube_roots(some->a, some->count, u);
    near_cube_roots(some->b, some->count, v);
    for (int i = 0; i < some->count; i++) {
        const double shift = cubics[some->place[i]]->shift, root = u[i] + v[i] - shift;
        const double within = 1e-13 * (fabs(u[i]) + fabs(v[i])) + 1e-15 * fabs(shift);
        roots[some->place[i]] = fits(some->a[i]) && fits(some->b[i]) ? certain(root, within) : -1.0f;
    }
}

/* The first of three roots that lies within 0 and 1; -1 where that is not certain. */
static float first_inside(const double root[3], double within) {
    for (int i = 0; i < 3; i++) {
        if (root[i] + within < -1e-10 || root[i] - within > 1.000001) continue;
        return certain(root[i], within);
    }
    return -1.0f;
}

static void triple_roots(const waiting *some, const skl_cubic *const *cubics, float *roots) {
    double third[SKL_CUBICS];
    for (int i = 0; i < some->count; i++) third[i] = near_third(some->a[i]);
    for (int i = 0; i < some->count; i++) {
        const skl_cubic *cubic = cubics[some->place[i]];
        const double s = cubic->size, near = third[i], square = 3.0 - 3.0 * near * near;
        const double far = sqrt(square > 1e-6 ? square : 1e-6);
        const double root[3] = {2.0 * s * near - cubic->shift, -s * (near + far) - cubic->shift,
                                -s * (near - far) - cubic->shift};
        const double within = s * (1e-13 + 1e-13 / far) + 1e-15 * fabs(cubic->shift);
        roots[some->place[i]] = square > 1e-6 ? first_inside(root, within) : -1.0f;
    }
}

void skl_rising_roots(const skl_cubic *const *cubics, const float *constants, int count, float *roots) {
    waiting single, triple; /* their arrays are not worth clearing */
    single.count = triple.count = 0;
    for (int i = 0; i < count; i++) {
        const skl_cubic *cubic = cubics[i];
        roots[i] = -1.0f;
        if (cubic->c3 == 0.0) continue;
        const double q = (cubic->base + (double)constants[i] / cubic->c3) / 2.0, d = q * q + cubic->p3;
        waiting *some = d > 0.0 ? &single : &triple;
        const double s = sqrt(fabs(d));
        some->place[some->count] = i;
        some->a[some->count] = d > 0.0 ? -q + s : -q / cubic->turn;
        some->b[some->count] = -q - s;
        some->count += d != 0.0;
    }
    if (single.count > 0) single_roots(&single, cubics, roots);
    if (triple.count > 0) triple_roots(&triple, cubics, roots);
    for (int i = 0; i < count; i++) {
        if (roots[i] >= 0.0f) continue;
        const float c[4] = {constants[i], cubics[i]->c[1], cubics[i]->c[2], cubics[i]->c[3]};
        roots[i] = (float)skl_rising_root(c);
    }
}
