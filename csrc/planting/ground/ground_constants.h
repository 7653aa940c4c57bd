/* SPDX-License-Identifier: MIT */
/* The numbers by which feet stand on grounds, given or not. A leg is thigh and shin; parts have no unit. */
#pragma once

#include "core/transforms/vector3.h"

/* --- levels -------------------------------------------------------------------------------------------------------*/

/* leg: a contact so far above a ground that is given stands on something the ground does not show, such as a step. */
static const double ABOVE_GROUND = 0.13;
/* Times what soles move up and down within contacts: contacts on one level lie no further apart; leg: its bounds, from
 * the noise of a good capture to the height of a low step. */
static const double LEVEL_NOISE = 10.0, LEAST_LEVEL = 0.04, MOST_LEVEL = 0.12;
/* Of that: over so much more, contacts pass from the level to their own height without a step. */
static const double LEVEL_EDGE = 0.1;
/* Of the time that feet stand: with less on one level there is none, as on a stair; with more there certainly is. */
static const double FEW_ON_LEVEL = 0.3, MANY_ON_LEVEL = 0.5;
/* leg: ground whose heights below standing feet differ by so much is not level. */
static const double NOT_LEVEL = 0.01;
/* leg: a motion further from uneven ground was not made on it. */
static const double FAR_OFF = 0.75;
/* leg: a motion beside lone frames that is so near to its ground is led there; from twice that on it is moved. */
static const double LED_THERE = 0.05;

/* --- soles that differ from side to side --------------------------------------------------------------------------*/

/* leg: feet whose stance differs by more than twice this have no soles that differ, but stand on two heights. */
static const double SOLES_UNEVEN = 0.04;
/* leg: one way in which soles differ is better than another if contacts come nearer to one level by so much. */
static const double LEVELS_BETTER = 2e-3;
/* s: a shorter contact does not count, and a longer one no more than one of the second; ones further apart than the
 * third are not compared, since a clip may sink. */
static const double STANCE_BRIEF = 0.08, STANCE_LONG = 2.0, STANCES_BESIDE = 1.0;
/* Half of what lies between these quantiles of a sole's height in a contact is its noise. */
static const double LOW_QUANTILE = 0.2, HIGH_QUANTILE = 0.8;
/* leg: the deviation of what soles differ by, in shoes and rigs; and the one below which a difference is believed
 * whole. s: contacts of so long count as one more. */
static const double TYPICAL = 0.012, SURE = 0.004, COUNTS_MORE = 0.25;
/* A normal distribution's deviation beside the median of absolute deviations. */
static const double DEVIATION_OF_MEDIAN = 1.48;

/* --- given ground -------------------------------------------------------------------------------------------------*/

/* Frames, at most, of the question whether feet lie along the ground: a median of more says the same. */
enum { LIES_FRAMES = 500 };
/* leg: soles so near to one height above the ground touch it; and what is rounding of that. */
static const double TOUCHES = 1e-3, TOUCH_ROUNDING = 1e-9;
/* rad, 3 degrees: feet lie along a slope if they fit by so much better than level: what captured feet turn by. */
static const double FITS_BETTER = 3.0 * SKL_PI / 180.0;
/* The cosine of 0.1 degrees: ground nowhere steeper is a floor, since a mesh of one is never exact. */
static const double FLOOR_SLOPE = 0.99999847691328769;
/* leg, a foot: over this distance the turn of the ground under a foot is taken. */
static const double PATCH = 0.1;
/* rad: ground that slopes by less is level, and a foot that turns by less keeps its rotation bit for bit. */
static const double LEVEL_SLOPE = 1e-9, NO_TURN = 1e-12;
/* The cosine of the steepest ground on which points are put: steeper, their heights are not known. */
static const double STEEPEST_PLACE = 1e-6;
/* Frames of a contact in which the slope is read; times that it is: a foot that turns to it stands on other places. */
enum { SLOPE_SAMPLES = 16, SLOPE_READINGS = 2 };
/* Times at most that contacts are cut where ground is too steep: a shorter one stands in another place. */
enum { CUT_ROUNDS = 4 };

/* --- heel and ball as given ---------------------------------------------------------------------------------------*/

/* Times at most that frames are turned which turned ones made stand otherwise. */
enum { ROLL_ROUNDS = 10 };
/* The sines, 0.3 and 3 degrees, by which toes or heel are up: in each frame in which they are to be, and in one; and by
 * which each frame is up more than the one before: none of them looks held. */
static const double UP = 0.006, CLEARLY_UP = 0.05, ROLLS_ON = 1e-5;
/* leg: a foot whose heel and ball are nearer has no length. */
static const double FOOT_POINT = 1e-9;

/* --- triangles seen from above ------------------------------------------------------------------------------------*/

/* Of a triangle's area: what is seen of it from above if it is to be met there. */
static const double UPRIGHT_FACE = 1e-9;
/* In the mesh's unit: a mesh that is narrower has no cells. */
static const double NARROWEST_MESH = 1e-150;
/* Cells that a triangle is in, and triangles in its cell, on average, at most: more cost more than they save. Places
 * at once, whose cells stay in the first cache. */
enum { CELLS_OF_FACE = 6, FACES_OF_CELL = 64, BATCH = 64 };
