/* SPDX-License-Identifier: MIT */
/* Skinning of the poses of a walk: what all verbs that move points have in common. */
#ifndef SKL_SKIN_TILES_H
#define SKL_SKIN_TILES_H

#include "skelkin.h"
#include "view.h"

/* The first operands of the walk; behind them are those of the palette. */
enum { SKL_SKIN_POINTS, SKL_SKIN_OUT, SKL_SKIN_PALETTE };

/* Where skinning matrices come from. `run` is a run of the walk. */
typedef struct skl_palette {
    const void *context;
    /* Of `poses` poses from `pose` on, as pack_lanes leaves them. */
    void (*lanes)(const void *context, const skl_walk *run, int64_t pose, int64_t poses, void *packed);
    /* Of one pose, as pack_rows leaves them; `scratch` has row_scratch bytes. */
    void (*rows)(const void *context, const skl_walk *run, int64_t pose, void *packed, void *scratch);
    int64_t row_scratch;
} skl_palette;

typedef struct skl_skin_call {
    const skl_weights *weights;
    skl_dtype dtype;
    int64_t points_step, out_step; /* bytes from vertex to vertex */
    skl_palette palette;
} skl_skin_call;

/* Move the points of every pose of a walk that has just begun. Returns 0 if there is no memory for a tile; then nothing
 * is written. */
int skl_skin_run(const skl_skin_call *call, const skl_walk *walk);

#endif
