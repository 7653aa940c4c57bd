/* SPDX-License-Identifier: MIT */
/* From a pose inside of a limb's limits downhill to the one that brings its end nearest to a point.
 *
 * With q where the end is after the twist, and y the goal turned back by the swing, the distance is |q - y|: short
 * formulas both, with their derivatives. The swing is varied in one of three ways: along the rim of what is allowed
 * (one number), freely (two), or to and fro where only one axis is free (one). */
#pragma once

#include "knee_path.h"

/* Four numbers that say how a limb is: the swing of the upper joint as a rotation vector, its twist, the knee's angle.
 */
typedef struct skl_limb_numbers {
    double swing[2], twist, bend;
    double miss; /* distance from the goal, of the leg */
} skl_limb_numbers;

/* A search. Directions are those of the limit's frame after (`goal`) or before (`back`) the upper joint's rotation. */
typedef struct skl_limb_search {
    const skl_joint_limit *limit; /* of the upper joint, without softness */
    const skl_knee_path *path;
    skl_m3 back; /* takes hip to end, as the path gives it, into that frame, in lengths of the leg */
    double goal[3];
    double centre[3], cosine[3], sine[3]; /* the knee's path in that frame; set by skl_limb_search_begin */
} skl_limb_search;

/* What follows from the other fields. */
void skl_limb_search_begin(skl_limb_search *s);

/* Improve a pose inside until the steps are less than `enough`: Newton's method on the numbers that are not held by a
 * bound. What will not come as near as `least` is left where that shows; what comes to one of the poses found before
 * (`count` of them) is that one. */
void skl_limb_descend(const skl_limb_search *s, double enough, double least, const skl_limb_numbers *found, int count,
                      skl_limb_numbers *pose);

/* 1 if two poses are in one valley, by all signs. */
int skl_limb_same_valley(const skl_limb_numbers *p, const skl_limb_numbers *q);

/* A vector d turned back by a swing, y = f0 d - f1 (swing x d) + f2 (swing . d) swing, with its first derivatives. */
typedef struct skl_turned_back {
    double y[3], first[2][3];
    double f[3][3], along, cross[3], by_cross[2][3]; /* what its second derivatives need */
} skl_turned_back;

void skl_turn_back(const double swing[2], const double d[3], skl_turned_back *t);
