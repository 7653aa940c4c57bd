/* SPDX-License-Identifier: MIT */
#include "hinge_side.h"

#include "core/base/smoothstep.h"
#include "core/transforms/turn.h"
#include "core/transforms/vector3.h"

#include <math.h>

/* Flexion in degrees up to which the hinge gives the bend plane, and from which the limb does. */
static const double HARDLY_BENT = 4, BENT = 20;
/* Change of what a limb is shorter than its bones, in parts of it, from which its own side counts for no more. */
static const double OTHER_BEND = 0.5;
/* The cosine between a limb's own side and the hinge's from which that makes no difference. */
static const double SAME_SIDE = 0.5;
/* From end to end, of the bones: below, a limb is folded up, and its line is that of its upper bone. */
static const double FOLDED = 1e-12;
/* The cosine of half the angle between lines that are opposite. */
static const double OPPOSITE = 1e-15;

double skl_flexion(const double thigh[3], const double shin[3]) {
    double normal[3];
    skl_v3_cross(thigh, shin, normal);
    return atan2(sqrt(skl_v3_dot(normal, normal)), skl_v3_dot(thigh, shin));
}

void skl_joint_axes(const skl_m3 matrix, skl_m3 out) {
    const double scale = skl_m3_even_scale(matrix);
    if (!(scale > 0)) {
        skl_m3_orthogonal(matrix, out);
        return;
    }
    for (int i = 0; i < 9; i++) out[i] = matrix[i] / scale;
}

void skl_hinge_in_space(const skl_m3 axes, const double axis[3], double out[3]) {
    const double hand = skl_m3_determinant(axes) < 0 ? -1 : 1;
    skl_m3_transform(axes, axis, out);
    for (int i = 0; i < 3; i++) out[i] *= hand;
}

/* The unit vector across the unit vector `line` on the side of v; 0 if there is none. */
static int across(const double v[3], const double line[3], double out[3]) {
    double part[3];
    skl_across(v, line, part);
    return skl_unit(part, out);
}

/* How far a limb's own side, `toward` (cosine) that of the hinge, counts, 0 to 1: of bones `full` long that were `was`
 * from end to end, and are to be `is`. */
static double own_share(double flexion, double toward, double full, double was, double is) {
    const double bent = skl_smoothstep((flexion - HARDLY_BENT * SKL_DEGREE) / ((BENT - HARDLY_BENT) * SKL_DEGREE));
    const double slack = full - was, change = fabs((is < full ? is : full) - was);
    const double same = change < OTHER_BEND * slack ? 1 - skl_smoothstep(change / (OTHER_BEND * slack)) : 0;
    const double own = same * skl_smoothstep(toward / SAME_SIDE);
    return bent > own ? bent : own;
}

static double largest_of(const double v[3], double size) {
    for (int i = 0; i < 3; i++) size = fmax(fabs(v[i]), size);
    return size;
}

/* Of lengths near 1, so that no square overflows or vanishes. */
static void side_of(const double thigh[3], const double shin[3], const double axis[3], const double line[3],
                    double out[3]) {
    double whole[3], before[3], after[3], normal[3], own[3], hinge[3], side[3];
    for (int i = 0; i < 3; i++) {
        whole[i] = thigh[i] + shin[i];
        out[i] = 0;
    }
    const double full = sqrt(skl_v3_dot(thigh, thigh)) + sqrt(skl_v3_dot(shin, shin));
    const double was = sqrt(skl_v3_dot(whole, whole));
    if (!skl_unit(was > FOLDED * full ? whole : thigh, before)) return;
    if (!skl_unit(line, after))
        for (int i = 0; i < 3; i++) after[i] = before[i];
    skl_v3_cross(before, axis, normal);
    const int has_hinge = across(normal, before, hinge), has_own = across(thigh, before, own);
    const double toward = has_own && has_hinge ? skl_v3_dot(own, hinge) : 0;
    double share = has_own;
    if (has_own && has_hinge)
        share = own_share(skl_flexion(thigh, shin), toward, full, was, sqrt(skl_v3_dot(line, line)));
    for (int i = 0; i < 3; i++)
        side[i] = share * (own[i] - (toward < 0 ? 2 * toward * hinge[i] : 0)) + (1 - share) * hinge[i];
    const double along = 1 + skl_v3_dot(before, after);
    const double by = along > OPPOSITE ? skl_v3_dot(side, after) / along : 0;
    for (int i = 0; i < 3; i++) side[i] -= by * (before[i] + after[i]);
    across(side, after, out);
}

void skl_hinge_side(const double thigh[3], const double shin[3], const double axis[3], const double line[3],
                    double out[3]) {
    const double size = largest_of(line, largest_of(shin, largest_of(thigh, 0))), by = size > 1e-300 ? 1 / size : 1;
    double u[3], v[3], d[3];
    for (int i = 0; i < 3; i++) {
        u[i] = by * thigh[i];
        v[i] = by * shin[i];
        d[i] = by * line[i];
    }
    side_of(u, v, axis, d, out);
}
