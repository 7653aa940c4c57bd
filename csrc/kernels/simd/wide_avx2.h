/* SPDX-License-Identifier: MIT */
/* The wide types on AVX2 and FMA: 8 float or 4 double lanes; a row is 4 float (SSE) or 4 double (AVX).
 * What the operations mean is said in wide_scalar.h. */
#pragma once

#include <immintrin.h>
#include <stdint.h>

#include "inline.h"

#define SKL_WIDE_AVX2(P, T, V, N, S)                                                                                   \
    enum { P##LANES = N };                                                                                             \
    typedef V P##t;                                                                                                    \
    typedef V P##m;                                                                                                    \
    static inline P##t P##load(const T *p) { return _mm256_loadu_##S(p); }                                             \
    static inline void P##store(T *p, P##t a) { _mm256_storeu_##S(p, a); }                                             \
    static inline P##t P##set1(T a) { return _mm256_set1_##S(a); }                                                     \
    static inline P##t P##add(P##t a, P##t b) { return _mm256_add_##S(a, b); }                                         \
    static inline P##t P##sub(P##t a, P##t b) { return _mm256_sub_##S(a, b); }                                         \
    static inline P##t P##mul(P##t a, P##t b) { return _mm256_mul_##S(a, b); }                                         \
    static inline P##t P##div(P##t a, P##t b) { return _mm256_div_##S(a, b); }                                         \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return _mm256_fmadd_##S(a, b, c); }                            \
    static inline P##t P##fnma(P##t a, P##t b, P##t c) { return _mm256_fnmadd_##S(a, b, c); }                          \
    static inline P##t P##sqrt(P##t a) { return _mm256_sqrt_##S(a); }                                                  \
    static inline P##t P##abs(P##t a) { return _mm256_andnot_##S(_mm256_set1_##S((T) - 0.0), a); }                     \
    static inline P##t P##neg(P##t a) { return _mm256_xor_##S(_mm256_set1_##S((T) - 0.0), a); }                        \
    static inline P##t P##min(P##t a, P##t b) { return _mm256_min_##S(a, b); }                                         \
    static inline P##t P##max(P##t a, P##t b) { return _mm256_max_##S(a, b); }                                         \
    static inline P##t P##copysign(P##t a, P##t sign) {                                                                \
        return _mm256_or_##S(P##abs(a), _mm256_and_##S(_mm256_set1_##S((T) - 0.0), sign));                             \
    }                                                                                                                  \
    static inline P##m P##lt(P##t a, P##t b) { return _mm256_cmp_##S(a, b, _CMP_LT_OQ); }                              \
    static inline P##m P##le(P##t a, P##t b) { return _mm256_cmp_##S(a, b, _CMP_LE_OQ); }                              \
    static inline P##m P##eq(P##t a, P##t b) { return _mm256_cmp_##S(a, b, _CMP_EQ_OQ); }                              \
    static inline P##m P## and (P##m a, P##m b) { return _mm256_and_##S(a, b); }                                       \
    static inline P##m P## or (P##m a, P##m b) { return _mm256_or_##S(a, b); }                                         \
    static inline P##m P##not(P##m a) {                                                                                \
        return _mm256_xor_##S(a, _mm256_cmp_##S(_mm256_setzero_##S(), _mm256_setzero_##S(), _CMP_EQ_OQ));              \
    }                                                                                                                  \
    static inline P##t P##select(P##m m, P##t a, P##t b) { return _mm256_blendv_##S(b, a, m); }                        \
    static inline int P##any(P##m m) { return _mm256_movemask_##S(m) != 0; }                                           \
    static inline int P##all(P##m m) { return _mm256_movemask_##S(m) == (1 << N) - 1; }

SKL_WIDE_AVX2(w32_, float, __m256, 8, ps)
SKL_WIDE_AVX2(w64_, double, __m256d, 4, pd)

#include "matrix_of_rows.h"
#include "rows_avx.h"

/* Packed columns of a matrix: two columns per register in float, one in double. */
typedef struct r32_matrix {
    __m256 xy, zt;
} r32_matrix;

static inline __m256 r32_matrix_set1(float w) { return _mm256_set1_ps(w); }

static inline r32_matrix r32_matrix_scale(__m256 w, const float *m) {
    return (r32_matrix){_mm256_mul_ps(w, _mm256_loadu_ps(m)), _mm256_mul_ps(w, _mm256_loadu_ps(m + 8))};
}

static inline r32_matrix r32_matrix_fma(__m256 w, const float *m, r32_matrix a) {
    a.xy = _mm256_fmadd_ps(w, _mm256_loadu_ps(m), a.xy);
    a.zt = _mm256_fmadd_ps(w, _mm256_loadu_ps(m + 8), a.zt);
    return a;
}

static inline void r32_matrix_store(float *p, r32_matrix a) {
    _mm256_storeu_ps(p, a.xy);
    _mm256_storeu_ps(p + 8, a.zt);
}

static inline __m128 r32_matrix_point(r32_matrix a, const float *p) {
    __m128 sum = _mm_mul_ps(_mm256_castps256_ps128(a.xy), _mm_set1_ps(p[0]));
    sum = _mm_fmadd_ps(_mm256_extractf128_ps(a.xy, 1), _mm_set1_ps(p[1]), sum);
    sum = _mm_fmadd_ps(_mm256_castps256_ps128(a.zt), _mm_set1_ps(p[2]), sum);
    return _mm_add_ps(sum, _mm256_extractf128_ps(a.zt, 1));
}

SKL_MATRIX_OF_ROWS(r64_, double)

#define SKL_OWN_GATHER 1
#define SKL_OWN_AFFINE 1
#define SKL_OWN_COLLECT 1
#define SKL_OWN_TRANSPOSE 1
#define SKL_OWN_STREAM 1
#include "wide_generic.h"
/* after it */
#include "gather_avx2.h"
#include "collect_avx2.h"
#include "turn_avx2.h"
