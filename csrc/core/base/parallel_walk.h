/* SPDX-License-Identifier: MIT */
/* A walk over arrays, shared among threads. */
#pragma once

#include "view.h"

/* Work on the items of one piece: piece->run of them, piece->step[i] bytes apart from piece->at[i] on. */
typedef void (*skl_piece_fn)(void *context, const skl_walk *piece, int worker);

/* Most workers for all items of a walk that has just begun, `grain` of them worth a thread's while: see parallel.h. */
int skl_walk_workers(const skl_walk *walk, int64_t grain);

/* Hand every item to `function`: with one worker a run at a time, else in pieces of blocks of `grain` items; in larger
 * pieces, too, where there is a check whether to go on. The walk is used up. Returns 1 if skl_stopped() said
 * so, else 0. */
int skl_walk_parallel(skl_walk *walk, int64_t grain, int workers, skl_piece_fn function, void *context);

/* All of a walk over a batch, and what the job returns: SKL_OK, or SKL_STOPPED. */
skl_code skl_walk_all(const skl_batch *batch, int64_t grain, skl_piece_fn function, void *context, skl_status *status);

/* Blocks for items of this much work each (`enough` in all), in whole tiles. */
static inline int64_t skl_grain(int64_t enough, int64_t work, int64_t tile) {
    const int64_t items = enough / (work < 1 ? 1 : work);
    return (items < tile ? 1 : items / tile) * tile;
}
