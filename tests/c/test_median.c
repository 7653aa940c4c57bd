/* SPDX-License-Identifier: MIT */
/* Medians against sorting. */
#include "planting/curves/median.h"
#include "check.h"

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Numbers of several kinds: any, few different ones, rising, falling, all the same. */
static double number(int kind, int64_t i) {
    switch (kind) {
    case 0:
        return next_number();
    case 1:
        return floor(3 * next_number());
    case 2:
        return (double)i;
    case 3:
        return (double)-i;
    default:
        return 7;
    }
}

static void the_median_is_that_of_sorted_numbers(int64_t count, int kind) {
    double *values = exactly((size_t)count * sizeof *values), *sorted = exactly((size_t)count * sizeof *sorted);
    for (int64_t i = 0; i < count; i++) values[i] = sorted[i] = number(kind, i);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    CHECK(skl_median(values, count) == 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]));
    for (double part = 0; part <= 1; part += 0.05) {
        const double at = part * (double)(count - 1), below = sorted[(int64_t)floor(at)],
                     above = sorted[(int64_t)ceil(at)];
        CHECK(skl_quantile(values, count, part) == below + (above - below) * (at - floor(at)));
    }
    qsort(values, (size_t)count, sizeof *values, by_size);
    CHECK(memcmp(values, sorted, (size_t)count * sizeof *values) == 0); /* they are all still there */
    free(values);
    free(sorted);
}

static void numbers_that_are_none_end_the_search_too(void) {
    for (int64_t count = 1; count < 40; count++) {
        double *values = exactly((size_t)count * sizeof *values);
        for (int64_t i = 0; i < count; i++) values[i] = next_number() > 0 ? NAN : next_number();
        (void)skl_median(values, count);
        (void)skl_quantile(values, count, 0.95);
        CHECK(1);
        free(values);
    }
}

int main(void) {
    for (int kind = 0; kind < 5; kind++)
        for (int64_t count = 1; count < 120; count++) the_median_is_that_of_sorted_numbers(count, kind);
    the_median_is_that_of_sorted_numbers(100001, 0);
    the_median_is_that_of_sorted_numbers(100001, 4);
    numbers_that_are_none_end_the_search_too();
    return REPORT();
}
