/* SPDX-License-Identifier: MIT */
/* Strided arrays in memory of exactly their extent, and what may be said of them after a job has run. */
#ifndef FUZZ_ARRAYS_H
#define FUZZ_ARRAYS_H

#include "bytes.h"
#include "skelkin/skelkin.h"

/* An array with the memory that it lies in: `bytes` of them from `memory` on, all of them its own extent. */
typedef struct fuzz_array {
    uint8_t *memory;
    uint8_t *before; /* a copy of the memory */
    size_t bytes;
    skl_dtype dtype;
    int numbers;   /* contiguous ones of an element */
    int64_t count; /* elements of an item */
} fuzz_array;

/* Lay out `view` with the leading dimensions given: strides in any order, sign and distance, of inputs also 0. */
void fuzz_array_make(fuzz_array *array, skl_array *view, fuzz_bytes *from, skl_dtype dtype, int numbers, int64_t count,
                     int ndim, const int64_t *shape, int is_output);
void fuzz_array_free(fuzz_array *array);

/* Stop if a byte has changed: of any, or only of those between the numbers of `view`. */
void fuzz_array_check_untouched(const fuzz_array *array);
void fuzz_array_check_gaps(const fuzz_array *array, const skl_array *view);

/* The item of `view` at this place of a batch of `ndim` dimensions, as an array without leading dimensions. */
skl_array fuzz_item(const skl_array *view, int ndim, const int64_t *place);

/* Stop unless the numbers of two items are the same; any two that are not numbers are. */
void fuzz_check_same(const fuzz_array *array, const skl_array *item, const skl_array *other);

/* Memory that the allocator knows the end of; stops if there is none. */
void *fuzz_memory(size_t bytes);

/* Say what is wrong and stop, which the fuzzer takes for a crash. */
_Noreturn void fuzz_fail(const char *words);

#endif
