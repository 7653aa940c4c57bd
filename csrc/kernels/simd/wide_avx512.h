/* SPDX-License-Identifier: MIT */
/* The wide types on AVX-512 (F, BW, DQ, VL): 16 float or 8 double lanes, masks in mask registers. A row is that of
 * AVX. What the operations mean is said in wide_scalar.h. */
#pragma once

#ifndef SKL_EMULATED /* the tests bring the instructions themselves where the CPU has none */
#include <immintrin.h>
#endif
#include <stdint.h>

#define SKL_WIDE_AVX512(P, T, V, N, S)                                                                                 \
    enum { P##LANES = N };                                                                                             \
    typedef V P##t;                                                                                                    \
    typedef __mmask##N P##m;                                                                                           \
    static inline P##t P##load(const T *p) { return _mm512_loadu_##S(p); }                                             \
    static inline void P##store(T *p, P##t a) { _mm512_storeu_##S(p, a); }                                             \
    static inline P##t P##set1(T a) { return _mm512_set1_##S(a); }                                                     \
    static inline P##t P##add(P##t a, P##t b) { return _mm512_add_##S(a, b); }                                         \
    static inline P##t P##sub(P##t a, P##t b) { return _mm512_sub_##S(a, b); }                                         \
    static inline P##t P##mul(P##t a, P##t b) { return _mm512_mul_##S(a, b); }                                         \
    static inline P##t P##div(P##t a, P##t b) { return _mm512_div_##S(a, b); }                                         \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return _mm512_fmadd_##S(a, b, c); }                            \
    static inline P##t P##fnma(P##t a, P##t b, P##t c) { return _mm512_fnmadd_##S(a, b, c); }                          \
    static inline P##t P##sqrt(P##t a) { return _mm512_sqrt_##S(a); }                                                  \
    static inline P##t P##abs(P##t a) { return _mm512_andnot_##S(_mm512_set1_##S((T) - 0.0), a); }                     \
    static inline P##t P##neg(P##t a) { return _mm512_xor_##S(_mm512_set1_##S((T) - 0.0), a); }                        \
    static inline P##t P##min(P##t a, P##t b) { return _mm512_min_##S(a, b); }                                         \
    static inline P##t P##max(P##t a, P##t b) { return _mm512_max_##S(a, b); }                                         \
    static inline P##t P##copysign(P##t a, P##t sign) {                                                                \
        return _mm512_or_##S(P##abs(a), _mm512_and_##S(_mm512_set1_##S((T) - 0.0), sign));                             \
    }                                                                                                                  \
    static inline P##m P##lt(P##t a, P##t b) { return _mm512_cmp_##S##_mask(a, b, _CMP_LT_OQ); }                       \
    static inline P##m P##le(P##t a, P##t b) { return _mm512_cmp_##S##_mask(a, b, _CMP_LE_OQ); }                       \
    static inline P##m P##eq(P##t a, P##t b) { return _mm512_cmp_##S##_mask(a, b, _CMP_EQ_OQ); }                       \
    static inline P##m P## and (P##m a, P##m b) { return (P##m)(a & b); }                                              \
    static inline P##m P## or (P##m a, P##m b) { return (P##m)(a | b); }                                               \
    static inline P##m P##not(P##m a) { return (P##m) ~a; }                                                            \
    static inline P##t P##select(P##m m, P##t a, P##t b) { return _mm512_mask_blend_##S(m, b, a); }                    \
    static inline int P##any(P##m m) { return m != 0; }                                                                \
    static inline int P##all(P##m m) { return m == (1 << N) - 1; }

SKL_WIDE_AVX512(w32_, float, __m512, 16, ps)
SKL_WIDE_AVX512(w64_, double, __m512d, 8, pd)

#include "rows_avx.h"

/* Packed columns of a matrix: all four in one register of float, two per register of double. */
typedef struct r32_matrix {
    __m512 all;
} r32_matrix;
typedef struct r64_matrix {
    __m512d xy, zt;
} r64_matrix;

static inline __m512 r32_matrix_set1(float w) { return _mm512_set1_ps(w); }
static inline __m512d r64_matrix_set1(double w) { return _mm512_set1_pd(w); }

static inline r32_matrix r32_matrix_scale(__m512 w, const float *m) {
    return (r32_matrix){_mm512_mul_ps(w, _mm512_loadu_ps(m))};
}

static inline r64_matrix r64_matrix_scale(__m512d w, const double *m) {
    return (r64_matrix){_mm512_mul_pd(w, _mm512_loadu_pd(m)), _mm512_mul_pd(w, _mm512_loadu_pd(m + 8))};
}

static inline r32_matrix r32_matrix_fma(__m512 w, const float *m, r32_matrix a) {
    a.all = _mm512_fmadd_ps(w, _mm512_loadu_ps(m), a.all);
    return a;
}

static inline r64_matrix r64_matrix_fma(__m512d w, const double *m, r64_matrix a) {
    a.xy = _mm512_fmadd_pd(w, _mm512_loadu_pd(m), a.xy);
    a.zt = _mm512_fmadd_pd(w, _mm512_loadu_pd(m + 8), a.zt);
    return a;
}

static inline void r32_matrix_store(float *p, r32_matrix a) { _mm512_storeu_ps(p, a.all); }

static inline void r64_matrix_store(double *p, r64_matrix a) {
    _mm512_storeu_pd(p, a.xy);
    _mm512_storeu_pd(p + 8, a.zt);
}

static inline __m128 r32_matrix_point(r32_matrix a, const float *p) {
    __m128 sum = _mm_mul_ps(_mm512_castps512_ps128(a.all), _mm_set1_ps(p[0]));
    sum = _mm_fmadd_ps(_mm512_extractf32x4_ps(a.all, 1), _mm_set1_ps(p[1]), sum);
    sum = _mm_fmadd_ps(_mm512_extractf32x4_ps(a.all, 2), _mm_set1_ps(p[2]), sum);
    return _mm_add_ps(sum, _mm512_extractf32x4_ps(a.all, 3));
}

static inline __m256d r64_matrix_point(r64_matrix a, const double *p) {
    __m256d sum = _mm256_mul_pd(_mm512_castpd512_pd256(a.xy), _mm256_set1_pd(p[0]));
    sum = _mm256_fmadd_pd(_mm512_extractf64x4_pd(a.xy, 1), _mm256_set1_pd(p[1]), sum);
    sum = _mm256_fmadd_pd(_mm512_castpd512_pd256(a.zt), _mm256_set1_pd(p[2]), sum);
    return _mm256_add_pd(sum, _mm512_extractf64x4_pd(a.zt, 1));
}

#define SKL_OWN_GATHER 1
#define SKL_OWN_AFFINE 1
#define SKL_OWN_COLLECT 1
#define SKL_OWN_TRANSPOSE 1
#define SKL_OWN_STREAM 1
#include "gather_avx512.h"
/* after it */
#include "collect_avx512.h"
#include "turn_avx512.h"
#include "wide_generic.h"
