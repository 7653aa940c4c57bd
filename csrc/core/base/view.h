/* SPDX-License-Identifier: MIT */
/* Walking several broadcast arrays at once, in runs of constant stride. */
#pragma once

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

/* The arrays of a job, and the leading dimensions to which they broadcast. */
typedef struct skl_batch {
    const skl_array *arrays[SKL_MAX_OPERANDS];
    int count, ndim;
    int64_t shape[SKL_MAX_DIMS];
} skl_batch;

/* One array, as it is. */
void skl_batch_of(skl_batch *batch, const skl_array *array);

/* Start the walk over a batch (an array of data NULL: skipped, at[i] stays NULL). Dimensions that lie behind each other
 * in every array become one; the longest is the run.
 *
 *     for (skl_walk_begin(&walk, &batch); walk.remaining > 0; skl_walk_next(&walk)) ...
 */
void skl_walk_begin(skl_walk *walk, const skl_batch *batch);
void skl_walk_next(skl_walk *walk);

/* Set `walk` to run `number` of a walk that has just begun. */
void skl_walk_seek(skl_walk *walk, const skl_walk *begun, int64_t number);

/* An array of a job, and what it has to be. */
typedef struct skl_operand {
    const skl_array *array;
    const char *name;
    int32_t optional; /* its data may be NULL */
    /* An output: joints, vertices or rows of an item, and the bytes of each. */
    int64_t count, bytes;
} skl_operand;

/* Check that arrays are there, that inputs broadcast, that outputs have the shape of that and that no two of their
 * numbers share memory. `batch` is what there is to walk over. */
skl_code skl_check_operands(const skl_operand *operands, int count, skl_batch *batch, skl_status *status);
