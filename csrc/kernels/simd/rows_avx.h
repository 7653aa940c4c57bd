/* SPDX-License-Identifier: MIT */
/* Rows of four on AVX2 and FMA, for AVX2 and AVX-512: 4 float in an SSE register, 4 double in an AVX one; items as such
 * rows. */
#pragma once

#include "inline.h"

#define SKL_ROW_AVX(P, T, V, PRE, S)                                                                                   \
    typedef V P##t;                                                                                                    \
    static inline P##t P##load(const T *p) { return PRE##_loadu_##S(p); }                                              \
    static inline void P##store(T *p, P##t a) { PRE##_storeu_##S(p, a); }                                              \
    static inline P##t P##set1(T a) { return PRE##_set1_##S(a); }                                                      \
    static inline P##t P##zero(void) { return PRE##_setzero_##S(); }                                                   \
    static inline P##t P##set(T a, T b, T c, T d) { return PRE##_setr_##S(a, b, c, d); }                               \
    static inline P##t P##add(P##t a, P##t b) { return PRE##_add_##S(a, b); }                                          \
    static inline P##t P##mul(P##t a, P##t b) { return PRE##_mul_##S(a, b); }                                          \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return PRE##_fmadd_##S(a, b, c); }                             \
    static inline P##t P##last(P##t a) { return PRE##_blend_##S(PRE##_setzero_##S(), a, 8); }

SKL_ROW_AVX(r32_, float, __m128, _mm, ps)
SKL_ROW_AVX(r64_, double, __m256d, _mm256, pd)

#define SKL_SPLAT_AVX(P, PERMUTE)                                                                                      \
    SKL_INLINE P##t P##splat(P##t a, int i) {                                                                          \
        return i == 0 ? PERMUTE(a, 0x00) : i == 1 ? PERMUTE(a, 0x55) : i == 2 ? PERMUTE(a, 0xAA) : PERMUTE(a, 0xFF);   \
    }

SKL_SPLAT_AVX(r32_, _mm_permute_ps)
SKL_SPLAT_AVX(r64_, _mm256_permute4x64_pd)

/* Two stores instead of a masked one, which some CPUs run in microcode. */
static inline void r32_store3(float *p, __m128 a) {
    _mm_storel_pi((__m64 *)(void *)p, a);
    _mm_store_ss(p + 2, _mm_movehl_ps(a, a));
}

static inline void r64_store3(double *p, __m256d a) {
    _mm_storeu_pd(p, _mm256_castpd256_pd128(a));
    _mm_store_sd(p + 2, _mm256_extractf128_pd(a, 1));
}

static inline void r32_transpose(__m128 *a, __m128 *b, __m128 *c, __m128 *d) {
    const __m128 ab_low = _mm_unpacklo_ps(*a, *b), ab_high = _mm_unpackhi_ps(*a, *b);
    const __m128 cd_low = _mm_unpacklo_ps(*c, *d), cd_high = _mm_unpackhi_ps(*c, *d);
    *a = _mm_movelh_ps(ab_low, cd_low);
    *b = _mm_movehl_ps(cd_low, ab_low);
    *c = _mm_movelh_ps(ab_high, cd_high);
    *d = _mm_movehl_ps(cd_high, ab_high);
}

static inline void r64_transpose(__m256d *a, __m256d *b, __m256d *c, __m256d *d) {
    const __m256d ab_even = _mm256_unpacklo_pd(*a, *b), ab_odd = _mm256_unpackhi_pd(*a, *b);
    const __m256d cd_even = _mm256_unpacklo_pd(*c, *d), cd_odd = _mm256_unpackhi_pd(*c, *d);
    *a = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
    *b = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
    *c = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
    *d = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}

/* An item of four numbers, and of three and a 0, as a row; and back. */
SKL_INLINE __m128 w32_item4(const char *at) { return _mm_loadu_ps((const float *)(const void *)at); }

SKL_INLINE __m128 w32_item3(const char *at) {
    const __m128 xy = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)at));
    return _mm_movelh_ps(xy, _mm_load_ss((const float *)(const void *)(at + 8)));
}

SKL_INLINE __m256d w64_item4(const char *at) { return _mm256_loadu_pd((const double *)(const void *)at); }

SKL_INLINE __m256d w64_item3(const char *at) {
    const double *p = (const double *)(const void *)at;
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1);
}

SKL_INLINE void w32_put4(char *at, __m128 a) { _mm_storeu_ps((float *)(void *)at, a); }
SKL_INLINE void w32_put3(char *at, __m128 a) { r32_store3((float *)(void *)at, a); }
SKL_INLINE void w64_put4(char *at, __m256d a) { _mm256_storeu_pd((double *)(void *)at, a); }
SKL_INLINE void w64_put3(char *at, __m256d a) { r64_store3((double *)(void *)at, a); }

/* Item i of those that lie `step` bytes apart from `at` on, or zeros behind the last of n. */
#define SKL_W32_ITEM(N, i) (i) < n ? w32_item##N(at + (i) * step) : _mm_setzero_ps()
#define SKL_W64_ITEM(N, i) (i) < n ? w64_item##N(at + (i) * step) : _mm256_setzero_pd()
