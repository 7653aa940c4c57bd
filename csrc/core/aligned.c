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
