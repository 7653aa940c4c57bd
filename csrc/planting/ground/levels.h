/* SPDX-License-Identifier: MIT */
/* At which height feet stand: the ground's level, contacts high above it, how far a whole motion is off it, and soles
 * that are thicker than their fellows. All lengths are in the clip's units. */
#pragma once

#include "foothold.h"

/* All feet of a clip. */
typedef struct skl_feet {
    int64_t num_legs, num_frames;
    const skl_track *tracks;
    const skl_foot_model *models;
    const skl_spans *contacts;
    const double *up;
} skl_feet;

/* How many contacts these are. */
int64_t skl_num_contacts(const skl_feet *feet);

/* The heights at which a clip stands. */
typedef struct skl_levels {
    double level;  /* at which feet stand for longest */
    double ground; /* that, and the lowest that a sole ever is where no level has many contacts */
    double near;   /* contacts that are no further from the level stand on it */
    double uneven; /* 0 where feet stand on the level for most of the time, 1 where no level has many of them */
    double spread; /* how far the heights of all contacts are apart */
    double length; /* of a leg */
    int32_t given; /* whether the ground is: then what is off the level is a fault, unless it is far above */
} skl_levels;

/* The height of the lowest point of a sole in each frame. 0 where memory failed, here and below. */
int skl_sole_heights(const skl_track *track, const skl_sole *sole, const double up[3], skl_arena *arena, double *out);

/* The median of heights, each counted by its weight. */
int skl_stance_level(const double *heights, const double *weights, int64_t count, skl_arena *arena, double *out);

/* How far above the ground a contact is kept in which the sole is at `height`. */
double skl_level_rise(const skl_levels *levels, double height);

/* The heights at which a clip stands that has a contact at least. Where the ground is not given it is one level if the
 * heights of contacts agree within what is seen inside of them, else each contact keeps its own; in between they go
 * over into each other. */
int skl_read_levels(const skl_feet *feet, int given, skl_arena *arena, skl_levels *out);

/* How far above the ground each contact of a leg is kept. */
int skl_contact_rises(const skl_feet *feet, int64_t leg, const skl_levels *levels, skl_arena *arena, double *out);

/* By how much all of a motion is moved along up first: the median of what standing feet are raised by; `offsets` are
 * those of the stances, num_frames x 3 per leg. Ground that is not level has no such height, unless the motion is
 * nowhere near it; in between it counts in part. A motion that `jumps` from lone frames or to them is only moved so far
 * off its ground that nothing else leads there. 0 also where the ground gave no answer. */
int skl_whole_rise(const skl_feet *feet, const double *const *offsets, const skl_ground *ground, int jumps,
                   skl_arena *arena, double *out);

/* How much higher than the mean of all feet each foot stands throughout the clip, in leg lengths; 0 for one that never
 * stands, or too high for it to be the sole. The feet are as they are where the ground is level and still. On ground
 * that is not level (else NULL) heights are those above it, on what is known of it (`holds`, each NULL where it is
 * level and still), wherever that makes the contacts of each foot more alike, as in a clip that was made on this
 * ground, or is planted on it already. 0 also where the ground gave no answer. */
int skl_uneven_soles(const skl_feet *feet, double fps, const skl_ground *ground, const skl_foothold *const *holds,
                     skl_arena *arena, double *out);
