/* SPDX-License-Identifier: MIT */
/* The numbers that define a loop. A leg is thigh and shin; parts have no unit. */
#pragma once

/* leg: how near the last pose is to the first: to be taken for a loop, rounding of files with few digits; and to be
 * called one, what a hand leaves. */
static const double LOOP_NEAR = 1e-3, LOOP_NEAR_GIVEN = 0.03;
/* At a seam a speed changes by no more than this multiple of its greatest change beside it, or this (leg per frame). */
static const double SEAM_BUMP = 2.0, SEAM_EVEN = 1e-3;
/* leg: how far three points that show a foot's turn are from its ankle: a foot's length, so that turns count as places
 * do. */
static const double ASIDE = 0.2;
/* leg: a clip that moves by less is a still picture. */
static const double LOOP_MOVES = 1e-6;
/* Of the extent of all points: hips that are nearer together show no turn; rad: a smaller one is rounding. */
static const double HIPS_APART = 1e-3, NO_TRAVEL_TURN = 1e-9;
/* s: what is put before and after: a period of at most the second, and at least the first, by which what one frame does
 * to another has faded to 1e-10. */
static const double AROUND_LEAST = 4.5, AROUND_MOST = 20.0;
/* Of a matrix's own size, and of the leg: one that differs by less is not written again. */
static const double SAME_MATRIX = 1e-9;
/* From ankle to ball, from behind the heel to the tip of the toes: where ground under a foot is compared; leg: half a
 * foot's width, on both sides. */
static const double ALONG_FOOT[] = {-1.0 / 3.0, 0.0, 0.5, 1.0, 4.0 / 3.0}, HALF_WIDTH = 0.05;
