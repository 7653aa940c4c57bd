/* SPDX-License-Identifier: MIT */
#include "stance_level.h"

#include <stdlib.h>

typedef struct weighed {
    double height, weight;
} weighed;

static int by_height(const void *a, const void *b) {
    const double x = ((const weighed *)a)->height, y = ((const weighed *)b)->height;
    return (x > y) - (x < y);
}

int skl_stance_level(const double *heights, const double *weights, int64_t count, skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    weighed *rising = SKL_TAKE(arena, weighed, count);
    if (!rising) return 0;
    double total = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) rising[i] = (weighed){heights[i], weights[i]};
    qsort(rising, (size_t)count, sizeof *rising, by_height);
    for (int64_t i = 0; i < count; i++) total += rising[i].weight;
    for (int64_t i = 0; i < count; i++) {
        sum += rising[i].weight;
        *out = rising[i].height;
        if (sum >= 0.5 * total) break;
    }
    skl_arena_back(arena, mark);
    return 1;
}
