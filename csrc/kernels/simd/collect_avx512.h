/* SPDX-License-Identifier: MIT */
/* collect3, collect4, scatter3, scatter4 on AVX-512: as in gather_avx512.h, for items anywhere. */
#pragma once

#define SKL_COLLECT_AVX512(N)                                                                                          \
    SKL_INLINE void w32_collect##N(const char *const at[16], __m512 out[N]) {                                          \
        __m512 rows[4], turned[4];                                                                                     \
        for (int i = 0; i < 4; i++)                                                                                    \
            rows[i] = w32_four_items(w32_item##N(at[i]), w32_item##N(at[i + 4]), w32_item##N(at[i + 8]),               \
                                     w32_item##N(at[i + 12]));                                                         \
        w32_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w32_scatter##N(char *const at[16], int n, const __m512 in[N]) {                                    \
        const __m512 four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                     \
        __m512 rows[4];                                                                                                \
        w32_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4; i++) {                                                                                  \
            if (i < n) w32_put##N(at[i], _mm512_castps512_ps128(rows[i]));                                             \
            if (i + 4 < n) w32_put##N(at[i + 4], _mm512_extractf32x4_ps(rows[i], 1));                                  \
            if (i + 8 < n) w32_put##N(at[i + 8], _mm512_extractf32x4_ps(rows[i], 2));                                  \
            if (i + 12 < n) w32_put##N(at[i + 12], _mm512_extractf32x4_ps(rows[i], 3));                                \
        }                                                                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_collect##N(const char *const at[8], __m512d out[N]) {                                          \
        __m512d rows[4], turned[4];                                                                                    \
        for (int i = 0; i < 4; i++) rows[i] = w64_two_items(w64_item##N(at[i]), w64_item##N(at[i + 4]));               \
        w64_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_scatter##N(char *const at[8], int n, const __m512d in[N]) {                                    \
        const __m512d four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                    \
        __m512d rows[4];                                                                                               \
        w64_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4; i++) {                                                                                  \
            if (i < n) w64_put##N(at[i], _mm512_castpd512_pd256(rows[i]));                                             \
            if (i + 4 < n) w64_put##N(at[i + 4], _mm512_extractf64x4_pd(rows[i], 1));                                  \
        }                                                                                                              \
    }

SKL_COLLECT_AVX512(3)
SKL_COLLECT_AVX512(4)
