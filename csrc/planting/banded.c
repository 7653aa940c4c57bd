/* SPDX-License-Identifier: MIT */
#include "banded.h"

#include "core/base/stop.h"

static const double NO_PIVOT = 1e100;

/* In four sums, none of which waits for another. */
static double product(int64_t count, const double *a, const double *b) {
    double sum[4] = {0, 0, 0, 0};
    int64_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += a[i + k] * b[i + k];
    for (; i < count; i++) sum[i & 3] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* How many numbers are under a diagonal. */
static int64_t rows_of(const skl_banded *m, int64_t j) { return m->start[j + 1] - m->start[j] - 1; }

/* Take a column times its pivot's share from those right of it, from the `first`-th to the `last`-th. */
static void eliminate(const skl_banded *m, int64_t j, int64_t first, int64_t last) {
    double *const column = m->columns + m->start[j];
    const int64_t rows = rows_of(m, j);
    const double inverse = 1 / column[0];
    for (int64_t i = first; i <= last; i++) {
        double *restrict const next = m->columns + m->start[j + i];
        const double *restrict const under = column + i;
        const double share = under[0] * inverse;
        for (int64_t k = 0; k <= rows - i; k++) next[k] -= share * under[k];
    }
}

static void check_pivot(double *column) {
    if (!(column[0] > 0)) column[0] = NO_PIVOT;
}

static void divide(int64_t rows, double *column) {
    const double inverse = 1 / column[0];
    for (int64_t i = 1; i <= rows; i++) column[i] *= inverse;
}

/* Three columns at once: those right of them are read and written once. */
static void eliminate_three(const skl_banded *m, int64_t j) {
    const int64_t rows = rows_of(m, j);
    double *const a = m->columns + m->start[j], *const b = a + rows + 1, *const c = b + rows;
    check_pivot(a);
    eliminate(m, j, 1, 2);
    check_pivot(b);
    eliminate(m, j + 1, 1, 1);
    check_pivot(c);
    const double by_a = 1 / a[0], by_b = 1 / b[0], by_c = 1 / c[0];
    for (int64_t i = 3; i <= rows; i++) {
        double *restrict const next = m->columns + m->start[j + i];
        const double *restrict const p = a + i, *restrict const q = b + i - 1, *restrict const r = c + i - 2;
        const double share_a = p[0] * by_a, share_b = q[0] * by_b, share_c = r[0] * by_c;
        for (int64_t k = 0; k <= rows - i; k++) next[k] -= share_a * p[k] + share_b * q[k] + share_c * r[k];
    }
    divide(rows, a);
    divide(rows - 1, b);
    divide(rows - 2, c);
}

void skl_banded_factor(const skl_banded *m) {
    const int64_t at_once = m->triples ? 3 : 1;
    for (int64_t j = 0; j < m->size && skl_goes_on(j); j += at_once) {
        double *const column = m->columns + m->start[j];
        if (m->triples) {
            eliminate_three(m, j);
            continue;
        }
        check_pivot(column);
        eliminate(m, j, 1, rows_of(m, j));
        divide(rows_of(m, j), column);
    }
}

static void forward(int64_t rows, const double *column, double *x) {
    const double known = x[0];
    for (int64_t i = 1; i <= rows; i++) x[i] -= column[i] * known;
}

static void forward_three(int64_t rows, const double *a, double *x) {
    const double *const b = a + rows, *const c = b + rows - 1;
    forward(2, a, x);
    forward(1, b + 1, x + 1); /* b and c are counted from the row of a's diagonal */
    const double k = x[0], l = x[1], m = x[2];
    for (int64_t i = 3; i <= rows; i++) x[i] -= a[i] * k + b[i] * l + c[i] * m;
}

void skl_banded_solve(const skl_banded *m, double *x) {
    for (int64_t j = 0; j < m->size; j += m->triples ? 3 : 1) {
        if (m->triples)
            forward_three(rows_of(m, j), m->columns + m->start[j], x + j);
        else
            forward(rows_of(m, j), m->columns + m->start[j], x + j);
    }
    for (int64_t j = m->size - 1; j >= 0; j--) {
        const double *const column = m->columns + m->start[j];
        x[j] = x[j] / column[0] - product(rows_of(m, j), column + 1, x + j + 1);
    }
}

void skl_banded_multiply(const skl_banded *m, const double *x, double *out) {
    for (int64_t j = 0; j < m->size; j++) {
        const double *const column = m->columns + m->start[j];
        const double own = x[j];
        for (int64_t i = 1; i <= rows_of(m, j); i++) out[j + i] += column[i] * own;
        out[j] += column[0] * own + product(rows_of(m, j), column + 1, x + j + 1);
    }
}
