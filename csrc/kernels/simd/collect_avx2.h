/* SPDX-License-Identifier: MIT */
/* collect3, collect4, scatter3, scatter4 on AVX2: as in gather_avx2.h, for items anywhere. */
#pragma once

#define SKL_COLLECT_AVX2(N)                                                                                            \
    SKL_INLINE void w32_collect##N(const char *const at[8], __m256 out[N]) {                                           \
        __m256 rows[4], turned[4];                                                                                     \
        for (int i = 0; i < 4; i++) rows[i] = w32_pair(w32_item##N(at[i]), w32_item##N(at[i + 4]));                    \
        w32_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w32_scatter##N(char *const at[8], int n, const __m256 in[N]) {                                     \
        const __m256 four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                     \
        __m256 rows[4];                                                                                                \
        w32_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4; i++) {                                                                                  \
            if (i < n) w32_put##N(at[i], _mm256_castps256_ps128(rows[i]));                                             \
            if (i + 4 < n) w32_put##N(at[i + 4], _mm256_extractf128_ps(rows[i], 1));                                   \
        }                                                                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_collect##N(const char *const at[4], __m256d out[N]) {                                          \
        __m256d rows[4], turned[4];                                                                                    \
        for (int i = 0; i < 4; i++) rows[i] = w64_item##N(at[i]);                                                      \
        w64_turn(rows, turned);                                                                                        \
        for (int k = 0; k < (N); k++) out[k] = turned[k];                                                              \
    }                                                                                                                  \
    SKL_INLINE void w64_scatter##N(char *const at[4], int n, const __m256d in[N]) {                                    \
        const __m256d four[4] = {in[0], in[1], in[2], in[(N) - 1]};                                                    \
        __m256d rows[4];                                                                                               \
        w64_turn(four, rows);                                                                                          \
        for (int i = 0; i < 4 && i < n; i++) w64_put##N(at[i], rows[i]);                                               \
    }

SKL_COLLECT_AVX2(3)
SKL_COLLECT_AVX2(4)
