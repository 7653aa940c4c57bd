/* SPDX-License-Identifier: MIT */
/* Skinning of the poses of a walk: what all verbs that move points have in common. */
#pragma once

#include "core/base/view.h"
#include "kernels/kernels.h"
#include "skelkin/skelkin.h"

/* The first operands of the walk: what comes in by streams (SKL_POINTS ...), what goes out; then those of the palette.
 */
enum { SKL_SKIN_IN = 0, SKL_SKIN_OUT = SKL_STREAMS, SKL_SKIN_PALETTE = 2 * SKL_STREAMS };

/* Where skinning matrices come from. `run` is a run of the walk. */
typedef struct skl_palette {
    const void *context;
    /* Of `poses` poses from `pose` on, as pack_lanes leaves them. */
    void (*lanes)(const void *context, const skl_walk *run, int64_t pose, int64_t poses, void *packed);
    /* Of one pose, as pack_rows leaves them; `scratch` has row_scratch bytes. */
    void (*rows)(const void *context, const skl_walk *run, int64_t pose, void *packed, void *scratch);
    int64_t row_scratch;
} skl_palette;

/* A stream of the call: numbers per vertex (0: it takes no part), bytes from vertex to vertex. */
typedef struct skl_skin_part {
    int32_t size;
    int64_t in_step, out_step;
} skl_skin_part;

typedef struct skl_skin_call {
    const skl_weights *weights; /* NULL: there is no such call */
    skl_dtype dtype;
    skl_skin_method method;
    skl_skin_part part[SKL_STREAMS];
    skl_palette palette;
} skl_skin_call;

/* Most calls that go over one walk: vertices and corners. */
enum { SKL_SKIN_CALLS = 2 };

/* Weights that were made, a precision, a method. */
skl_code skl_check_skin(const skl_weights *weights, skl_dtype dtype, skl_skin_method method, skl_status *status);

/* Move the vectors of every pose of a walk that has just begun, call by call. SKL_OK; SKL_NO_MEMORY for the tiles, of
 * `argument`: then nothing is written; or SKL_STOPPED. */
skl_code skl_skin_run(const skl_skin_call calls[SKL_SKIN_CALLS], const skl_walk *walk, const char *argument,
                      skl_status *status);
