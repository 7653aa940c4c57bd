/* SPDX-License-Identifier: MIT */
#include "banded.h"

#include "core/base/stop.h"

static const double NO_PIVOT = 1e100;

/* Take the column times its pivot's share from those right of it: `rows` below the diagonal. */
static void eliminate(int64_t rows, int64_t width, double *column) {
    const double inverse = 1 / column[0];
    for (int64_t i = 1; i <= rows; i++) {
        double *restrict const next = column + i * width;
        const double *restrict const below = column + i;
        const double share = below[0] * inverse;
        if (share == 0) continue;
        for (int64_t k = 0; k <= rows - i; k++) next[k] -= share * below[k];
    }
    for (int64_t i = 1; i <= rows; i++) column[i] *= inverse;
}

static int64_t rows_below(int64_t size, int64_t width, int64_t j) {
    return j + width <= size ? width - 1 : size - 1 - j;
}

void skl_banded_factor(int64_t size, int64_t width, double *columns) {
    for (int64_t j = 0; j < size && skl_goes_on(j); j++) {
        if (!(columns[j * width] > 0)) columns[j * width] = NO_PIVOT;
        eliminate(rows_below(size, width, j), width, columns + j * width);
    }
}

void skl_banded_solve(int64_t size, int64_t width, const double *columns, double *x) {
    for (int64_t j = 0; j < size; j++) {
        const double *const column = columns + j * width;
        const double known = x[j];
        const int64_t rows = rows_below(size, width, j);
        for (int64_t i = 1; i <= rows; i++) x[j + i] -= column[i] * known;
    }
    for (int64_t j = size - 1; j >= 0; j--) {
        const double *const column = columns + j * width;
        const int64_t rows = rows_below(size, width, j);
        double sum = x[j] / column[0];
        for (int64_t i = 1; i <= rows; i++) sum -= column[i] * x[j + i];
        x[j] = sum;
    }
}
