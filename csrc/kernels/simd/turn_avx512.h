/* SPDX-License-Identifier: MIT */
/* transpose, store_affine and stream on AVX-512. */
#pragma once

/* out[k] holds quarter k of a, b, c, d. */
SKL_INLINE void w32_quarters(__m512 a, __m512 b, __m512 c, __m512 d, __m512 out[4]) {
    const __m512 ab_low = _mm512_shuffle_f32x4(a, b, 0x44), ab_high = _mm512_shuffle_f32x4(a, b, 0xEE);
    const __m512 cd_low = _mm512_shuffle_f32x4(c, d, 0x44), cd_high = _mm512_shuffle_f32x4(c, d, 0xEE);
    out[0] = _mm512_shuffle_f32x4(ab_low, cd_low, 0x88);
    out[1] = _mm512_shuffle_f32x4(ab_low, cd_low, 0xDD);
    out[2] = _mm512_shuffle_f32x4(ab_high, cd_high, 0x88);
    out[3] = _mm512_shuffle_f32x4(ab_high, cd_high, 0xDD);
}

/* First the quarters of the registers among each other, then the numbers inside of the quarters. */
static inline void w32_transpose(__m512 rows[16]) {
    __m512 quarters[4][4];
    for (int i = 0; i < 4; i++) w32_quarters(rows[i], rows[i + 4], rows[i + 8], rows[i + 12], quarters[i]);
    for (int k = 0; k < 4; k++) {
        const __m512 four[4] = {quarters[0][k], quarters[1][k], quarters[2][k], quarters[3][k]};
        w32_turn(four, rows + 4 * k);
    }
}

static inline void w64_transpose(__m512d rows[8]) {
    __m512d low[4], high[4];
    for (int i = 0; i < 4; i++) {
        low[i] = _mm512_shuffle_f64x2(rows[i], rows[i + 4], 0x44);
        high[i] = _mm512_shuffle_f64x2(rows[i], rows[i + 4], 0xEE);
    }
    w64_turn(low, rows);
    w64_turn(high, rows + 4);
}

/* A matrix of float is one register, one of double two. */
SKL_INLINE void w32_store_affine(char *at, int64_t step, const __m512 m[12]) {
    const __m512 last = _mm512_castps128_ps512(_mm_setr_ps(0, 0, 0, 1));
    const __m512 fourth = _mm512_shuffle_f32x4(last, last, 0x00);
    __m512 rows[3][4], whole[4];
    for (int i = 0; i < 3; i++) w32_turn(m + 4 * i, rows[i]);
    for (int i = 0; i < 4; i++) {
        w32_quarters(rows[0][i], rows[1][i], rows[2][i], fourth, whole);
        for (int k = 0; k < 4; k++) _mm512_storeu_ps((float *)(void *)(at + (i + 4 * k) * step), whole[k]);
    }
}

SKL_INLINE void w64_store_affine(char *at, int64_t step, const __m512d m[12]) {
    const __m512d last = w64_two_items(_mm256_setr_pd(0, 0, 0, 1), _mm256_setr_pd(0, 0, 0, 1));
    __m512d rows[3][4];
    for (int i = 0; i < 3; i++) w64_turn(m + 4 * i, rows[i]);
    for (int i = 0; i < 4; i++) {
        double *low = (double *)(void *)(at + i * step), *high = (double *)(void *)(at + (i + 4) * step);
        _mm512_storeu_pd(low, _mm512_shuffle_f64x2(rows[0][i], rows[1][i], 0x44));
        _mm512_storeu_pd(low + 8, _mm512_shuffle_f64x2(rows[2][i], last, 0x44));
        _mm512_storeu_pd(high, _mm512_shuffle_f64x2(rows[0][i], rows[1][i], 0xEE));
        _mm512_storeu_pd(high + 8, _mm512_shuffle_f64x2(rows[2][i], last, 0xEE));
    }
}

static inline void w32_stream(float *p, __m512 a) { _mm512_stream_ps(p, a); }
static inline void w64_stream(double *p, __m512d a) { _mm512_stream_pd(p, a); }
static inline void skl_stream_done(void) { _mm_sfence(); }
