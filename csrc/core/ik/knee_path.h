/* SPDX-License-Identifier: MIT */
/* The ways in which a knee may bend, as one angle, where the closed form does not hold: scale inside of the chain that
 * differs between the axes, or a limit on the knee. Seen from the hip before the upper bone turns. */
#pragma once

#include "core/limits/joint_limits.h"

/* The knee's turn, in the frame of its parent, is left @ (turn by the angle about z) @ right; on top of that what
 * `limit` requires, where there is one. */
typedef struct skl_knee_path {
    double u[3];               /* hip to knee */
    skl_m3 above;              /* axes of the knee's parent */
    double shin[3];            /* knee to ankle in them */
    skl_m3 left, right, carry; /* carry = above @ left */
    double spun[3];            /* right @ shin */
    double low, high;          /* range of the angle */
    double centre[3], cosine[3],
        sine[3]; /* without a limit, hip to end is centre + cosine cos + sine sin of the angle */
    const skl_joint_limit *limit;
    skl_m3 axes; /* of the knee's joint, for `limit` */
    /* Found by skl_knee_measure: distances from hip to end, and the angles there. */
    double least, most, at_least, at_most;
    /* Likewise: whether there is one farthest and one nearest point on the whole circle, `top` and `bottom`, and the
     * square of the distance as middle + swing cos(angle - phase), but for what scale inside of the chain adds. */
    int one_valley;
    double top, bottom, middle, swing, phase;
} skl_knee_path;

/* Bend about `axis` (in the frame of the knee's parent; any length) on top of the turn `base`, from straight to folded;
 * u, above, shin are set before. `limit` may be NULL. */
void skl_knee_about(skl_knee_path *path, const double axis[3], const skl_m3 base, const skl_joint_limit *limit);

/* Bend as a hinge allows; `proper` is the joint's rotation now. u, above, shin are set before. */
void skl_knee_hinge(skl_knee_path *path, const skl_joint_limit *limit, const skl_m3 proper);

/* The knee's turn, and hip to end, at this angle. */
void skl_knee_turn(const skl_knee_path *path, double angle, skl_m3 turn);
void skl_knee_end(const skl_knee_path *path, double angle, double end[3]);

void skl_knee_measure(skl_knee_path *path);

/* The angles, at most two and the one nearest to `hint` first, at which the end is this far from the hip, or the one at
 * which it comes nearest to that. Returns how many. */
int skl_knee_at_distance(const skl_knee_path *path, double distance, double hint, double angles[2]);

/* Hip to end at an angle, and its first and second derivative. */
void skl_knee_derivatives(const skl_knee_path *path, double angle, double end[3], double first[3], double second[3]);
