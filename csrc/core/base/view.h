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

/* Start the walk over `count` arrays (of data NULL: skipped, at[i] stays NULL) whose leading dimensions broadcast to
 * shape[ndim]. Dimensions that lie behind each other in every array become one; the longest is the run.
 *
 *     for (skl_walk_begin(&walk, arrays, 3, shape, ndim); walk.remaining > 0; skl_walk_next(&walk)) ...
 */
void skl_walk_begin(skl_walk *walk, const skl_array *const *arrays, int count, const int64_t *shape, int ndim);
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

/* Check that arrays are there, that inputs broadcast into shape[ndim], that outputs have this shape and that no two of
 * their numbers share memory. The arrays go into `arrays`, for the walk. */
skl_code skl_check_operands(const skl_operand *operands, int count, const skl_array **arrays,
                            int64_t shape[SKL_MAX_DIMS], int *ndim, skl_status *status);
