/* SPDX-License-Identifier: MIT */
/* Allocations that fail in turn. The linker puts the functions below in the place of malloc, calloc and free (--wrap),
 * in the programs of this folder whose names begin with test_no_memory. */
#ifndef NO_MEMORY_H
#define NO_MEMORY_H

#include "check.h"
#include "skelkin/skelkin.h"

void *__real_malloc(size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void __wrap_free(void *memory);

static int armed, until_failure, live;

void *__wrap_malloc(size_t bytes) {
    if (armed && until_failure-- == 0) return NULL;
    live += armed;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
    void *memory = __wrap_malloc(count * bytes);
    if (memory) memset(memory, 0, count * bytes);
    return memory;
}

void __wrap_free(void *memory) {
    live -= armed && memory;
    __real_free(memory);
}

typedef skl_code (*attempt)(void *data);

/* Let the first allocation fail, then the second, until none is left to fail; returns how many there were. */
static inline int sweep(attempt run, void *data, int left_over, const double *out, size_t size) {
    for (int failing = 0; failing < 1000; failing++) {
        until_failure = failing;
        live = 0;
        armed = 1;
        const skl_code code = run(data);
        armed = 0;
        if (until_failure >= 0) {
            CHECK(code == SKL_OK);
            CHECK(live == left_over);
            return failing;
        }
        CHECK(code == SKL_NO_MEMORY);
        CHECK(live == 0);
        for (size_t i = 0; i < size; i++)
            if (out[i] != 7) {
                CHECK(0 && "a result was written without memory for all of the work");
                break;
            }
    }
    CHECK(0 && "allocations have no end");
    return 0;
}

#endif
