/* SPDX-License-Identifier: MIT */
/* Rows of four, and matrices of four such columns, in registers of 128 bits, for SSE2 and NEON.
 * Before it is included: the wide types, w32_put_three, w64_put_low, w32_splat, w64_splat. */
#pragma once

#include "inline.h"
#include "matrix_of_rows.h"

/* --- float: one register, as wide as the wide type --------------------------------------------------------------- */

typedef w32_t r32_t;

static inline r32_t r32_load(const float *p) { return w32_load(p); }
static inline void r32_store(float *p, r32_t a) { w32_store(p, a); }
static inline void r32_store3(float *p, r32_t a) { w32_put_three(p, a); }
static inline r32_t r32_set1(float a) { return w32_set1(a); }
static inline r32_t r32_zero(void) { return w32_set1(0); }
static inline r32_t r32_add(r32_t a, r32_t b) { return w32_add(a, b); }
static inline r32_t r32_mul(r32_t a, r32_t b) { return w32_mul(a, b); }
static inline r32_t r32_fma(r32_t a, r32_t b, r32_t c) { return w32_fma(a, b, c); }

static inline r32_t r32_set(float a, float b, float c, float d) {
    const float numbers[4] = {a, b, c, d};
    return w32_load(numbers);
}

static inline r32_t r32_last(r32_t a) {
    static const float fourth[4] = {0, 0, 0, 1};
    return w32_select(w32_lt(w32_set1(0), w32_load(fourth)), a, w32_set1(0));
}

static inline void r32_transpose(r32_t *a, r32_t *b, r32_t *c, r32_t *d) {
    w32_t rows[4] = {*a, *b, *c, *d};
    w32_transpose(rows);
    *a = rows[0];
    *b = rows[1];
    *c = rows[2];
    *d = rows[3];
}

SKL_INLINE r32_t r32_splat(r32_t a, int i) { return w32_splat(a, i); }

/* --- double: two registers --------------------------------------------------------------------------------------- */

typedef struct r64_t {
    w64_t low, high;
} r64_t;

static inline r64_t r64_load(const double *p) { return (r64_t){w64_load(p), w64_load(p + 2)}; }
static inline void r64_store3(double *p, r64_t a) {
    w64_store(p, a.low);
    w64_put_low(p + 2, a.high);
}
static inline void r64_store(double *p, r64_t a) {
    w64_store(p, a.low);
    w64_store(p + 2, a.high);
}
static inline r64_t r64_set1(double a) { return (r64_t){w64_set1(a), w64_set1(a)}; }
static inline r64_t r64_zero(void) { return r64_set1(0); }
static inline r64_t r64_add(r64_t a, r64_t b) { return (r64_t){w64_add(a.low, b.low), w64_add(a.high, b.high)}; }
static inline r64_t r64_mul(r64_t a, r64_t b) { return (r64_t){w64_mul(a.low, b.low), w64_mul(a.high, b.high)}; }
static inline r64_t r64_fma(r64_t a, r64_t b, r64_t c) {
    return (r64_t){w64_fma(a.low, b.low, c.low), w64_fma(a.high, b.high, c.high)};
}

static inline r64_t r64_set(double a, double b, double c, double d) {
    const double numbers[4] = {a, b, c, d};
    return r64_load(numbers);
}

static inline r64_t r64_last(r64_t a) {
    static const double second[2] = {0, 1};
    const w64_t zero = w64_set1(0);
    return (r64_t){zero, w64_select(w64_lt(zero, w64_load(second)), a.high, zero)};
}

SKL_INLINE r64_t r64_splat(r64_t a, int i) {
    const w64_t number = w64_splat(i < 2 ? a.low : a.high, i % 2);
    return (r64_t){number, number};
}

static inline void r64_transpose(r64_t *a, r64_t *b, r64_t *c, r64_t *d) {
    w64_t ab_low[2] = {a->low, b->low}, ab_high[2] = {a->high, b->high};
    w64_t cd_low[2] = {c->low, d->low}, cd_high[2] = {c->high, d->high};
    w64_transpose(ab_low);
    w64_transpose(ab_high);
    w64_transpose(cd_low);
    w64_transpose(cd_high);
    *a = (r64_t){ab_low[0], cd_low[0]};
    *b = (r64_t){ab_low[1], cd_low[1]};
    *c = (r64_t){ab_high[0], cd_high[0]};
    *d = (r64_t){ab_high[1], cd_high[1]};
}

/* --- packed columns of a matrix ---------------------------------------------------------------------------------- */

SKL_MATRIX_OF_ROWS(r32_, float)
SKL_MATRIX_OF_ROWS(r64_, double)
