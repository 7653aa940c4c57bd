/* SPDX-License-Identifier: MIT */
#include "arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fuzz_fail(const char *words) {
    fprintf(stderr, "%s\n", words);
    abort();
}

void *fuzz_memory(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) fuzz_fail("out of memory");
    return memory;
}

static int64_t number_size(skl_dtype dtype) { return dtype == SKL_FLOAT32 ? 4 : 8; }

/* Stride of the next dimension outward, given the extent of what lies inside of it. */
static int64_t next_stride(fuzz_bytes *from, int64_t extent, int64_t size, int is_output) {
    const int how = choose(from, 8);
    if (how == 7 && !is_output) return 0;
    if (how == 6) return extent + size * (1 + choose(from, 20));
    return extent;
}

static void fill(fuzz_array *array, fuzz_bytes *from, int is_output) {
    static const unsigned odds[] = {0, 0, 0, 400, 40, 3};
    const unsigned odd = odds[choose(from, 6)];
    const size_t numbers = array->bytes / (size_t)number_size(array->dtype);
    for (size_t i = 0; i < numbers; i++) {
        const double number = is_output ? -12345.0 : next_number(from, odd);
        if (array->dtype == SKL_FLOAT32)
            ((float *)(void *)array->memory)[i] = (float)number;
        else
            ((double *)(void *)array->memory)[i] = number;
    }
    memcpy(array->before, array->memory, array->bytes);
}

void fuzz_array_make(fuzz_array *array, skl_array *view, fuzz_bytes *from, skl_dtype dtype, int numbers, int64_t count,
                     int ndim, const int64_t *shape, int is_output) {
    const int64_t size = number_size(dtype);
    /* Dimension `ndim` stands for the elements of an item; any dimension may be the innermost. */
    const int first = choose(from, ndim + 1);
    int64_t extent = size * numbers, start = 0;
    int empty = count == 0;
    view->ndim = ndim;
    for (int i = 0; i <= ndim; i++) {
        const int d = (first + ndim + 1 - i) % (ndim + 1);
        const int64_t length = d == ndim ? count : shape[d];
        int64_t stride = next_stride(from, extent, size, is_output);
        const int64_t reach = length > 1 ? stride * (length - 1) : 0;
        extent += reach;
        if (rarely(from, 4)) {
            start += reach;
            stride = -stride;
        }
        empty |= length == 0;
        if (d == ndim) {
            view->step = stride;
        } else {
            view->shape[d] = shape[d];
            view->strides[d] = stride;
        }
    }
    array->dtype = dtype;
    array->numbers = numbers;
    array->count = count;
    array->bytes = empty ? 0 : (size_t)extent;
    array->memory = fuzz_memory(array->bytes);
    array->before = fuzz_memory(array->bytes);
    view->data = array->memory + (empty ? 0 : start);
    fill(array, from, is_output);
}

void fuzz_array_free(fuzz_array *array) {
    free(array->memory);
    free(array->before);
}

void fuzz_array_check_untouched(const fuzz_array *array) {
    if (memcmp(array->memory, array->before, array->bytes) != 0) fuzz_fail("an array was written that must not be");
}

/* Go through the places of a batch; returns 0 behind the last one. */
static int advance(int64_t *place, int ndim, const int64_t *shape) {
    for (int d = ndim - 1; d >= 0; d--) {
        if (++place[d] < shape[d]) return 1;
        place[d] = 0;
    }
    return 0;
}

void fuzz_array_check_gaps(const fuzz_array *array, const skl_array *view) {
    if (!array->bytes) return;
    uint8_t *rest = fuzz_memory(array->bytes);
    int64_t place[SKL_MAX_DIMS] = {0};
    memcpy(rest, array->memory, array->bytes);
    do {
        const skl_array item = fuzz_item(view, view->ndim, place);
        for (int64_t i = 0; i < array->count; i++) {
            const ptrdiff_t at = (const uint8_t *)item.data + i * item.step - array->memory;
            memcpy(rest + at, array->before + at, (size_t)(array->numbers * number_size(array->dtype)));
        }
    } while (advance(place, view->ndim, view->shape));
    if (memcmp(rest, array->before, array->bytes) != 0) fuzz_fail("something was written between the numbers of out");
    free(rest);
}

skl_array fuzz_item(const skl_array *view, int ndim, const int64_t *place) {
    skl_array item = {.data = view->data, .step = view->step};
    for (int d = 0; d < view->ndim; d++)
        if (view->shape[d] != 1) item.data = (char *)item.data + view->strides[d] * place[ndim - view->ndim + d];
    return item;
}

static double number_at(const fuzz_array *array, const skl_array *item, int64_t element, int i) {
    const char *at = (const char *)item->data + element * item->step;
    return array->dtype == SKL_FLOAT32 ? (double)((const float *)(const void *)at)[i]
                                       : ((const double *)(const void *)at)[i];
}

void fuzz_check_same(const fuzz_array *array, const skl_array *item, const skl_array *other) {
    for (int64_t element = 0; element < array->count; element++)
        for (int i = 0; i < array->numbers; i++) {
            const double a = number_at(array, item, element, i), b = number_at(array, other, element, i);
            if (isnan(a) && isnan(b)) continue;
            if (a != b || signbit(a) != signbit(b)) fuzz_fail("an item alone is not what it is in its batch");
        }
}
