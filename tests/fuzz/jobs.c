/* SPDX-License-Identifier: MIT */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

static skl_array *array_of(void *job, const fuzz_slot *slot) {
    return (skl_array *)(void *)((char *)job + slot->offset);
}

static skl_status *status_of(const fuzz_job *job) { return (skl_status *)(void *)((char *)job->job + job->status); }

/* Leading dimensions of the whole batch: few items, or many in one dimension. */
static int choose_shape(fuzz_bytes *from, int64_t *shape) {
    const int ndim = choose(from, 5);
    for (int d = 0; d < ndim; d++) shape[d] = choose(from, 5);
    if (ndim && rarely(from, 2)) shape[choose(from, ndim)] = 1 + choose(from, 70);
    return ndim;
}

/* Dimensions that one input has of them: the last few, some of them 1. */
static int choose_part(fuzz_bytes *from, int ndim, const int64_t *shape, int64_t *part) {
    const int kept = rarely(from, 3) ? choose(from, ndim + 1) : ndim;
    for (int d = 0; d < kept; d++) part[d] = rarely(from, 5) ? 1 : shape[ndim - kept + d];
    return kept;
}

/* Shape of the results; once in a while not the one that it should be. */
static int output_shape(const fuzz_job *job, fuzz_bytes *from, int64_t *shape) {
    const skl_array *inputs[FUZZ_MAX_SLOTS];
    int count = 0;
    for (int i = 0; i < job->num_slots; i++) {
        const skl_array *array = array_of(job->job, &job->slots[i]);
        if (job->slots[i].role != FUZZ_OUTPUT && array->data) inputs[count++] = array;
    }
    int ndim = skl_broadcast(inputs, count, shape);
    if (ndim < 0) ndim = 0;
    if (rarely(from, 40)) {
        if (ndim && rarely(from, 2))
            shape[choose(from, ndim)]++;
        else if (ndim)
            ndim--;
    }
    return ndim;
}

static void make_arrays(fuzz_job *job, fuzz_bytes *from, fuzz_array *arrays) {
    int64_t whole[8], shape[SKL_MAX_DIMS];
    const int ndim = choose_shape(from, whole);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < job->num_slots; i++) {
            const fuzz_slot *slot = &job->slots[i];
            const int is_output = slot->role == FUZZ_OUTPUT;
            if (is_output != pass || (slot->role == FUZZ_OPTIONAL && rarely(from, 2))) continue;
            const int dims = is_output ? output_shape(job, from, shape) : choose_part(from, ndim, whole, shape);
            fuzz_array_make(&arrays[i], array_of(job->job, slot), from, job->dtype, slot->numbers, slot->count, dims,
                            shape, is_output);
        }
}

/* Whatever the size of the buffer, the sentence fits and ends. */
static void tell(const skl_status *status, fuzz_bytes *from) {
    const size_t size = 1 + (size_t)choose(from, 250);
    char *text = fuzz_memory(size);
    skl_status_text(status, text, size);
    if (memchr(text, 0, size) == NULL) fuzz_fail("the sentence has no end");
    if (!status->argument || !status->rule) fuzz_fail("a failure without an argument or a rule");
    free(text);
}

/* Run one item of the batch alone and compare. */
static void check_one_alone(fuzz_job *job, fuzz_bytes *from, fuzz_array *arrays, int ndim, const int64_t *shape) {
    int64_t place[SKL_MAX_DIMS] = {0};
    for (int d = 0; d < ndim; d++) {
        if (shape[d] == 0) return;
        place[d] = choose(from, 256) % shape[d];
    }
    fuzz_array own[FUZZ_MAX_SLOTS] = {{0}};
    skl_array wanted[FUZZ_MAX_SLOTS];
    for (int i = 0; i < job->num_slots; i++) {
        const fuzz_slot *slot = &job->slots[i];
        skl_array *array = array_of(job->job, slot);
        if (!array->data) continue;
        wanted[i] = fuzz_item(array, ndim, place);
        if (slot->role == FUZZ_OUTPUT)
            fuzz_array_make(&own[i], array, from, job->dtype, slot->numbers, slot->count, 0, NULL, 1);
        else
            *array = wanted[i];
    }
    if (job->run(job->job) != SKL_OK) fuzz_fail("an item of a good batch fails alone");
    for (int i = 0; i < job->num_slots; i++) {
        if (!own[i].memory) continue;
        fuzz_check_same(&arrays[i], &wanted[i], array_of(job->job, &job->slots[i]));
        fuzz_array_free(&own[i]);
    }
}

void fuzz_run(fuzz_job *job, fuzz_bytes *from) {
    fuzz_array arrays[FUZZ_MAX_SLOTS] = {{0}};
    make_arrays(job, from, arrays);
    const skl_code code = job->run(job->job);
    const skl_array *result = NULL;
    for (int i = 0; i < job->num_slots; i++) {
        const skl_array *view = array_of(job->job, &job->slots[i]);
        if (!view->data) continue;
        if (job->slots[i].role == FUZZ_OUTPUT) result = view;
        if (code == SKL_OK && job->slots[i].role == FUZZ_OUTPUT)
            fuzz_array_check_gaps(&arrays[i], view);
        else
            fuzz_array_check_untouched(&arrays[i]);
    }
    if (code == SKL_BAD_VALUE || code == SKL_BAD_SHAPE)
        tell(status_of(job), from);
    else if (code == SKL_OK && result && !job->reads_out) {
        const skl_array copy = *result;
        check_one_alone(job, from, arrays, copy.ndim, copy.shape);
    }
    for (int i = 0; i < job->num_slots; i++)
        if (arrays[i].memory) fuzz_array_free(&arrays[i]);
}
