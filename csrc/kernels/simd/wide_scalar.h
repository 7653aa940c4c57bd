/* SPDX-License-Identifier: MIT */
/* The wide types in plain C: a wide float has one lane, a row four. Every instruction set offers these operations.
 *
 * wide (w32_, w64_): LANES t m · load store set1 · add sub mul div fma fnma sqrt abs neg min max copysign
 *                    · lt le eq and or not select any all · load1 load3 load4 store1 store3 store4
 *                    · store_affine collect3 collect4 scatter3 scatter4 · transpose stream
 * row  (r32_, r64_): t · load store store3 set1 set zero · add mul fma · last splat transpose
 *                    · matrix matrix_set1 matrix_scale matrix_fma matrix_point matrix_store
 *
 * fma(a, b, c) is a * b + c: rounded once where the instruction set has it, twice here, where it would be a slow call.
 * fnma(a, b, c) is c - a * b. min and max return the second operand where one is not a number. `last(v)` keeps
 * the fourth number of a row and zeroes the others; `store3` writes the first three numbers and nothing behind them;
 * splat(v, i) is number i four times. A `matrix` is four packed columns in registers: scale (w * m) and fma (w * m +
 * sum) blend, point applies it: x, y, z, then translation; store writes its 16 numbers. loadN(at, step, n, out) takes N
 * numbers from each of the n <= LANES items that lie `step` bytes apart from `at` on: out[k] holds the k-th number of
 * all items, 0 in the lanes beyond n; storeN(at, step, n, in) is the way back. Neither touches memory behind the N
 * numbers of an item; `step` has any sign, and may be 0 for a load. collectN(at, out) takes items at LANES addresses,
 * scatterN(at, n, in) is the way back for the first n of them. store_affine(at, step, m) stores LANES matrices of 16
 * numbers, `step` bytes apart, from their first three rows. transpose(rows) turns LANES rows of LANES numbers, in
 * place. stream(p, a) is a store past the cache to an aligned address; skl_stream_done() ends a series of them, before
 * others may read. */
#pragma once

#include <math.h>

