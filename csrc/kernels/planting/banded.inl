/* SPDX-License-Identifier: MIT */
/* The kernels of banded.h, in double only; lanes are rows of a column. */

/* to -= a p + b q + c r, `count` numbers each. */
static inline void skl_take_three(int64_t count, const double by[3], const double *p, const double *q, const double *r,
                                  double *restrict to) {
    const R(t) a = R(set1)(-by[0]), b = R(set1)(-by[1]), c = R(set1)(-by[2]);
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) {
        R(t) sum = R(fma)(a, R(load)(p + k), R(load)(to + k));
        sum = R(fma)(b, R(load)(q + k), sum);
        R(store)(to + k, R(fma)(c, R(load)(r + k), sum));
    }
    for (; k < count; k++) to[k] -= by[0] * p[k] + by[1] * q[k] + by[2] * r[k];
}

/* to -= a p, `count` numbers. */
static inline void skl_take_one(int64_t count, double by, const double *p, double *restrict to) {
    const R(t) a = R(set1)(-by);
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) R(store)(to + k, R(fma)(a, R(load)(p + k), R(load)(to + k)));
    for (; k < count; k++) to[k] -= by * p[k];
}

static inline double skl_banded_product(int64_t count, const double *a, const double *b) {
    R(t) sum = R(zero)();
    double sums[4], rest = 0;
    int64_t k = 0;
    for (; k + 4 <= count; k += 4) sum = R(fma)(R(load)(a + k), R(load)(b + k), sum);
    for (; k < count; k++) rest += a[k] * b[k];
    R(store)(sums, sum);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
}

static inline int64_t skl_rows_under(const skl_banded *m, int64_t j) { return m->start[j + 1] - m->start[j] - 1; }

static inline void skl_check_pivot(double *column) {
    if (!(column[0] > 0)) column[0] = 1e100;
}

static inline void skl_divide_column(int64_t rows, double *column) {
    const double inverse = 1 / column[0];
    for (int64_t i = 1; i <= rows; i++) column[i] *= inverse;
}

/* Take a column times its pivot's share from the next `last` right of it. */
static inline void skl_eliminate(const skl_banded *m, int64_t j, int64_t last) {
    const double *const column = m->columns + m->start[j];
    const int64_t rows = skl_rows_under(m, j);
    const double inverse = 1 / column[0];
    for (int64_t i = 1; i <= last; i++)
        skl_take_one(rows - i + 1, column[i] * inverse, column + i, m->columns + m->start[j + i]);
}

/* Three columns at once: those right of them are read and written once. */
static inline void skl_eliminate_three(const skl_banded *m, int64_t j) {
    const int64_t rows = skl_rows_under(m, j);
    double *const a = m->columns + m->start[j], *const b = a + rows + 1, *const c = b + rows;
    skl_check_pivot(a);
    skl_eliminate(m, j, 2);
    skl_check_pivot(b);
    skl_eliminate(m, j + 1, 1);
    skl_check_pivot(c);
    const double inverse[3] = {1 / a[0], 1 / b[0], 1 / c[0]};
    for (int64_t i = 3; i <= rows; i++) {
        const double *const p = a + i, *const q = b + i - 1, *const r = c + i - 2;
        const double by[3] = {p[0] * inverse[0], q[0] * inverse[1], r[0] * inverse[2]};
        skl_take_three(rows - i + 1, by, p, q, r, m->columns + m->start[j + i]);
    }
    skl_divide_column(rows, a);
    skl_divide_column(rows - 1, b);
    skl_divide_column(rows - 2, c);
}

static void skl_banded_factor(const skl_banded *m) {
    if (m->triples) {
        for (int64_t j = 0; j < m->size; j += 3) skl_eliminate_three(m, j);
        return;
    }
    for (int64_t j = 0; j < m->size; j++) {
        double *const column = m->columns + m->start[j];
        skl_check_pivot(column);
        skl_eliminate(m, j, skl_rows_under(m, j));
        skl_divide_column(skl_rows_under(m, j), column);
    }
}

static inline void skl_forward_three(int64_t rows, const double *a, double *x) {
    const double *const b = a + rows + 1, *const c = b + rows;
    x[1] -= a[1] * x[0];
    x[2] -= a[2] * x[0] + b[1] * x[1];
    skl_take_three(rows - 2, x, a + 3, b + 2, c + 1, x + 3);
}

static void skl_banded_solve(const skl_banded *m, double *x) {
    for (int64_t j = 0; j < m->size; j += m->triples ? 3 : 1) {
        const double *const column = m->columns + m->start[j];
        const int64_t rows = skl_rows_under(m, j);
        if (m->triples)
            skl_forward_three(rows, column, x + j);
        else
            skl_take_one(rows, x[j], column + 1, x + j + 1);
    }
    for (int64_t j = m->size - 1; j >= 0; j--) {
        const double *const column = m->columns + m->start[j];
        x[j] = x[j] / column[0] - skl_banded_product(skl_rows_under(m, j), column + 1, x + j + 1);
    }
}

static void skl_banded_multiply(const skl_banded *m, const double *x, double *out) {
    for (int64_t j = 0; j < m->size; j++) {
        const double *const column = m->columns + m->start[j];
        const int64_t rows = skl_rows_under(m, j);
        skl_take_one(rows, -x[j], column + 1, out + j + 1);
        out[j] += column[0] * x[j] + skl_banded_product(rows, column + 1, x + j + 1);
    }
}

#ifndef SKL_BANDED_KERNELS
#define SKL_BANDED_KERNELS {.factor = skl_banded_factor, .solve = skl_banded_solve, .multiply = skl_banded_multiply}
#endif
