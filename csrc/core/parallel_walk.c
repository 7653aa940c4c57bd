/* SPDX-License-Identifier: MIT */
#include "parallel_walk.h"

#include "parallel.h"

typedef struct shared_walk {
    const skl_walk *walk;
    skl_piece_fn function;
    void *context;
} shared_walk;

int skl_walk_workers(const skl_walk *walk, int64_t grain) {
    return skl_parallel_workers(walk->run * walk->remaining, grain);
}

/* The items begin .. end - 1 in the order of the walk, run by run. */
static void walk_items(void *context, int64_t begin, int64_t end, int worker) {
    const shared_walk *shared = context;
    skl_walk walk, piece;
    int64_t offset = begin % shared->walk->run;
    skl_walk_seek(&walk, shared->walk, begin / shared->walk->run);
    for (; begin < end; skl_walk_next(&walk), offset = 0) {
        piece.operands = walk.operands;
        piece.ndim = 0;
        piece.remaining = 1;
        piece.run = walk.run - offset < end - begin ? walk.run - offset : end - begin;
        for (int i = 0; i < walk.operands; i++) {
            piece.step[i] = walk.step[i];
            piece.at[i] = walk.at[i] ? walk.at[i] + offset * walk.step[i] : NULL;
        }
        shared->function(shared->context, &piece, worker);
        begin += piece.run;
    }
}

void skl_walk_parallel(skl_walk *walk, int64_t grain, int workers, skl_piece_fn function, void *context) {
    if (workers == 1) {
        for (; walk->remaining > 0; skl_walk_next(walk)) function(context, walk, 0);
        return;
    }
    shared_walk shared = {walk, function, context};
    skl_parallel_for(walk->run * walk->remaining, grain, workers, walk_items, &shared);
}
