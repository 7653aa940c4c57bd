/* SPDX-License-Identifier: MIT */
/* The wide types on SSE2, which every x86-64 CPU has: 4 float or 2 double lanes; fma rounds twice, as in plain C. A row
 * is one register of float or two of double. What the operations mean is said in wide_scalar.h. */
#pragma once

#include <emmintrin.h>
#include <stdint.h>

#include "inline.h"

#define SKL_WIDE_SSE2(P, T, V, N, S)                                                                                   \
    enum { P##LANES = N };                                                                                             \
    typedef V P##t;                                                                                                    \
    typedef V P##m;                                                                                                    \
    static inline P##t P##load(const T *p) { return _mm_loadu_##S(p); }                                                \
    static inline void P##store(T *p, P##t a) { _mm_storeu_##S(p, a); }                                                \
    static inline P##t P##set1(T a) { return _mm_set1_##S(a); }                                                        \
    static inline P##t P##add(P##t a, P##t b) { return _mm_add_##S(a, b); }                                            \
    static inline P##t P##sub(P##t a, P##t b) { return _mm_sub_##S(a, b); }                                            \
    static inline P##t P##mul(P##t a, P##t b) { return _mm_mul_##S(a, b); }                                            \
    static inline P##t P##div(P##t a, P##t b) { return _mm_div_##S(a, b); }                                            \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return _mm_add_##S(_mm_mul_##S(a, b), c); }                    \
    static inline P##t P##fnma(P##t a, P##t b, P##t c) { return _mm_sub_##S(c, _mm_mul_##S(a, b)); }                   \
    static inline P##t P##sqrt(P##t a) { return _mm_sqrt_##S(a); }                                                     \
    static inline P##t P##abs(P##t a) { return _mm_andnot_##S(_mm_set1_##S((T) - 0.0), a); }                           \
    static inline P##t P##neg(P##t a) { return _mm_xor_##S(_mm_set1_##S((T) - 0.0), a); }                              \
    static inline P##t P##min(P##t a, P##t b) { return _mm_min_##S(a, b); }                                            \
    static inline P##t P##max(P##t a, P##t b) { return _mm_max_##S(a, b); }                                            \
    static inline P##t P##copysign(P##t a, P##t sign) {                                                                \
        return _mm_or_##S(P##abs(a), _mm_and_##S(_mm_set1_##S((T) - 0.0), sign));                                      \
    }                                                                                                                  \
    static inline P##m P##lt(P##t a, P##t b) { return _mm_cmplt_##S(a, b); }                                           \
    static inline P##m P##le(P##t a, P##t b) { return _mm_cmple_##S(a, b); }                                           \
    static inline P##m P##eq(P##t a, P##t b) { return _mm_cmpeq_##S(a, b); }                                           \
    static inline P##m P## and (P##m a, P##m b) { return _mm_and_##S(a, b); }                                          \
    static inline P##m P## or (P##m a, P##m b) { return _mm_or_##S(a, b); }                                            \
    static inline P##m P##not(P##m a) { return _mm_xor_##S(a, _mm_cmpeq_##S(_mm_setzero_##S(), _mm_setzero_##S())); }  \
    static inline P##t P##select(P##m m, P##t a, P##t b) {                                                             \
        return _mm_or_##S(_mm_and_##S(m, a), _mm_andnot_##S(m, b));                                                    \
    }                                                                                                                  \
    static inline int P##any(P##m m) { return _mm_movemask_##S(m) != 0; }                                              \
    static inline int P##all(P##m m) { return _mm_movemask_##S(m) == (1 << N) - 1; }                                   \
    static inline void P##stream(T *p, P##t a) { _mm_stream_##S(p, a); }

SKL_WIDE_SSE2(w32_, float, __m128, 4, ps)
SKL_WIDE_SSE2(w64_, double, __m128d, 2, pd)

static inline void skl_stream_done(void) { _mm_sfence(); }

static inline void w32_transpose(__m128 rows[4]) {
    const __m128 ab_low = _mm_unpacklo_ps(rows[0], rows[1]), ab_high = _mm_unpackhi_ps(rows[0], rows[1]);
    const __m128 cd_low = _mm_unpacklo_ps(rows[2], rows[3]), cd_high = _mm_unpackhi_ps(rows[2], rows[3]);
    rows[0] = _mm_movelh_ps(ab_low, cd_low);
    rows[1] = _mm_movehl_ps(cd_low, ab_low);
    rows[2] = _mm_movelh_ps(ab_high, cd_high);
    rows[3] = _mm_movehl_ps(cd_high, ab_high);
}

static inline void w64_transpose(__m128d rows[2]) {
    const __m128d even = _mm_unpacklo_pd(rows[0], rows[1]);
    rows[1] = _mm_unpackhi_pd(rows[0], rows[1]);
    rows[0] = even;
}

/* One lane to all. */
SKL_INLINE __m128 w32_splat(__m128 a, int i) {
    return i == 0   ? _mm_shuffle_ps(a, a, 0x00)
           : i == 1 ? _mm_shuffle_ps(a, a, 0x55)
           : i == 2 ? _mm_shuffle_ps(a, a, 0xAA)
                    : _mm_shuffle_ps(a, a, 0xFF);
}

SKL_INLINE __m128d w64_splat(__m128d a, int i) { return i == 0 ? _mm_unpacklo_pd(a, a) : _mm_unpackhi_pd(a, a); }

/* Three numbers and a 0; the first three; two numbers from, and to, different places. */
static inline __m128 w32_get_three(const float *p) {
    return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)), _mm_load_ss(p + 2));
}

static inline void w32_put_three(float *p, __m128 a) {
    _mm_storel_pi((__m64 *)(void *)p, a);
    _mm_store_ss(p + 2, _mm_movehl_ps(a, a));
}

static inline __m128d w64_get_two(const double *p, const double *q) { return _mm_loadh_pd(_mm_load_sd(p), q); }
static inline void w64_put_low(double *p, __m128d a) { _mm_storel_pd(p, a); }
static inline void w64_put_high(double *p, __m128d a) { _mm_storeh_pd(p, a); }

#define SKL_OWN_GATHER 1
#define SKL_OWN_COLLECT 1
#define SKL_OWN_TRANSPOSE 1
#define SKL_OWN_STREAM 1
#include "gather_128.h"
/* after it */
#include "collect_128.h"
#include "rows_128.h"
#include "wide_generic.h"
