/* SPDX-License-Identifier: MIT */
/* The numbers of the paths' problem, see smooth_paths.h, and of its solution. A leg is the mean of all; lengths are
 * legs where nothing else is said. */
#pragma once

/* --- what is wanted -----------------------------------------------------------------------------------------------*/

/* The body's weight beside a leg's, which is 1: with less it shakes, with more knees pay; and that of an ankle in space
 * beside its offset from the hip: feet in the air go with the body. */
static const double BODY_WEIGHT = 20.0, ANKLE_WEIGHT = 0.2;
/* 1/(rad^2 s^4), 1/rad^2, 1/(rad^2 s^4): what a knee's change costs, its acceleration, and what of it is noise: slower
 * than (jerk / noise)^(1/4) = 10 ms. */
static const double FLEXION_WEIGHT = 1000.0, JERK_WEIGHT = 0.1, NOISE_WEIGHT = 1e7;
/* 1/s^4: the spring back to the original at the usual blend (s), which fades by e in 0.19 s; s: the least blend, so
 * that the spring stays a number. */
static const double PATH_SPRING = 3000.0, USUAL_BLEND = 0.2, LEAST_BLEND = 1e-3;
/* Of its length: a leg gets no straighter, unless it was: 11.5 degrees of flexion, below which knees snap; and in the
 * air where the body may be lowered. */
static const double STRAIGHT = 0.995, NEARLY_STRAIGHT = 0.9995;
/* leg: so far below the ground a sole may swing if it was there: to lift it would jerk the knee; no foot that swings
 * below ground that is only assumed is lifted by more; where one goes deeper that ground ends, and surely where it is
 * as much deeper again. */
static const double GRAZE = 0.008, MOST_LIFT = 0.05;
/* degrees: a straighter knee counts as bent so far in how fast it opens, which has no bound at 0. */
static const double LEAST_OPENING = 4;
/* degrees: half the flexion from which on noise in a knee's change costs no more; leg: where the capture's leg is off
 * its calm line by as much, half of what a nearly straight knee adds to that cost is left. */
static const double LEAST_SHAKING = 2, SHAKES = 0.002;
/* leg: what an ankle lacks that is out of reach; s: of the contacts so near, the one held furthest from its path is
 * left out first. */
static const double LACKING = 1e-4, LEFT_OUT_BESIDE = 0.25;
/* leg: a tip of bent toes that is less deep lies on the ground. */
static const double TOES_DEEP = 1e-4;

/* --- when it is solved --------------------------------------------------------------------------------------------*/

/* leg: what would be moved by less stays bit for bit: more than what the solution is off by. */
static const double MOVES_NOTHING = 5e-10;
/* leg: a sole in the air that is higher is not held up by the ground; where that then differs by less it is not queried
 * again. */
static const double NEAR = 0.01, SETTLED = 3e-10;
/* Times at most that uneven ground is queried where feet in the air are, and tips of toes; and that paths are planned,
 * each time without contacts that turned out to be out of reach. */
enum { LOOKS_AT_GROUND = 10, LOOKS_AT_TIPS = 4, LOOKS = 20 };

/* What a bound costs that is broken by one length for one second, so that all others are kept before; the body's, by as
 * much as it is off the middle of its neighbours: reach gives way first. */
static const double REACH_FORCE = 1e9, FLOOR_FORCE = 1e9, BODY_FORCE = 1e11;
/* lengths, and of the greatest acceleration: bounds that are further from being broken sleep. */
static const double BOUND_FAR = 0.01, BODY_FAR = 0.8;
/* lengths: places that are nearer have no direction; those that differ by less are one. */
static const double NEAREST = 1e-9, SAME_PLACES = 1e-10;
/* Products of rooms and forces, per second: from where bounds are approached, or at least where the paths are nearly
 * known; where they count as kept; lengths: at the first no bound begins with less room. */
static const double FIRST_GAP = 100, LEAST_FIRST_GAP = 1e-6, LAST_GAP = 1e-12, FIRST_ROOM = 0.01;
/* A bound pushes with all it may when broken by the inverse of the first (lengths), at most; a step goes this part of
 * the way to where a room or a force would end, while products are large. */
static const double STIFFEST = 1e5, STEP_KEPT = 0.995;
/* Parts of a step that the next one may be: at least, and in ratios by which products shrink. */
static const double LEAST_STEP = 0.01, MOST_STEP_RATIOS = 30;
/* Steps of the solver at most; it is then off by more than is allowed, and no call goes on for ever. */
static const int MOST_ROUNDS = 60;
/* Frames at once: their columns fit into the nearest cache. */
enum { TILE = 32 };
