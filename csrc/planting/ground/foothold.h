/* SPDX-License-Identifier: MIT */
/* The ground under one foot, where that slopes or moves, and the foot on it. In its contacts there is a space of its
 * own in which the ground is level and still: there the foot is held and rolled as on any floor, and the result is
 * carried into the world. Vectors are packed, num_frames x 3; matrices row by row, num_frames x 9. */
#pragma once

#include "ground.h"
#include "planting/curves/arena.h"
#include "planting/motion/tracks.h"

typedef struct skl_foothold {
    int64_t num_frames;
    double *place; /* that the foot stands on, as the ground carries it; valid inside contacts */
    double *yaw;   /* matrices: the ground's turn about up since the middle of the contact; NULL: it keeps still */
    double *tilt;  /* rotation vectors that turn a level foot to the ground; they fade outside contacts */
    double *lean;  /* the same as matrices: from level ground to this */
    double *turn;  /* matrices: from the contact's own space into the world */
    int tilts;     /* whether `tilt` is anything but 0 */
    int along;     /* whether the original's feet lie along the ground already */
} skl_foothold;

/* What the original's feet have of `turn` already, matrices; NULL where that is nothing. */
const double *skl_ground_undo(const skl_foothold *ground);

/* The linear part of feet as they are where the ground is level and still; `out` may not be `feet`. */
void skl_level_feet(const skl_foothold *ground, const double *feet, double *out);

/* In what follows `ground` is NULL where it is level and keeps still. 0 is returned where memory failed. */

/* skl_sole_outline, 3 x num_frames x 3, on ground that may slope. */
int skl_outline_on(const skl_sole *sole, const double up[3], int64_t num_frames, const double *feet,
                   const skl_foothold *ground, skl_arena *arena, double *out);

/* 1 where the toes are up, -1 where the heel is, 0 where the foot is flat; `outline` in any translation. */
int skl_roll_on(const double up[3], int64_t num_frames, const double *outline, const skl_foothold *ground,
                skl_arena *arena, int8_t *out);

/* How a foot, held by `turn` in the contacts' own space, is turned in the world, to the ground as well: rotation
 * vectors that fade over `window` frames outside contacts. */
int skl_whole_turn(const skl_foothold *ground, skl_spans contacts, const double *turn, int64_t window, skl_arena *arena,
                   double *out);

/* How a foot stands. */
typedef struct skl_standing_foot {
    const skl_track *track;
    const skl_sole *sole;
    skl_spans contacts;
    const double *turn;         /* rotation vectors in the contacts' own space; NULL: it is not held */
    const skl_foothold *ground; /* NULL: level and still, but for `ground_step` */
    const double *ground_step;  /* (3,) how far level ground goes per frame; NULL: nowhere */
    int pinned;                 /* whether it is held in the level plane, too */
} skl_standing_foot;

/* Where it stands in its contacts, in the level plane: `ankle`, without its height, and the points of its sole relative
 * to that, `outline`, 3 x num_frames x 3. */
int skl_standing_sole(const skl_standing_foot *foot, const double up[3], skl_arena *arena, double *ankle,
                      double *outline);

/* How far the ground below `num_points` paths goes from each frame to the next, num_points x (num_frames - 1) x 3; 0
 * where there is none. Returns 0 also where the ground gave no answer. */
int skl_carried_steps(const skl_ground *ground, int64_t num_points, int64_t num_frames, const double *paths,
                      skl_arena *arena, double *out);
