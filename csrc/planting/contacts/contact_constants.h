/* SPDX-License-Identifier: MIT */
/* The numbers of contact detection. A leg is a foot's own leg, or the mean of all where feet are compared; parts have
 * no unit. */
#pragma once

#include <stdint.h>

/* --- what is seen of a foot ---------------------------------------------------------------------------------------*/

/* s: half the window of the low envelope: it reaches over one whole step of a slow walk, so that each is seen at its
 * lowest, and is short enough to follow a stair or a slope. */
static const double ENVELOPE = 1.0;
/* s: the bell by which a path is smoothed before its speed is taken, least for clean captures; wider than the most, it
 * would hide the shortest contacts. */
static const double LEAST_SMOOTHING = 0.015, MOST_SMOOTHING = 0.08;
/* leg/s: a path is smoothed until what is left of its jitter goes at this part of the clip's fast feet, within bounds
 * that lie well below the speed at which a contact begins. */
static const double JITTER_PART = 0.03, LEAST_JITTER = 0.08, MOST_JITTER = 0.2;
/* The quantile of speeds that stands for a clip's fast feet: the very fastest frames may be faults. */
static const double FAST = 0.95;
/* The quantile of third differences that is jitter alone: in a tenth of its frames every foot moves evenly. */
static const double EVEN_PART = 0.1;
/* The deviation of white noise's third differences beside its own, sqrt(1 + 9 + 9 + 1); and their 10 % quantile in
 * space beside that. */
static const double JERK_OF_NOISE = 4.47213595499957939, EVEN_JERK_OF_NOISE = 0.764;
/* The cosine between neighbouring third differences below which a path is shaken by noise: -3/4 on average in noise,
 * near 1 in motion. */
static const double TURNS_BACK = -0.5;
/* Frames of a path, and third differences, from which on quantiles of them mean anything. */
static const int64_t FEWEST_FRAMES = 8, FEWEST_JERKS = 4;
/* leg/s and leg: joints of a standing foot whose sole is not known yet are neither faster up or down, nor higher over
 * their lowest; the part of frames that counts as standing in a clip in which this is never so. */
static const double CALM_CLIMB = 0.25, CALM_HEIGHT = 0.03, LOWEST_FRAMES = 0.1;
/* leg per frame: a pivot that moves by less in the median rests to rounding, and its foot was planted before; it moves
 * by no more than the second in any frame, rounding to single precision; and rests on while it moves by less than the
 * third: its sole is read a little otherwise than when it was planted. */
static const double RESTS = 1e-7, ROUNDED = 1e-6, NEARLY_RESTS = 5e-5;

/* --- when it stands -----------------------------------------------------------------------------------------------*/

/* leg/s: a contact begins below a speed that is this part of the clip's fast feet, within bounds. */
static const double SLOW_PART = 0.1, LEAST_SLOW = 0.25, MOST_SLOW = 0.6;
/* 1/s: on a shaken path that speed is at least this multiple of the noise's deviation, and at most this part of the
 * fast feet: more would let swings in. No clip at hand needs it; noise of a degree and a centimetre does. */
static const double SHAKEN = 40.0, SHAKEN_PART = 0.2;
/* Of the body's pace: the looser speed, for feet of a run, or of a cycle in place, that do not go with the ground
 * closely; taken if a foot stands for less than this part of the time that it gives. */
static const double PACE_PART = 0.35, MUCH_LONGER = 0.8;
/* The quantile of a foot's heights that is its lowest; leg: soles on one ground do not differ by more. */
static const double LOWEST_PART = 0.05, SOLES_DIFFER = 0.06;
/* leg: a contact begins this near to the low envelope, and continues this near to its own height. */
static const double LOW = 0.05, STAYS_LOW = 0.03;
/* leg: a still foot so much above the other one is held up. */
static const double HELD_UP = 0.12;
/* s: a foot that is still for longer while all others move stands, however high: no foot is still in a fall; leg:
 * one that is still for less, and goes down on both sides by so much, is at the top of a jump. */
static const double ALONE = 0.15, BELOW_TOP = 0.01;
/* leg/s, and of the speed at which it begins: a contact continues while its velocity differs by less from its middle.
 */
static const double STEADY = 0.35, STEADY_PART = 0.75;
/* Of the speed at which a contact begins: it continues up to there, so that noise does not cut it. */
static const double LEAVES = 1.5;
/* leg/s: at the ends of a contact velocity differs by less from the core's, and height changes by less; a clip that
 * floats or sinks takes standing feet along. None begins while the foot rises or falls faster than the third, however
 * fast the clip. */
static const double QUIET = 0.15, LIFTS = 0.22, RISES = 0.28;
/* Of the core's own median: what both may be at the ends where the core is noisy. A little over 3, at which the step
 * after a core of two frames lies exactly if the foot sets off evenly. */
static const double NOISY = 3.001;
/* Of what is allowed at the ends: a core with more is hardly at rest and does not show when the foot set off; of the
 * core's median speed: a foot that sets off is followed back to there. */
static const double AT_REST = 2.0 / 3.0, SETS_OFF_FROM = 1.5;
/* leg/s^2: a foot that sets off, or comes to rest, changes its level speed by more, or how fast it rises beside all
 * other feet; s: it does so unseen for no longer than this. */
static const double SETS_OFF = 2.0, RISES_OFF = 0.2, DEPARTING = 0.04;
/* s: a foot that is quiet for longer beside where it rests to rounding rolls there. */
static const double ROLLS_ON = 0.1;
/* s: a core, and a contact, last for longer; in frames at least: rest that is no coincidence, and a contact. */
static const double SHORTEST_CORE = 0.06, SHORTEST = 0.1, LEAST_REST = 3.0, LEAST_CONTACT = 2.0;
/* s and leg: contacts nearer to each other, in time and place, are one. */
static const double GAP = 0.08, SAME_PLACE = 0.05;
/* leg and s: a foot so much higher than in this quantile of a contact's heights, for so long, is lifted in place. */
static const double LIFTED = 0.025, DOWN_PART = 0.3, LIFT_SEEN = 0.1;
/* s and leg: contacts that follow so soon, so near in the level plane, belong to one place when lifts are looked for.
 */
static const double SOON = 0.5, IN_PLACE = 0.2;

/* --- the velocity of the ground below a cycle in place ------------------------------------------------------------*/

/* leg/s: feet near to their low envelope that climb no faster push the ground. */
static const double PUSHES_CLIMB = 0.8;
/* They do so in at least this part of all frames, and in so many: else their median is chance. */
static const double PUSHING_PART = 0.15;
static const int64_t FEWEST_PUSHING = 4;
/* leg/s: the ground goes at least so fast; of its speed: what feet spread by, and what the body goes itself. */
static const double BELT_SPEED = 0.4, BELT_SPREAD = 0.35, BELT_DRIFT = 0.25;
/* Of its speed: what steps in contacts differ by if feet rest on it, and where contacts are shorter than this (s), as
 * in a run, and a foot has hardly time to rest. */
static const double RESTS_ON_BELT = 0.08, RESTS_BRIEFLY = 0.02, BRIEF = 0.2;
/* Of a contact, on either side, what is left out of that: a foot lands and leaves there. */
static const int64_t EDGE_PART = 4;
/* leg: where feet do not rest, the way is taken from so high above the lowest place down and up again, in steps that
 * differ from the ground's by no more than this part of it. */
static const double ROLL_HEIGHT = 0.06, ROLL_SPREAD = 0.5;
