/* SPDX-License-Identifier: MIT */
/* Packed columns of a matrix, each of them a row of four in registers, on the operations of rows alone. */
#pragma once

#define SKL_MATRIX_OF_ROWS(P, T)                                                                                       \
    typedef struct P##matrix {                                                                                         \
        P##t x, y, z, t;                                                                                               \
    } P##matrix;                                                                                                       \
    static inline P##t P##matrix_set1(T w) { return P##set1(w); }                                                      \
    static inline P##matrix P##matrix_scale(P##t w, const T *m) {                                                      \
        return (P##matrix){P##mul(w, P##load(m)), P##mul(w, P##load(m + 4)), P##mul(w, P##load(m + 8)),                \
                           P##mul(w, P##load(m + 12))};                                                                \
    }                                                                                                                  \
    static inline P##matrix P##matrix_fma(P##t w, const T *m, P##matrix a) {                                           \
        return (P##matrix){P##fma(w, P##load(m), a.x), P##fma(w, P##load(m + 4), a.y), P##fma(w, P##load(m + 8), a.z), \
                           P##fma(w, P##load(m + 12), a.t)};                                                           \
    }                                                                                                                  \
    static inline void P##matrix_store(T *p, P##matrix a) {                                                            \
        P##store(p, a.x);                                                                                              \
        P##store(p + 4, a.y);                                                                                          \
        P##store(p + 8, a.z);                                                                                          \
        P##store(p + 12, a.t);                                                                                         \
    }                                                                                                                  \
    static inline P##t P##matrix_point(P##matrix a, const T *p) {                                                      \
        P##t sum = P##mul(a.x, P##set1(p[0]));                                                                         \
        sum = P##fma(a.y, P##set1(p[1]), sum);                                                                         \
        sum = P##fma(a.z, P##set1(p[2]), sum);                                                                         \
        return P##add(sum, a.t);                                                                                       \
    }
