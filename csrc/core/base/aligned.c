/* SPDX-License-Identifier: MIT */
#include "aligned.h"

#include <stdlib.h>

/* MSVC has no aligned_alloc, so the address that malloc gave stands before the memory. */
void *skl_aligned_alloc(int64_t bytes) {
    char *memory = malloc((size_t)bytes + SKL_ALIGNMENT + sizeof(void *));
    if (!memory) return NULL;
    const uintptr_t after = (uintptr_t)memory + sizeof(void *);
    char *aligned = memory + sizeof(void *) + (SKL_ALIGNMENT - after % SKL_ALIGNMENT) % SKL_ALIGNMENT;
    ((void **)(void *)aligned)[-1] = memory;
    return aligned;
}

void skl_aligned_free(void *memory) {
    if (memory) free(((void **)memory)[-1]);
}

void skl_scratch_init(skl_scratch *scratch, int64_t bytes) {
    scratch->memory = bytes > (int64_t)sizeof scratch->stack ? skl_aligned_alloc(bytes) : NULL;
    scratch->at = bytes > (int64_t)sizeof scratch->stack ? scratch->memory : scratch->stack;
}

void skl_scratch_free(skl_scratch *scratch) {
    if (scratch->memory) skl_aligned_free(scratch->memory);
}
