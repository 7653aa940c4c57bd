/* SPDX-License-Identifier: MIT */
/* Any job of skelkin.h: where its arrays are, how to run it, and what must hold afterwards. */
#ifndef FUZZ_JOBS_H
#define FUZZ_JOBS_H

#include "arrays.h"

enum { FUZZ_MAX_SLOTS = 10 };

typedef enum fuzz_role { FUZZ_INPUT, FUZZ_OPTIONAL, FUZZ_OUTPUT } fuzz_role;

/* One array of a job: `count` elements of `numbers` contiguous numbers. An optional one may be left out. */
typedef struct fuzz_slot {
    size_t offset;
    int numbers;
    int64_t count;
    fuzz_role role;
} fuzz_slot;

typedef struct fuzz_job {
    void *job;
    size_t size;
    size_t status; /* offset */
    skl_dtype dtype;
    skl_code (*run)(void *job);
    int reads_out; /* what is in the output before counts: an item alone cannot be compared */
    int num_slots;
    fuzz_slot slots[FUZZ_MAX_SLOTS];
} fuzz_job;

/* Give the job arrays, run it, and check: on failure nothing is written and the sentence can be told; inputs and gaps
 * stay as they are; an item of the batch alone gives the same bits. */
void fuzz_run(fuzz_job *job, fuzz_bytes *from);

#endif