#define SKL_WIDE_SCALAR(P, T, SQRT, FABS, COPYSIGN)                                                                    \
    enum { P##LANES = 1 };                                                                                             \
    typedef T P##t;                                                                                                    \
    typedef int P##m;                                                                                                  \
    static inline P##t P##load(const T *p) { return *p; }                                                              \
    static inline void P##store(T *p, P##t a) { *p = a; }                                                              \
    static inline P##t P##set1(T a) { return a; }                                                                      \
    static inline P##t P##add(P##t a, P##t b) { return a + b; }                                                        \
    static inline P##t P##sub(P##t a, P##t b) { return a - b; }                                                        \
    static inline P##t P##mul(P##t a, P##t b) { return a * b; }                                                        \
    static inline P##t P##div(P##t a, P##t b) { return a / b; }                                                        \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return a * b + c; }                                            \
    static inline P##t P##fnma(P##t a, P##t b, P##t c) { return c - a * b; }                                           \
    static inline P##t P##sqrt(P##t a) { return SQRT(a); }                                                             \
    static inline P##t P##abs(P##t a) { return FABS(a); }                                                              \
    static inline P##t P##neg(P##t a) { return -a; }                                                                   \
    static inline P##t P##min(P##t a, P##t b) { return a < b ? a : b; }                                                \
    static inline P##t P##max(P##t a, P##t b) { return a > b ? a : b; }                                                \
    static inline P##t P##copysign(P##t a, P##t sign) { return COPYSIGN(a, sign); }                                    \
    static inline P##m P##lt(P##t a, P##t b) { return a < b; }                                                         \
    static inline P##m P##le(P##t a, P##t b) { return a <= b; }                                                        \
    static inline P##m P##eq(P##t a, P##t b) { return !(a < b) && !(b < a) && a <= b; }                                \
    static inline P##m P## and (P##m a, P##m b) { return a & b; }                                                      \
    static inline P##m P## or (P##m a, P##m b) { return a | b; }                                                       \
    static inline P##m P##not(P##m a) { return !a; }                                                                   \
    static inline P##t P##select(P##m m, P##t a, P##t b) { return m ? a : b; }                                         \
    static inline int P##any(P##m m) { return m; }                                                                     \
    static inline int P##all(P##m m) { return m; }

#define SKL_ROW_SCALAR(P, T)                                                                                           \
    typedef struct P##t {                                                                                              \
        T v[4];                                                                                                        \
    } P##t;                                                                                                            \
    static inline P##t P##load(const T *p) { return (P##t){{p[0], p[1], p[2], p[3]}}; }                                \
    static inline void P##store(T *p, P##t a) {                                                                        \
        for (int i = 0; i < 4; i++) p[i] = a.v[i];                                                                     \
    }                                                                                                                  \
    static inline void P##store3(T *p, P##t a) {                                                                       \
        for (int i = 0; i < 3; i++) p[i] = a.v[i];                                                                     \
    }                                                                                                                  \
    static inline P##t P##set1(T a) { return (P##t){{a, a, a, a}}; }                                                   \
    static inline P##t P##set(T a, T b, T c, T d) { return (P##t){{a, b, c, d}}; }                                     \
    static inline P##t P##zero(void) { return (P##t){{0, 0, 0, 0}}; }                                                  \
    static inline P##t P##add(P##t a, P##t b) {                                                                        \
        for (int i = 0; i < 4; i++) a.v[i] += b.v[i];                                                                  \
        return a;                                                                                                      \
    }                                                                                                                  \
    static inline P##t P##mul(P##t a, P##t b) {                                                                        \
        for (int i = 0; i < 4; i++) a.v[i] *= b.v[i];                                                                  \
        return a;                                                                                                      \
    }                                                                                                                  \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return P##add(P##mul(a, b), c); }                              \
    static inline P##t P##last(P##t a) { return (P##t){{0, 0, 0, a.v[3]}}; }                                           \
    static inline P##t P##splat(P##t a, int i) { return P##set1(a.v[i]); }                                             \
    static inline void P##transpose(P##t *a, P##t *b, P##t *c, P##t *d) {                                              \
        const P##t r[4] = {*a, *b, *c, *d};                                                                            \
        for (int i = 0; i < 4; i++) a->v[i] = r[i].v[0];                                                               \
        for (int i = 0; i < 4; i++) b->v[i] = r[i].v[1];                                                               \
        for (int i = 0; i < 4; i++) c->v[i] = r[i].v[2];                                                               \
        for (int i = 0; i < 4; i++) d->v[i] = r[i].v[3];                                                               \
    }

#define SKL_MATRIX_SCALAR(P, T)                                                                                        \
    typedef struct P##matrix {                                                                                         \
        T v[16];                                                                                                       \
    } P##matrix;                                                                                                       \
    static inline T P##matrix_set1(T w) { return w; }                                                                  \
    static inline P##matrix P##matrix_scale(T w, const T *m) {                                                         \
        P##matrix a;                                                                                                   \
        for (int i = 0; i < 16; i++) a.v[i] = w * m[i];                                                                \
        return a;                                                                                                      \
    }                                                                                                                  \
    static inline P##matrix P##matrix_fma(T w, const T *m, P##matrix a) {                                              \
        for (int i = 0; i < 16; i++) a.v[i] += w * m[i];                                                               \
        return a;                                                                                                      \
    }                                                                                                                  \
    static inline void P##matrix_store(T *p, P##matrix a) {                                                            \
        for (int i = 0; i < 16; i++) p[i] = a.v[i];                                                                    \
    }                                                                                                                  \
    static inline P##t P##matrix_point(P##matrix a, const T *p) {                                                      \
        P##t sum;                                                                                                      \
        for (int i = 0; i < 4; i++) sum.v[i] = a.v[i] * p[0] + a.v[4 + i] * p[1] + a.v[8 + i] * p[2] + a.v[12 + i];    \
        return sum;                                                                                                    \
    }

SKL_WIDE_SCALAR(w32_, float, sqrtf, fabsf, copysignf)
SKL_WIDE_SCALAR(w64_, double, sqrt, fabs, copysign)
SKL_ROW_SCALAR(r32_, float)
SKL_ROW_SCALAR(r64_, double)
SKL_MATRIX_SCALAR(r32_, float)
SKL_MATRIX_SCALAR(r64_, double)

#include "wide_generic.h"
