/* SPDX-License-Identifier: MIT */
/* Feet turned to stand on heel, ball or both, as it is given for each apart.
 *
 * A foot rolls about its heel where its toes are up, else about its ball; it stands on both where it is flat. So a foot
 * whose heel and ball are given is turned, where it does not stand so by itself, and all else follows from that. */
#pragma once

#include "foothold.h"

/* On which part of it one foot is to stand. */
typedef struct skl_given_roll {
    const skl_track *track;     /* in the world, */
    const skl_track *level;     /* and with the foot as it is where the ground is level and still */
    const skl_foothold *ground; /* under the foot; NULL where it is level and keeps still */
    skl_spans contacts;
    const int8_t *given; /* num_frames: 1 on its heel, 0 flat, -1 on its ball; counts inside contacts */
    const double *up;
    double fps;
    int64_t held_window, window; /* frames over which a turn fades where the foot is held by itself, and else */
} skl_given_roll;

/* 1 in the frames in which a foot that is turned so would stand otherwise than given; 0 where memory failed. */
int skl_roll_wrong(const skl_given_roll *roll, const skl_sole *sole, const double *turn, skl_arena *arena,
                   uint8_t *out);

/* How to hold and turn the foot so that it stands as given, from how it is held by itself, which may come back as it
 * is; `out` lives in `arena`. 0 where memory failed. */
int skl_roll_hold(const skl_given_roll *roll, const skl_sole *sole, const skl_hold *own, skl_arena *arena,
                  skl_hold *out);
