/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

typedef struct skl_arena_block {
    struct skl_arena_block *before;
    max_align_t items[];
} block;

void *skl_arena_take(skl_arena *arena, int64_t count, size_t size) {
    if (count < 0 || (uint64_t)count > (SIZE_MAX / 2 - sizeof(block)) / size) {
        arena->failed = 1;
        return NULL;
    }
    block *taken = malloc(sizeof(block) + ((size_t)count * size + 1));
    if (!taken) {
        arena->failed = 1;
        return NULL;
    }
    taken->before = arena->last;
    arena->last = taken;
    return taken->items;
}

void *skl_arena_zeros(skl_arena *arena, int64_t count, size_t size) {
    void *items = skl_arena_take(arena, count, size);
    if (items) memset(items, 0, (size_t)count * size);
    return items;
}

void skl_arena_back(skl_arena *arena, skl_arena mark) {
    while (arena->last != mark.last) {
        block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}

void skl_arena_free(skl_arena *arena) { skl_arena_back(arena, (skl_arena){0}); }
