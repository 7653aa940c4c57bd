/* SPDX-License-Identifier: MIT */
/* load3, load4, store3, store4 on AVX2: items of 3 or 4 numbers turned into lanes, and back, in registers. */
#pragma once

#include "inline.h"

/* Rows 0..3 and 4..7 of eight items, side by side, to four components (and back: it is its own inverse). */
SKL_INLINE void w32_turn(const __m256 r[4], __m256 out[4]) {
    const __m256 ab_low = _mm256_unpacklo_ps(r[0], r[1]), ab_high = _mm256_unpackhi_ps(r[0], r[1]);
    const __m256 cd_low = _mm256_unpacklo_ps(r[2], r[3]), cd_high = _mm256_unpackhi_ps(r[2], r[3]);
    out[0] = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
    out[1] = _mm256_shuffle_ps(ab_low, cd_low, 0xEE);
    out[2] = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
    out[3] = _mm256_shuffle_ps(ab_high, cd_high, 0xEE);
}

SKL_INLINE void w64_turn(const __m256d r[4], __m256d out[4]) {
    const __m256d ab_even = _mm256_unpacklo_pd(r[0], r[1]), ab_odd = _mm256_unpackhi_pd(r[0], r[1]);
    const __m256d cd_even = _mm256_unpacklo_pd(r[2], r[3]), cd_odd = _mm256_unpackhi_pd(r[2], r[3]);
    out[0] = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
    out[1] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
    out[2] = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
    out[3] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}

SKL_INLINE __m256 w32_pair(__m128 low, __m128 high) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

SKL_INLINE void w32_load4(const char *at, int64_t step, int n, __m256 out[4]) {
    __m256 rows[4];
    if (n == w32_LANES)
        for (int i = 0; i < 4; i++) rows[i] = w32_pair(w32_item4(at + i * step), w32_item4(at + (i + 4) * step));
    else
        for (int i = 0; i < 4; i++) rows[i] = w32_pair(SKL_W32_ITEM(4, i), SKL_W32_ITEM(4, i + 4));
    w32_turn(rows, out);
}

SKL_INLINE void w32_store4(char *at, int64_t step, int n, const __m256 in[4]) {
    __m256 rows[4];
    w32_turn(in, rows);
    for (int i = 0; i < 4; i++) {
        if (i < n) w32_put4(at + i * step, _mm256_castps256_ps128(rows[i]));
        if (i + 4 < n) w32_put4(at + (i + 4) * step, _mm256_extractf128_ps(rows[i], 1));
    }
}

SKL_INLINE void w32_load3(const char *at, int64_t step, int n, __m256 out[3]) {
    __m256 rows[4], turned[4];
    if (n == w32_LANES)
        for (int i = 0; i < 4; i++) rows[i] = w32_pair(w32_item3(at + i * step), w32_item3(at + (i + 4) * step));
    else
        for (int i = 0; i < 4; i++) rows[i] = w32_pair(SKL_W32_ITEM(3, i), SKL_W32_ITEM(3, i + 4));
    w32_turn(rows, turned);
    for (int k = 0; k < 3; k++) out[k] = turned[k];
}

SKL_INLINE void w32_store3(char *at, int64_t step, int n, const __m256 in[3]) {
    const __m256 four[4] = {in[0], in[1], in[2], in[2]};
    __m256 rows[4];
    w32_turn(four, rows);
    for (int i = 0; i < 4; i++) {
        if (i < n) w32_put3(at + i * step, _mm256_castps256_ps128(rows[i]));
        if (i + 4 < n) w32_put3(at + (i + 4) * step, _mm256_extractf128_ps(rows[i], 1));
    }
}

SKL_INLINE void w64_load4(const char *at, int64_t step, int n, __m256d out[4]) {
    __m256d rows[4];
    for (int i = 0; i < 4; i++) rows[i] = SKL_W64_ITEM(4, i);
    w64_turn(rows, out);
}

SKL_INLINE void w64_store4(char *at, int64_t step, int n, const __m256d in[4]) {
    __m256d rows[4];
    w64_turn(in, rows);
    for (int i = 0; i < 4; i++)
        if (i < n) w64_put4(at + i * step, rows[i]);
}

SKL_INLINE void w64_load3(const char *at, int64_t step, int n, __m256d out[3]) {
    __m256d rows[4], turned[4];
    for (int i = 0; i < 4; i++) rows[i] = SKL_W64_ITEM(3, i);
    w64_turn(rows, turned);
    for (int k = 0; k < 3; k++) out[k] = turned[k];
}

SKL_INLINE void w64_store3(char *at, int64_t step, int n, const __m256d in[3]) {
    const __m256d four[4] = {in[0], in[1], in[2], in[2]};
    __m256d rows[4];
    w64_turn(four, rows);
    for (int i = 0; i < 4 && i < n; i++) w64_put3(at + i * step, rows[i]);
}

/* The first two rows of a matrix are one register, the other two another. */
SKL_INLINE void w32_store_affine(char *at, int64_t step, const __m256 m[12]) {
    const __m256 last = _mm256_setr_ps(0, 0, 0, 1, 0, 0, 0, 1);
    __m256 first[4], second[4], third[4];
    w32_turn(m, first);
    w32_turn(m + 4, second);
    w32_turn(m + 8, third);
    char *high = at + 4 * step;
    for (int i = 0; i < 4; i++, at += step, high += step) {
        float *low_at = (float *)(void *)at, *high_at = (float *)(void *)high;
        _mm256_storeu_ps(low_at, _mm256_insertf128_ps(first[i], _mm256_castps256_ps128(second[i]), 1));
        _mm256_storeu_ps(low_at + 8, _mm256_blend_ps(third[i], last, 0xF0));
        _mm256_storeu_ps(high_at, _mm256_permute2f128_ps(first[i], second[i], 0x31));
        _mm256_storeu_ps(high_at + 8, _mm256_permute2f128_ps(third[i], last, 0x31));
    }
}

SKL_INLINE void w64_store_affine(char *at, int64_t step, const __m256d m[12]) {
    const __m256d last = _mm256_setr_pd(0, 0, 0, 1);
    __m256d rows[3][4];
    for (int i = 0; i < 3; i++) w64_turn(m + 4 * i, rows[i]);
    for (int p = 0; p < 4; p++, at += step) {
        double *to = (double *)(void *)at;
        for (int i = 0; i < 3; i++) _mm256_storeu_pd(to + 4 * i, rows[i][p]);
        _mm256_storeu_pd(to + 12, last);
    }
}
