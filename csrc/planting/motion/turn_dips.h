/* SPDX-License-Identifier: MIT */
/* A standing foot whose ball dips below its sole while the ankle stays, as toe joints of captures do, is turned until
 * its ball is level with the contact: lifted by the ankle instead, its heel would come off the ground. */
#pragma once

#include "planting/curves/arena.h"
#include "tracks.h"

/* A foot on level ground. */
typedef struct skl_dipping_foot {
    const skl_track *track;
    const skl_sole *sole;
    skl_spans contacts; /* rising */
    const double *up;
    int64_t window; /* frames over which a turn fades outside of contacts */
} skl_dipping_foot;

/* `out`: num_frames x 3, the turn that raises the ball; returns whether anything does. `arena` says
 * whether it had the memory. */
int skl_turn_dips(const skl_dipping_foot *foot, skl_arena *arena, double *out);
