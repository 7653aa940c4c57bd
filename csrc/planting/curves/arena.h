/* SPDX-License-Identifier: MIT */
/* Memory of one job: taken piece by piece, given back at once. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Zeroed: nothing is taken. */
typedef struct skl_arena {
    struct skl_arena_block *last;
    int failed; /* whether memory for a piece was missing; then the job ends with SKL_NO_MEMORY */
} skl_arena;

/* Room for `count` items, aligned for any, of no certain content; NULL, and `failed`, where there is none. A count of 0
 * gives an address too. */
void *skl_arena_take(skl_arena *arena, int64_t count, size_t size);

/* The same, filled with zeros. */
void *skl_arena_zeros(skl_arena *arena, int64_t count, size_t size);

/* What was taken behind `mark`, an earlier copy of `arena`, is given back. */
void skl_arena_back(skl_arena *arena, skl_arena mark);

/* All of it. */
void skl_arena_free(skl_arena *arena);

#define SKL_TAKE(arena, type, count) ((type *)skl_arena_take((arena), (count), sizeof(type)))
#define SKL_ZEROS(arena, type, count) ((type *)skl_arena_zeros((arena), (count), sizeof(type)))
