/* SPDX-License-Identifier: MIT */
/* The median by Hoare's selection: time grows with the count, in any order of the numbers that motion has. */
#include "median.h"

#include <string.h>

static double larger(double a, double b) { return a > b ? a : b; }

static double middle_of(double a, double b, double c) {
    if (a > b) return c > a ? a : larger(b, c);
    return c > b ? b : larger(a, c);
}

/* Put the k-th number at its place, smaller ones before it and larger ones behind. */
static void select_kth(double *values, int64_t count, int64_t k) {
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = middle_of(values[low], values[low + (high - low) / 2], values[high]);
        int64_t i = low, j = high;
        do {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i <= j) {
                const double held = values[i];
                values[i++] = values[j];
                values[j--] = held;
            }
        } while (i <= j);
        if (k > j && k < i) return;
        if (k <= j)
            high = j;
        else
            low = i;
    }
}

double skl_median(double *values, int64_t count) {
    const int64_t upper = count / 2;
    select_kth(values, count, upper);
    if (count % 2) return 0.5 * (values[upper] + values[upper]);
    double lower = values[0];
    for (int64_t i = 1; i < upper; i++) lower = larger(values[i], lower);
    return 0.5 * (lower + values[upper]);
}

double skl_quantile(double *values, int64_t count, double part) {
    const double at = part * (double)(count - 1);
    const int64_t below = (int64_t)at;
    select_kth(values, count, below);
    if (below + 1 >= count) return values[below];
    double above = values[below + 1];
    for (int64_t i = below + 2; i < count; i++) above = values[i] < above ? values[i] : above;
    return values[below] + (above - values[below]) * (at - (double)below);
}

double skl_median_of(const double *values, int64_t count, double *scratch) {
    memcpy(scratch, values, (size_t)count * sizeof *scratch);
    return skl_median(scratch, count);
}

void skl_span_medians(const double *values, int64_t num_spans, const int64_t *spans, double *scratch, double *out) {
    for (int64_t i = 0; i < num_spans; i++) {
        const int64_t first = spans[2 * i], count = spans[2 * i + 1] - first + 1;
        out[i] = skl_median_of(values + first, count, scratch);
    }
}
