/* SPDX-License-Identifier: MIT */
/* The limits from which on somebody who looks at a clip minds, and of the figures of others. Times are fixed ones and
 * no frames, so that the rate changes nothing; a leg is the mean of all; parts have no unit. */
#pragma once

/* --- knees --------------------------------------------------------------------------------------------------------*/

/* degrees: flexion counts from here on, 0.5 % of a leg from straight: below, it changes much where nothing is seen. */
static const double LEAST_FLEXION = 11.5;
/* degrees: of knees that bend so differently from the original, or backward, or do not count as backward yet. */
static const double FLEXION_CHANGED = 10, BENT_BACKWARD = 1;
/* degrees/s^2: a knee pops beyond, and one that was calm did less. */
static const double KNEE_POPS = 8000, KNEE_CALM = 6000;
/* The square of the tangent of 7 degrees: a knee that is bent less has no direction that one sees. */
static const double TAN2_BENT = 0.0150760484;
/* s: differences are taken over this. */
static const double DIFFERENCE = 1.0 / 30.0;
/* Times the original's: knees that jerk more are minded. */
static const double JERKS = 2.0;

/* --- glitches of the clip itself ----------------------------------------------------------------------------------*/

/* Times what nearly all of the clip's own jumps are; leg, leg and degrees per frame^2 at least; s: and what is around
 * it is not planting's. */
static const double GLITCH = 8, NEARLY_ALL = 0.95, LEAST_GLITCH[] = {0.05, 0.05, 15}, AROUND_GLITCH = 0.1;
/* Parts: of highest figures that differ by no more, the first is reported, so that rounding names no other frame. */
static const double FIGURES_ALIKE = 1e-4, SEEN_ALIKE = 1 + 1e-7;

/* --- feet and body ------------------------------------------------------------------------------------------------*/

/* s: a body that is moved within these is thrown. */
static const double THROWN_WITHIN[] = {0.5, 0.25};
/* leg, s, leg: a lift is so high for so long, and its peak is so high. */
static const double LIFT_HEIGHT = 0.03, LIFT_LASTS = 0.1, LIFT_PEAK = 0.05;
/* leg, s, s: a foot so near above its ground stands; one floats, or sinks, that does so for this long. */
static const double STANDS = 0.015, FLOATS_FOR = 0.2, SINKS_FOR = 0.1;
/* leg: a contact slides by more; feet stand on two levels that are further apart. */
static const double SLIDES = 0.02, LEVELS_APART = 0.04;
/* s: the heel's height is looked at in contacts that last so long. */
static const double HEEL_SEEN = 0.2;
/* Quantiles of heights: a foot's lowest in the clip, and its ground. */
static const double LOWEST_IN_CLIP = 0.05, LOWEST_ON_GROUND = 0.1;

/* --- figures of the literature ------------------------------------------------------------------------------------*/

/* m, m/s, s: foot skating: both heights below, faster for so long, five frames at 20 frames per second. */
static const double SKATING_HEIGHT = 0.05, SKATING_SPEED = 0.5, SKATING_WINDOW = 0.25;
/* m: slide is weighted by heights below this one; and what floats or penetrates by no more does neither. */
static const double SLIDE_HEIGHT = 0.025, TOLERANCE = 0.005;
