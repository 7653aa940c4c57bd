/* SPDX-License-Identifier: MIT */
/* load3, load4, store3, store4 on AVX-512: items of 3 or 4 numbers turned into lanes, and back, in registers. */
#pragma once

#include "inline.h"

/* Register i holds items i, i + 4, i + 8, i + 12 of sixteen; to four components (and back: it is its own inverse). */
SKL_INLINE void w32_turn(const __m512 r[4], __m512 out[4]) {
    const __m512 ab_low = _mm512_unpacklo_ps(r[0], r[1]), ab_high = _mm512_unpackhi_ps(r[0], r[1]);
    const __m512 cd_low = _mm512_unpacklo_ps(r[2], r[3]), cd_high = _mm512_unpackhi_ps(r[2], r[3]);
    out[0] = _mm512_shuffle_ps(ab_low, cd_low, 0x44);
    out[1] = _mm512_shuffle_ps(ab_low, cd_low, 0xEE);
    out[2] = _mm512_shuffle_ps(ab_high, cd_high, 0x44);
    out[3] = _mm512_shuffle_ps(ab_high, cd_high, 0xEE);
}

/* Register i holds items i and i + 4 of eight. */
SKL_INLINE void w64_turn(const __m512d r[4], __m512d out[4]) {
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    const __m512d ab_even = _mm512_unpacklo_pd(r[0], r[1]), ab_odd = _mm512_unpackhi_pd(r[0], r[1]);
    const __m512d cd_even = _mm512_unpacklo_pd(r[2], r[3]), cd_odd = _mm512_unpackhi_pd(r[2], r[3]);
    out[0] = _mm512_permutex2var_pd(ab_even, low, cd_even);
    out[1] = _mm512_permutex2var_pd(ab_odd, low, cd_odd);
    out[2] = _mm512_permutex2var_pd(ab_even, high, cd_even);
    out[3] = _mm512_permutex2var_pd(ab_odd, high, cd_odd);
}

SKL_INLINE __m512 w32_four_items(__m128 a, __m128 b, __m128 c, __m128 d) {
    const __m256 ab = _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    const __m256 cd = _mm256_insertf128_ps(_mm256_castps128_ps256(c), d, 1);
    return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_castps_pd(ab)), _mm256_castps_pd(cd), 1));
}

SKL_INLINE __m512d w64_two_items(__m256d a, __m256d b) { return _mm512_insertf64x4(_mm512_castpd256_pd512(a), b, 1); }

#define SKL_GATHER_AVX512(N)                                                                                           \
    SKL_INLINE void w32_load##N(const char *at, int64_t step, int n, __m512 out[N]) {                                  \
        __m512 rows[4], turned[4];                                                                                     \
        for (int i = 0; i < 4; i++)                                                                                    \
            rows[i] = w32_four_items(SKL_W32_ITEM(N, i), SKL_W32_ITEM(N, i + 4), SKL_W32_ITEM(N, i + 8),               \
                                     SKL_W32_ITEM(N, i + 12));                                                         \
        w32_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w32_store##N(char *at, int64_t step, int n, const __m512 in[N]) {                                  \
        const __m512 four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                     \
        __m512 rows[4];                                                                                                \
        w32_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4; i++) {                                                                                  \
            if (i < n) w32_put##N(at + i * step, _mm512_castps512_ps128(rows[i]));                                     \
            if (i + 4 < n) w32_put##N(at + (i + 4) * step, _mm512_extractf32x4_ps(rows[i], 1));                        \
            if (i + 8 < n) w32_put##N(at + (i + 8) * step, _mm512_extractf32x4_ps(rows[i], 2));                        \
            if (i + 12 < n) w32_put##N(at + (i + 12) * step, _mm512_extractf32x4_ps(rows[i], 3));                      \
        }                                                                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_load##N(const char *at, int64_t step, int n, __m512d out[N]) {                                 \
        __m512d rows[4], turned[4];                                                                                    \
        for (int i = 0; i < 4; i++) rows[i] = w64_two_items(SKL_W64_ITEM(N, i), SKL_W64_ITEM(N, i + 4));               \
        w64_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_store##N(char *at, int64_t step, int n, const __m512d in[N]) {                                 \
        const __m512d four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                    \
        __m512d rows[4];                                                                                               \
        w64_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4; i++) {                                                                                  \
            if (i < n) w64_put##N(at + i * step, _mm512_castpd512_pd256(rows[i]));                                     \
            if (i + 4 < n) w64_put##N(at + (i + 4) * step, _mm512_extractf64x4_pd(rows[i], 1));                        \
        }                                                                                                              \
    }

SKL_GATHER_AVX512(3)
SKL_GATHER_AVX512(4)
