/* SPDX-License-Identifier: MIT */
/* transpose and stream on AVX2. */
#pragma once

static inline void w32_transpose(__m256 rows[8]) {
    __m256 low[4], high[4]; /* w32_turn works on the halves of a register apart */
    for (int i = 0; i < 4; i++) {
        low[i] = _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x20);
        high[i] = _mm256_permute2f128_ps(rows[i], rows[i + 4], 0x31);
    }
    w32_turn(low, rows);
    w32_turn(high, rows + 4);
}

static inline void w64_transpose(__m256d rows[4]) {
    __m256d turned[4];
    w64_turn(rows, turned);
    for (int i = 0; i < 4; i++) rows[i] = turned[i];
}

static inline void w32_stream(float *p, __m256 a) { _mm256_stream_ps(p, a); }
static inline void w64_stream(double *p, __m256d a) { _mm256_stream_pd(p, a); }
static inline void skl_stream_done(void) { _mm_sfence(); }
