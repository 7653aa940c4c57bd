/* SPDX-License-Identifier: MIT */
/* The split of a matrix, against what it is made from. */
#include "check.h"
#include "core/transforms/matrix3.h"
#include "core/skinning/rigid_part.h"

static double worst_of(const double *a, const double *b, int count) {
    double worst = 0;
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

static void random_rotation(skl_m3 out) {
    double q[4], length = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = next_number();
        length += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(length);
    skl_m3_from_quaternion(q, out);
}

static void compose(const skl_m3 linear, const double t[3], double out[12]) {
    for (int i = 0; i < 12; i++) out[i] = i % 4 == 3 ? t[i / 4] : linear[3 * (i / 4) + i % 4];
}

/* Translation of a dual quaternion: twice the vector part of dual times the conjugate of real. */
static void translation_of(const double d[8], double out[3]) {
    const double *r = d + 1, *v = d + 5;
    for (int i = 0; i < 3; i++) {
        const int n = (i + 1) % 3, m = (i + 2) % 3;
        out[i] = 2 * (v[i] * d[0] - d[4] * r[i] - (v[n] * r[m] - v[m] * r[n]));
    }
}

/* rotation (1 + residual), and the translation. */
static void put_together(const double dual[8], const double residual[9], double out[12]) {
    skl_m3 rotation, left, linear;
    double t[3];
    skl_m3_from_quaternion(dual, rotation);
    for (int i = 0; i < 9; i++) left[i] = residual[i] + (i % 4 == 0);
    skl_m3_multiply(rotation, left, linear);
    translation_of(dual, t);
    compose(linear, t, out);
}

static void a_stretched_rotation_comes_apart(double smallest, double tolerance) {
    skl_m3 rotation, axes, stretch = {0}, symmetric, linear, found;
    const double t[3] = {next_number(), next_number(), next_number()};
    double m[12], dual[8], residual[9], back[12];
    random_rotation(rotation);
    random_rotation(axes);
    for (int i = 0; i < 3; i++) stretch[4 * i] = i ? 1.5 + next_number() : smallest;
    skl_m3_conjugate(axes, stretch, symmetric);
    skl_m3_multiply(rotation, symmetric, linear);
    compose(linear, t, m);
    CHECK(skl_rigid_part(m, 1e-6, dual, residual) == 1);
    skl_m3_from_quaternion(dual, found);
    CHECK(worst_of(found, rotation, 9) < tolerance);
    put_together(dual, residual, back);
    CHECK(worst_of(back, m, 12) < 1e-14);
    for (int i = 0; i < 9; i++) symmetric[i] -= i % 4 == 0;
    CHECK(worst_of(residual, symmetric, 9) < tolerance);
}

static void a_rigid_matrix_leaves_nothing(void) {
    skl_m3 rotation, found;
    const double t[3] = {1e3, -2, 0.5};
    double m[12], dual[8], residual[9], back[12];
    random_rotation(rotation);
    for (int i = 0; i < 9; i++) rotation[i] = (double)(float)rotation[i];
    compose(rotation, t, m);
    CHECK(skl_rigid_part(m, 1e-6, dual, residual) == 0);
    for (int i = 0; i < 9; i++) CHECK(!(fabs(residual[i]) > 0));
    put_together(dual, residual, back);
    CHECK(worst_of(back, m, 12) < 1e-6);
    skl_m3_from_quaternion(dual, found);
    CHECK(fabs(skl_m3_determinant(found) - 1) < 1e-14);
}

static void a_mirror_goes_into_the_residual(void) {
    skl_m3 rotation, linear;
    const double t[3] = {0, 0, 0};
    double m[12], dual[8], residual[9], back[12];
    random_rotation(rotation);
    for (int i = 0; i < 9; i++) linear[i] = -2 * rotation[i];
    compose(linear, t, m);
    CHECK(skl_rigid_part(m, 1e-6, dual, residual) == 1);
    put_together(dual, residual, back);
    CHECK(worst_of(back, m, 12) < 1e-14);
    for (int i = 0; i < 9; i++) CHECK(fabs(residual[i] - (i % 4 == 0 ? -3 : 0)) < 1e-14);
}

static void flat_matrices_give_some_rotation(void) {
    static const double flat[4][9] = {
        {0}, {0, 0, 2, 0, 0, 0, 0, 0, 0}, {1, 2, 3, 2, 4, 6, 3, 6, 9}, {1, 0, 0, 0, 0, 0, 0, 0, 5}};
    const double t[3] = {1, 2, 3};
    for (int k = 0; k < 4; k++) {
        double m[12], dual[8], residual[9], back[12];
        compose(flat[k], t, m);
        CHECK(skl_rigid_part(m, 1e-6, dual, residual) == 1);
        CHECK(fabs(dual[0] * dual[0] + dual[1] * dual[1] + dual[2] * dual[2] + dual[3] * dual[3] - 1) < 1e-14);
        put_together(dual, residual, back);
        CHECK(worst_of(back, m, 12) < 1e-14);
        if (k == 0) CHECK(fabs(dual[0]) > 1 - 1e-14);
    }
}

static void what_is_not_finite_stays_so(void) {
    for (int place = 0; place < 12; place++) {
        double m[12], dual[8], residual[9];
        for (int i = 0; i < 12; i++) m[i] = i % 5 == 0;
        m[place] = place % 2 ? NAN : INFINITY;
        skl_rigid_part(m, 1e-6, dual, residual);
        CHECK(place % 4 == 3 ? !isfinite(dual[4]) || !isfinite(dual[5]) || !isfinite(dual[6]) || !isfinite(dual[7])
                             : isnan(dual[0]) && isnan(residual[0]));
    }
}

int main(void) {
    for (int i = 0; i < 200; i++) {
        a_stretched_rotation_comes_apart(1.25 + next_number(), 1e-14);
        a_stretched_rotation_comes_apart(0, 1e-13);
        a_stretched_rotation_comes_apart(1e-9, 1e-13);
        a_rigid_matrix_leaves_nothing();
        a_mirror_goes_into_the_residual();
    }
    flat_matrices_give_some_rotation();
    what_is_not_finite_stays_so();
    return REPORT();
}
