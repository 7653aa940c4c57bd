/* SPDX-License-Identifier: MIT */
/* The kernels of banded.h, in double only; lanes are rows of a column. */

/* to -= a p, `count` numbers and what fills their last four. */
static inline void skl_take_one(int64_t count, double by, const double *p, double *to) {
    const R(t) a = R(set1)(-by);
    for (int64_t k = 0; k < count; k += 4) R(store)(to + k, R(fma)(a, R(load)(p + k), R(load)(to + k)));
}

/* to -= a p + b q + c r, the same. */
static inline void skl_take_three(int64_t count, const double by[3], double *const from[3], int64_t row, double *to) {
    const R(t) a = R(set1)(-by[0]), b = R(set1)(-by[1]), c = R(set1)(-by[2]);
    for (int64_t k = 0; k < count; k += 4) {
        R(t) sum = R(fma)(a, R(load)(from[0] + row + k), R(load)(to + k));
        sum = R(fma)(b, R(load)(from[1] + row + k), sum);
        R(store)(to + k, R(fma)(c, R(load)(from[2] + row + k), sum));
    }
}

static inline double skl_row_sum(R(t) row) {
    double numbers[4];
    R(store)(numbers, row);
    return (numbers[0] + numbers[1]) + (numbers[2] + numbers[3]);
}

static inline double skl_banded_product(int64_t count, const double *a, const double *x) {
    R(t) sum = R(zero)();
    for (int64_t k = 0; k < count; k += 4) sum = R(fma)(R(load)(a + k), R(load)(x + k), sum);
    return skl_row_sum(sum);
}

/* The products of three columns, from a row on, with the same numbers. */
static inline void skl_three_products(int64_t count, double *const of[3], int64_t row, const double *x, double out[3]) {
    R(t) a = R(zero)(), b = R(zero)(), c = R(zero)();
    for (int64_t k = 0; k < count; k += 4) {
        const R(t) numbers = R(load)(x + k);
        a = R(fma)(R(load)(of[0] + row + k), numbers, a);
        b = R(fma)(R(load)(of[1] + row + k), numbers, b);
        c = R(fma)(R(load)(of[2] + row + k), numbers, c);
    }
    out[0] = skl_row_sum(a);
    out[1] = skl_row_sum(b);
    out[2] = skl_row_sum(c);
}

/* How many rows a column has, with its diagonal. */
static inline int64_t skl_rows_of(const skl_banded *m, int64_t j) {
    return m->start[j + 1] - m->start[j] - SKL_BANDED_ZEROS;
}

static inline void skl_columns_at(const skl_banded *m, int64_t j, double *out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m->columns + m->start[j + i];
}

/* One over a pivot, which is mended. */
static inline double skl_check_pivot(double *pivot) {
    if (!(*pivot > 0)) *pivot = 1e100;
    return 1 / *pivot;
}

static inline void skl_scale(int64_t count, double by, double *numbers) {
    const R(t) factor = R(set1)(by);
    for (int64_t k = 0; k < count; k += 4) R(store)(numbers + k, R(mul)(factor, R(load)(numbers + k)));
}

/* Take the shares of three columns from three others, which begin `row` rows below them. */
static inline void skl_take_nine(int64_t count, double *const from[3], const double inverse[3], int64_t row,
                                 double *const to[3]) {
    R(t) by[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) by[i][j] = R(set1)(-from[j][row + i] * inverse[j]);
    for (int64_t k = 0; k < count; k += 4) {
        const R(t) a = R(load)(from[0] + row + k), b = R(load)(from[1] + row + k), c = R(load)(from[2] + row + k);
        for (int i = 0; i < 3; i++) {
            const R(t) sum = R(fma)(by[i][1], b, R(fma)(by[i][0], a, R(load)(to[i] + k)));
            R(store)(to[i] + k, R(fma)(by[i][2], c, sum));
        }
    }
}

static inline void skl_eliminate_three(const skl_banded *m, int64_t j) {
    const int64_t rows = skl_rows_of(m, j);
    double *own[3], *other[3], inverse[3];
    skl_columns_at(m, j, own);
    inverse[0] = skl_check_pivot(own[0]);
    skl_take_one(rows - 1, own[0][1] * inverse[0], own[0] + 1, own[1] + 1);
    skl_take_one(rows - 2, own[0][2] * inverse[0], own[0] + 2, own[2] + 2);
    inverse[1] = skl_check_pivot(own[1] + 1);
    skl_take_one(rows - 2, own[1][2] * inverse[1], own[1] + 2, own[2] + 2);
    inverse[2] = skl_check_pivot(own[2] + 2);
    for (int64_t row = 3; row < rows; row += 3) {
        skl_columns_at(m, j + row, other);
        skl_take_nine(rows - row, own, inverse, row, other);
    }
    for (int i = 0; i < 3; i++) skl_scale(rows - i - 1, inverse[i], own[i] + i + 1);
}

