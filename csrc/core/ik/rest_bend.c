/* SPDX-License-Identifier: MIT */
/* To which side a limb bends, as the rest pose says. */
#include <string.h>

#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "skelkin/ik.h"
#include "core/transforms/affine.h"

/* Sine of a knee whose bend in the rest pose is no accident. */
static const double CLEAR_BEND = 1e-3;
/* Of its length: a limb whose ends are nearer has no direction. */
static const double NO_REACH = 1e-12;

/* From the end joint to the farthest joint below it; 0 where there is none. */
static int farthest_child(const skl_skeleton *skeleton, int32_t end, const double *end_site, double out[3]) {
    double from[3], most = -1.0;
    skl_affine_place(skeleton->rest_global + 16 * end, from);
    for (int64_t j = end + 1; j < skeleton->num_joints; j++) {
        double offset[3], there[3];
        if (skeleton->parents[j] != end) continue;
        skl_affine_place(skeleton->rest_global + 16 * j, there);
        skl_v3_minus(there, from, offset);
        if (skl_v3_dot(offset, offset) <= most) continue;
        most = skl_v3_dot(offset, offset);
        memcpy(out, offset, sizeof offset);
    }
    if (end_site) {
        skl_m3 axes;
        double offset[3];
        skl_affine_linear(skeleton->rest_global + 16 * end, axes);
        skl_m3_transform(axes, end_site, offset);
        if (skl_v3_dot(offset, offset) > most) {
            most = skl_v3_dot(offset, offset);
            memcpy(out, offset, sizeof offset);
        }
    }
    return most >= 0;
}

/* What of `v` is square to a unit vector. */
static void square_to(const double line[3], const double v[3], double out[3]) {
    const double along = skl_v3_dot(v, line);
    for (int i = 0; i < 3; i++) out[i] = v[i] - along * line[i];
}

void skl_rest_bend(const skl_skeleton *skeleton, const int32_t chain[3], const double *end_site, double out[3]) {
    double a[3], b[3], c[3], upper[3], lower[3], line[3], side[3], across[3], toes[3];
    skl_affine_place(skeleton->rest_global + 16 * chain[0], a);
    skl_affine_place(skeleton->rest_global + 16 * chain[1], b);
    skl_affine_place(skeleton->rest_global + 16 * chain[2], c);
    skl_v3_minus(b, a, upper);
    skl_v3_minus(c, b, lower);
    skl_v3_minus(c, a, line);
    memset(out, 0, 3 * sizeof *out);
    const double leg = skl_v3_length(upper) + skl_v3_length(lower), reach = skl_v3_length(line);
    if (!(reach > NO_REACH * leg)) return;
    for (int i = 0; i < 3; i++) line[i] /= reach;
    square_to(line, upper, side);
    skl_v3_cross(upper, lower, across);
    const double product = skl_v3_length(upper) * skl_v3_length(lower);
    if (!(skl_v3_length(across) >= CLEAR_BEND * product && product > 0)) {
        if (!farthest_child(skeleton, chain[2], end_site, toes)) return;
        square_to(line, toes, side);
        if (!(skl_v3_length(side) > CLEAR_BEND * leg)) return;
    }
    skl_m3 axes;
    skl_affine_linear(skeleton->rest_global + 16 * chain[0], axes);
    if (!skl_m3_is_singular(axes)) skl_m3_solve(axes, side, out);
}
