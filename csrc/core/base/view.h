/* SPDX-License-Identifier: MIT */
/* Walking several broadcast arrays at once, in runs of constant stride. */
#ifndef SKL_VIEW_H
#define SKL_VIEW_H

#include "skelkin/skelkin.h"

/* Most arrays that one job walks. */
#define SKL_MAX_OPERANDS 20

/* The walk: `run` items lie `step[i]` bytes apart from `at[i]` on, for each operand i. */
typedef struct skl_walk {
    int operands;
    int ndim; /* outer dimensions, outermost first */
    int64_t run;
    int64_t remaining; /* runs still to come, this one included */
    char *at[SKL_MAX_OPERANDS];
    int64_t step[SKL_MAX_OPERANDS];
    int64_t shape[SKL_MAX_DIMS];
    int64_t index[SKL_MAX_DIMS];
    int64_t strides[SKL_MAX_DIMS][SKL_MAX_OPERANDS];
} skl_walk;

/* Start the walk over `count` arrays (of data NULL: skipped, at[i] stays NULL) whose leading dimensions broadcast to
 * shape[ndim]. Dimensions that lie behind each other in every array become one; the longest is the run.
 *
 *     for (skl_walk_begin(&walk, arrays, 3, shape, ndim); walk.remaining > 0; skl_walk_next(&walk)) ...
 */
void skl_walk_begin(skl_walk *walk, const skl_array *const *arrays, int count, const int64_t *shape, int ndim);
void skl_walk_next(skl_walk *walk);

/* Set `walk` to run `number` of a walk that has just begun. */
void skl_walk_seek(skl_walk *walk, const skl_walk *begun, int64_t number);

/* 1 if the leading dimensions of `out` are just shape[ndim]. */
int skl_has_shape(const skl_array *out, const int64_t *shape, int ndim);

/* Broadcast the inputs (those with data) and compare with the output: SKL_OK, or SKL_BAD_SHAPE and `status` set. */
skl_code skl_check_shapes(const skl_array *const *inputs, int count, const skl_array *out, int64_t shape[SKL_MAX_DIMS],
                          int *ndim, skl_status *status);

#endif