static inline void skl_eliminate_one(const skl_banded *m, int64_t j) {
    const int64_t rows = skl_rows_of(m, j);
    double *const column = m->columns + m->start[j];
    const double inverse = skl_check_pivot(column);
    for (int64_t i = 1; i < rows; i++)
        skl_take_one(rows - i, column[i] * inverse, column + i, m->columns + m->start[j + i]);
    skl_scale(rows - 1, inverse, column + 1);
}

static void skl_banded_factor(const skl_banded *m, int64_t first, int64_t last) {
    for (int64_t j = first; m->triples && j < last; j += 3) skl_eliminate_three(m, j);
    for (int64_t j = first; !m->triples && j < last; j++) skl_eliminate_one(m, j);
}

static inline void skl_forward_three(const skl_banded *m, int64_t j, double *x) {
    double *own[3];
    skl_columns_at(m, j, own);
    x[1] -= own[0][1] * x[0];
    x[2] -= own[0][2] * x[0] + own[1][2] * x[1];
    skl_take_three(skl_rows_of(m, j) - 3, x, own, 3, x + 3);
}

static void skl_banded_forward(const skl_banded *m, int64_t first, int64_t last, double *x) {
    for (int64_t j = first; m->triples && j < last; j += 3) skl_forward_three(m, j, x + j);
    for (int64_t j = first; !m->triples && j < last; j++)
        skl_take_one(skl_rows_of(m, j) - 1, x[j], m->columns + m->start[j] + 1, x + j + 1);
}

/* The three numbers that were found last come after all others: these need not wait for them. */
static inline void skl_backward_three(const skl_banded *m, int64_t j, double *x) {
    const int64_t rows = skl_rows_of(m, j);
    double *own[3], known[3];
    skl_columns_at(m, j, own);
    skl_three_products(rows - 6, own, 6, x + 6, known);
    for (int64_t row = 3; row < 6 && row < rows; row++)
        for (int i = 0; i < 3; i++) known[i] += own[i][row] * x[row];
    x[2] = x[2] / own[2][2] - known[2];
    x[1] = x[1] / own[1][1] - known[1] - own[1][2] * x[2];
    x[0] = x[0] / own[0][0] - known[0] - own[0][2] * x[2] - own[0][1] * x[1];
}

static void skl_banded_backward(const skl_banded *m, double *x) {
    for (int64_t j = m->size - 3; m->triples && j >= 0; j -= 3) skl_backward_three(m, j, x + j);
    for (int64_t j = m->size - 1; !m->triples && j >= 0; j--) {
        const double *const column = m->columns + m->start[j];
        x[j] = x[j] / column[0] - skl_banded_product(skl_rows_of(m, j) - 1, column + 1, x + j + 1);
    }
}

static inline void skl_multiply_three(const skl_banded *m, int64_t j, const double *x, double *out) {
    const int64_t rows = skl_rows_of(m, j);
    const double less[3] = {-x[0], -x[1], -x[2]};
    double *own[3], under[3];
    skl_columns_at(m, j, own);
    skl_three_products(rows - 3, own, 3, x + 3, under);
    skl_take_three(rows - 3, less, own, 3, out + 3);
    out[0] += own[0][0] * x[0] + own[0][1] * x[1] + own[0][2] * x[2] + under[0];
    out[1] += own[0][1] * x[0] + own[1][1] * x[1] + own[1][2] * x[2] + under[1];
    out[2] += own[0][2] * x[0] + own[1][2] * x[1] + own[2][2] * x[2] + under[2];
}

static void skl_banded_multiply(const skl_banded *m, int64_t first, int64_t last, const double *x, double *out) {
    for (int64_t j = first; m->triples && j < last; j += 3) skl_multiply_three(m, j, x + j, out + j);
    for (int64_t j = first; !m->triples && j < last; j++) {
        const double *const column = m->columns + m->start[j];
        const int64_t under = skl_rows_of(m, j) - 1;
        skl_take_one(under, -x[j], column + 1, out + j + 1);
        out[j] += column[0] * x[j] + skl_banded_product(under, column + 1, x + j + 1);
    }
}

#ifndef SKL_BANDED_KERNELS
#define SKL_BANDED_KERNELS                                                                                             \
    {.factor = skl_banded_factor,                                                                                      \
     .forward = skl_banded_forward,                                                                                    \
     .backward = skl_banded_backward,                                                                                  \
     .multiply = skl_banded_multiply}
#endif
