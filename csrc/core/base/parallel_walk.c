/* SPDX-License-Identifier: MIT */
#include "parallel_walk.h"

#include "parallel.h"
#include "stop.h"

typedef struct shared_walk {
    const skl_walk *walk;
    skl_piece_fn function;
    void *context;
} shared_walk;

int skl_walk_workers(const skl_walk *walk, int64_t grain) {
    return skl_parallel_workers(walk->run * walk->remaining, grain);
}

/* Items of one run, from number `offset` of it on. */
static void begin_piece(skl_walk *piece, const skl_walk *walk, int64_t offset, int64_t count) {
    piece->operands = walk->operands;
    piece->ndim = 0;
    piece->remaining = 1;
    piece->run = count;
    for (int i = 0; i < walk->operands; i++) {
        piece->step[i] = walk->step[i];
        piece->at[i] = walk->at[i] ? walk->at[i] + offset * walk->step[i] : NULL;
    }
}

/* The items begin .. end - 1 in the order of the walk, run by run. */
static void walk_items(void *context, int64_t begin, int64_t end, int worker) {
    const shared_walk *shared = context;
    skl_walk walk, piece;
    int64_t offset = begin % shared->walk->run;
    skl_walk_seek(&walk, shared->walk, begin / shared->walk->run);
    for (; begin < end; skl_walk_next(&walk), offset = 0) {
        begin_piece(&piece, &walk, offset, walk.run - offset < end - begin ? walk.run - offset : end - begin);
        shared->function(shared->context, &piece, worker);
        begin += piece.run;
    }
}

/* Alone so many blocks are one piece: every piece has a beginning and an end that cost something. */
enum { BLOCKS_ALONE = 8 };

/* Run by run; what is longer than `most` in pieces, and a question after every `most` items. */
static int walk_and_check(skl_walk *walk, int64_t most, skl_piece_fn function, void *context) {
    int64_t since = 0;
    if (skl_cut()) return 1;
    for (; walk->remaining > 0; skl_walk_next(walk)) {
        for (int64_t offset = 0; offset < walk->run; offset += most) {
            const int64_t left = walk->run - offset, count = left < most ? left : most;
            skl_walk piece;
            if (since >= most && skl_stopped()) return 1;
            since = since < most ? since + count : count;
            begin_piece(&piece, walk, offset, count);
            function(context, &piece, 0);
        }
    }
    return skl_cut();
}

static int walk_shared(skl_walk *walk, int64_t grain, int workers, skl_piece_fn function, void *context) {
    shared_walk shared = {walk, function, context};
    return skl_parallel_for(walk->run * walk->remaining, grain, workers, walk_items, &shared);
}

int skl_walk_parallel(skl_walk *walk, int64_t grain, int workers, skl_piece_fn function, void *context) {
    if (workers > 1) return walk_shared(walk, grain, workers, function, context);
    const int64_t most = grain < INT64_MAX / BLOCKS_ALONE ? BLOCKS_ALONE * grain : INT64_MAX;
    if (walk->run * walk->remaining > most && skl_may_stop()) return walk_and_check(walk, most, function, context);
    for (; walk->remaining > 0; skl_walk_next(walk)) function(context, walk, 0);
    return 0;
}

skl_code skl_walk_all(const skl_batch *batch, int64_t grain, skl_piece_fn function, void *context, skl_status *status) {
    skl_walk w;
    skl_walk_begin(&w, batch);
    if (w.remaining == 0) return SKL_OK;
    return skl_done_unless(skl_walk_parallel(&w, grain, skl_walk_workers(&w, grain), function, context), status);
}
