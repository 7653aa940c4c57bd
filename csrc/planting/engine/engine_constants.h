/* SPDX-License-Identifier: MIT */
/* The numbers by which a clip is read as a whole, and of how often its parts are gone through. A leg is thigh and shin;
 * parts have no unit. */
#pragma once

/* --- which way is up ----------------------------------------------------------------------------------------------*/

/* Of a direction's length, what is along one axis: less makes up a guess; a rest pose that stands has more. */
static const double UP_CLEAR = 0.8, REST_CLEAR = 0.9;
/* s, and the cosine: a body begins along its rest pose that is so near to it in its first moments, 60 degrees; or of
 * all of its movement has this much along it while no axis is clear: then the rest pose shows what is up. */
static const double BEGINS_FOR = 0.25, BEGINS_UPRIGHT = 0.5, SOME_UPRIGHT = 0.25;
/* Of what they do along another axis: a floor's lowest joints deviate by less. Of the way from feet to top: lowest
 * joints that deviate by less keep as still. */
static const double FLOOR_STILLER = 0.5, FLOOR_STILL = 0.01;

/* --- legs and places ----------------------------------------------------------------------------------------------*/

/* In the clip's unit: beyond, squares of lengths are no numbers; the lengths of legs whose fourth powers are. */
static const double TOO_FAR = 1e100, SHORTEST_LEG = 1e-50, LONGEST_LEG = 1e50;
/* leg: joints that are nearer lie at one place; a ball that is nearer to the ankle is none. */
static const double ONE_PLACE = 1e-6, NO_BALL = 1e-3;
/* leg: a foot whose heel and ball are nearer has no length. */
static const double NO_FOOT = 1e-9;
/* Of leg lengths and feet: legs that differ by less are the two sides of one body. */
static const double SIDES_ALIKE = 0.05;

/* --- ground -------------------------------------------------------------------------------------------------------*/

/* Times as long feet stand on ground that slopes if the clip was made on it. */
static const double STANDS_LONGER = 1.02;
/* Of its speed, what of a belt's velocity may lie along up: rounding of single precision. */
static const double BELT_RISES = 1e-6;

/* --- how often ----------------------------------------------------------------------------------------------------*/

/* Times at most that contacts are looked for once more: by other soles, and in the result; that soles are fitted to
 * feet which are held by them; that one is fitted to how its foot is turned, which is turned by its sole. What has not
 * settled by then goes back and forth. */
enum { BY_SOLES = 3, BY_RESULT = 4, SOLE_REFITS = 4, STANCE_REFITS = 4 };
/* Frames of legs that are solved at once: few enough to be stopped soon, enough for every thread. */
enum { BLOCK = 1024 };
