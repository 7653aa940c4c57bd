/* SPDX-License-Identifier: MIT */
/* The numbers by which legs, feet, knees and cuts are read. A leg is thigh and shin; parts have no unit. */
#pragma once

#include "core/transforms/vector3.h"

/* --- rest poses, soles --------------------------------------------------------------------------------------------*/

/* Of its length: what of the way from ankle to hip is along one axis in a rest pose that stands. */
static const double UPRIGHT = 0.9;
/* leg: between these heights above the origin hips and ankles of a rest pose stand on it: human ones, with shoes; */
static const double HIP_LOW = 0.9, HIP_HIGH = 1.4, ANKLE_LOW = 0.02, ANKLE_HIGH = 0.3;
/* and the ball below this one, no higher over the ankle than this. */
static const double BALL_HIGH = 0.12, BALL_OVER_ANKLE = 0.02;
/* leg: what lies under a ball joint, and an ankle without toes, that no rest pose shows: 2 and 8 cm of 0.9 m. */
static const double DEFAULT_SOLE = 0.022, DEFAULT_ANKLE = 0.09;
/* Of the level way from ankle to ball, or to the tip where that is all there is: the heel lies so far behind; a heel
 * marker is believed between the last two. */
static const double HEEL_BEHIND = 1.0 / 3.0, HEEL_OF_TIP = 0.2, LEAST_MARKER = 0.05, MOST_MARKER = 0.7;
/* The cosine of 25 degrees: a foot with its heel up by more than in its rest pose, throughout, stands on its ball. */
static const double TIPPED = 0.90630778703664996;
/* Of its length: feet that differ by less are flat alike, in this quantile of the calm heights of all of them; s: a
 * foot that ever is on its toes is flat for so long besides. */
static const double FEET_ALIKE = 0.2, FLAT_PART = 0.25, FLAT_SHORTEST = 0.1;
/* leg: with its ankle, or heel, higher by more than when it is flat, a foot is on its toes. */
static const double HEEL_UP = 0.04;
/* The sine by which toes are up for certain, and down to which they count as up from there. */
static const double TOES_UP = 0.04, TOES_LEVEL = 0.002;
/* A direction, or a rotation matrix, that changes by less per frame is held: rounding of single precision. */
static const double HELD_STILL = 1e-7;

/* --- flat feet ----------------------------------------------------------------------------------------------------*/

/* leg: heel and ball differ by no more in a flat foot, and in one that does not tilt yet. */
static const double FLAT = 0.012, NOT_TILTING = 0.002;
/* Of a contact's flat frames: a foot that rests to rounding in so many is held already, in just over half: of the clips
 * that were tried one has a foot with 0.50 to 0.54, which has to be held again, and one with 0.54 to 0.55, which has
 * not. */
static const double HELD_ALREADY = 0.54;
/* rad/s, 60 degrees: a flat foot that turns faster has left the ground; s: the bell by which that is smoothed first. */
static const double TURNS_FAST = 60.0 * SKL_DEGREE, TURN_SMOOTHING = 0.03;
/* rad, 8 degrees: a flat moment is held whole where no frame is further from its mean; s: and lasts so long. */
static const double TURNS_LITTLE = 8.0 * SKL_DEGREE, HOLD_SHORTEST = 0.08;
/* leg: heel and ball of a foot that shows its level differ by less: stricter than what is held flat; a ball that dips
 * less below that level is lifted with the foot; from twice that on the foot is turned. */
static const double LEVEL_FLAT = 0.004, DIPS = 0.002;
/* rad, 25 degrees: a foot is turned by no more: what needs more is no dip. */
static const double MOST_TURN = 25.0 * SKL_DEGREE;

/* --- knees --------------------------------------------------------------------------------------------------------*/

/* degrees of flexion: from the first on a frame counts for the hinge, from the second in full: below, the noise of a
 * capture turns the plane of thigh and shin. */
static const double COUNTS = 4, COUNTS_FULLY = 20;
/* degrees, the largest flexion of a clip: up to the first rest pose and toes alone count, from the second on the clip.
 */
static const double BENDS_LITTLE = 10, BENDS_ENOUGH = 40;
/* degrees in the rest pose: up to the first it is straight, from the second on it is bent on purpose. */
static const double NO_BEND = 1, REST_BEND = 5;
/* What rest pose and toes weigh for the axis, and for its sign beside captured bends, which weigh 1. */
static const double REST_SHARE = 1, TOES_SHARE = 0.5, REST_SAYS = 0.3, TOES_SAY = 0.6;
/* The sine of the angle to the axis at which a frame counts half: 14 degrees, of captured planes. */
static const double OFF_AXIS = 0.25;
/* 1 over the cosine of the angle to the axis, 60 degrees, from which on a bend is not all flexion. */
static const double SIDEWAYS = 2;
/* What a frame weighs that shows nothing: a clip of such frames alone still has an axis. */
static const double FAINT = 1e-6;
/* Times that weights follow the axis and the axis weights; the rank of the largest bend, since two may be faults. */
enum { AXIS_ROUNDS = 12, LARGEST_RANK = 3 };
/* The sine of half a turn's skew part below which a turn is its own vector: rounding is larger than the difference. */
static const double NO_SINE = 1e-12;

/* --- cuts and lone frames -----------------------------------------------------------------------------------------*/

/* A jump of the hips is longer than this (leg), and so many times as any step within so long (s). */
static const double CUT_LENGTH = 0.1, CUT_TIMES = 4.0, CUT_AROUND = 0.2;
/* s: the bell that takes noise from a leg: 16 Hz and faster; what is left of it further away is e^-8. */
static const double LINE_BELL = 0.02, LINE_REACH = 0.08;
/* leg, leg/s: a joint that goes further than both in one frame was torn, and no person moved it. */
static const double TORN = 1.0, TORN_SPEED = 20.0;
/* s: what is left of a contact beside a tear is one if it is as long as a core. */
static const double LEFT_OF_CONTACT = 0.06;
/* s, and frames: more than both are a motion of their own. */
static const double LONE_LONGEST = 0.1;
enum { LONE_FEW = 3 };
/* leg: joints are off where their motion leads by so much in the mean, and half of them by this: a kick moves one leg
 * alone. */
static const double OFF_MEAN = 0.05, OFF_HALF = 0.01;
/* leg/s^2: and by more than this acceleration explains: nine times a fall's. */
static const double THROWN = 100.0;
/* Times what they are off in this quantile of so long beside it (s). */
static const double OFF_TIMES = 4.0, OFF_MOSTLY = 0.9, OFF_AROUND = 0.5;
/* Of the largest volume: what is scaled to less is scaled to nothing, and hidden. */
static const double HIDDEN = 1e-9;
/* Frames of poses at once: they stay in the second cache. */
enum { POSES = 256 };
