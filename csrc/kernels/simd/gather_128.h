/* SPDX-License-Identifier: MIT */
/* load3, load4, store3, store4 in registers of 128 bits, for SSE2 and NEON: 4 float or 2 double lanes.
 * Before it is included: load store set1 transpose, w32_get_three w32_put_three, w64_get_two w64_put_low w64_put_high.
 */
#pragma once

#include "inline.h"

SKL_INLINE const float *w32_from(const char *at) { return (const float *)(const void *)at; }
SKL_INLINE const double *w64_from(const char *at) { return (const double *)(const void *)at; }
SKL_INLINE float *w32_to(char *at) { return (float *)(void *)at; }
SKL_INLINE double *w64_to(char *at) { return (double *)(void *)at; }

SKL_INLINE void w32_load4(const char *at, int64_t step, int n, w32_t out[4]) {
    w32_t rows[4];
    for (int i = 0; i < 4; i++) rows[i] = i < n ? w32_load(w32_from(at + i * step)) : w32_set1(0);
    w32_transpose(rows);
    for (int k = 0; k < 4; k++) out[k] = rows[k];
}

SKL_INLINE void w32_load3(const char *at, int64_t step, int n, w32_t out[3]) {
    w32_t rows[4];
    for (int i = 0; i < 4; i++) rows[i] = i < n ? w32_get_three(w32_from(at + i * step)) : w32_set1(0);
    w32_transpose(rows);
    for (int k = 0; k < 3; k++) out[k] = rows[k];
}

SKL_INLINE void w32_store4(char *at, int64_t step, int n, const w32_t in[4]) {
    w32_t rows[4] = {in[0], in[1], in[2], in[3]};
    w32_transpose(rows);
    for (int i = 0; i < 4; i++)
        if (i < n) w32_store(w32_to(at + i * step), rows[i]);
}

SKL_INLINE void w32_store3(char *at, int64_t step, int n, const w32_t in[3]) {
    w32_t rows[4] = {in[0], in[1], in[2], in[2]};
    w32_transpose(rows);
    for (int i = 0; i < 4; i++)
        if (i < n) w32_put_three(w32_to(at + i * step), rows[i]);
}

/* Numbers 0 and 1 of both items, then what comes behind. */
SKL_INLINE void w64_load2(const char *at, int64_t step, int n, w64_t out[2]) {
    out[0] = n > 0 ? w64_load(w64_from(at)) : w64_set1(0);
    out[1] = n > 1 ? w64_load(w64_from(at + step)) : w64_set1(0);
    w64_transpose(out);
}

SKL_INLINE void w64_store2(char *at, int64_t step, int n, const w64_t in[2]) {
    w64_t rows[2] = {in[0], in[1]};
    w64_transpose(rows);
    if (n > 0) w64_store(w64_to(at), rows[0]);
    if (n > 1) w64_store(w64_to(at + step), rows[1]);
}

SKL_INLINE void w64_load4(const char *at, int64_t step, int n, w64_t out[4]) {
    w64_load2(at, step, n, out);
    w64_load2(at + 16, step, n, out + 2);
}

SKL_INLINE void w64_load3(const char *at, int64_t step, int n, w64_t out[3]) {
    static const double zero = 0;
    w64_load2(at, step, n, out);
    out[2] = w64_get_two(n > 0 ? w64_from(at + 16) : &zero, n > 1 ? w64_from(at + step + 16) : &zero);
}

SKL_INLINE void w64_store4(char *at, int64_t step, int n, const w64_t in[4]) {
    w64_store2(at, step, n, in);
    w64_store2(at + 16, step, n, in + 2);
}

SKL_INLINE void w64_store3(char *at, int64_t step, int n, const w64_t in[3]) {
    w64_store2(at, step, n, in);
    if (n > 0) w64_put_low(w64_to(at + 16), in[2]);
    if (n > 1) w64_put_high(w64_to(at + step + 16), in[2]);
}
