/* SPDX-License-Identifier: MIT */
/* collect3, collect4, scatter3, scatter4 on AVX2: as in gather_avx2.h, for items anywhere. */
#pragma once

SKL_INLINE void w32_collect4(const char *const at[8], __m256 out[4]) {
    __m256 rows[4];
    for (int i = 0; i < 4; i++) rows[i] = w32_pair(w32_four(at[i]), w32_four(at[i + 4]));
    w32_turn(rows, out);
}

SKL_INLINE void w32_collect3(const char *const at[8], __m256 out[3]) {
    __m256 rows[4], turned[4];
    for (int i = 0; i < 4; i++) rows[i] = w32_pair(w32_three(at[i]), w32_three(at[i + 4]));
    w32_turn(rows, turned);
    for (int k = 0; k < 3; k++) out[k] = turned[k];
}

SKL_INLINE void w32_scatter4(char *const at[8], int n, const __m256 in[4]) {
    __m256 rows[4];
    w32_turn(in, rows);
    for (int i = 0; i < 4; i++) {
        if (i < n) _mm_storeu_ps((float *)(void *)at[i], _mm256_castps256_ps128(rows[i]));
        if (i + 4 < n) _mm_storeu_ps((float *)(void *)at[i + 4], _mm256_extractf128_ps(rows[i], 1));
    }
}

SKL_INLINE void w32_scatter3(char *const at[8], int n, const __m256 in[3]) {
    const __m256 four[4] = {in[0], in[1], in[2], in[2]};
    __m256 rows[4];
    w32_turn(four, rows);
    for (int i = 0; i < 4; i++) {
        if (i < n) w32_put_three(at[i], _mm256_castps256_ps128(rows[i]));
        if (i + 4 < n) w32_put_three(at[i + 4], _mm256_extractf128_ps(rows[i], 1));
    }
}

SKL_INLINE void w64_collect4(const char *const at[4], __m256d out[4]) {
    __m256d rows[4];
    for (int i = 0; i < 4; i++) rows[i] = _mm256_loadu_pd((const double *)(const void *)at[i]);
    w64_turn(rows, out);
}

SKL_INLINE void w64_collect3(const char *const at[4], __m256d out[3]) {
    __m256d rows[4], turned[4];
    for (int i = 0; i < 4; i++) {
        const double *p = (const double *)(const void *)at[i];
        rows[i] = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_load_sd(p + 2), 1);
    }
    w64_turn(rows, turned);
    for (int k = 0; k < 3; k++) out[k] = turned[k];
}

SKL_INLINE void w64_scatter4(char *const at[4], int n, const __m256d in[4]) {
    __m256d rows[4];
    w64_turn(in, rows);
    for (int i = 0; i < 4 && i < n; i++) _mm256_storeu_pd((double *)(void *)at[i], rows[i]);
}

SKL_INLINE void w64_scatter3(char *const at[4], int n, const __m256d in[3]) {
    const __m256d four[4] = {in[0], in[1], in[2], in[2]};
    __m256d rows[4];
    w64_turn(four, rows);
    for (int i = 0; i < 4 && i < n; i++) {
        double *p = (double *)(void *)at[i];
        _mm_storeu_pd(p, _mm256_castpd256_pd128(rows[i]));
        _mm_store_sd(p + 2, _mm256_extractf128_pd(rows[i], 1));
    }
}
