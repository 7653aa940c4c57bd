/* SPDX-License-Identifier: MIT */
/* collect3, collect4, scatter3, scatter4 in registers of 128 bits: as in gather_128.h, for items anywhere. */
#pragma once

SKL_INLINE void w32_collect4(const char *const at[4], w32_t out[4]) {
    w32_t rows[4];
    for (int i = 0; i < 4; i++) rows[i] = w32_load(w32_from(at[i]));
    w32_transpose(rows);
    for (int k = 0; k < 4; k++) out[k] = rows[k];
}

SKL_INLINE void w32_collect3(const char *const at[4], w32_t out[3]) {
    w32_t rows[4];
    for (int i = 0; i < 4; i++) rows[i] = w32_get_three(w32_from(at[i]));
    w32_transpose(rows);
    for (int k = 0; k < 3; k++) out[k] = rows[k];
}

SKL_INLINE void w32_scatter4(char *const at[4], int n, const w32_t in[4]) {
    w32_t rows[4] = {in[0], in[1], in[2], in[3]};
    w32_transpose(rows);
    for (int i = 0; i < 4; i++)
        if (i < n) w32_store(w32_to(at[i]), rows[i]);
}

SKL_INLINE void w32_scatter3(char *const at[4], int n, const w32_t in[3]) {
    w32_t rows[4] = {in[0], in[1], in[2], in[2]};
    w32_transpose(rows);
    for (int i = 0; i < 4; i++)
        if (i < n) w32_put_three(w32_to(at[i]), rows[i]);
}

SKL_INLINE void w64_collect4(const char *const at[2], w64_t out[4]) {
    for (int i = 0; i < 2; i++) {
        out[2 * i] = w64_load(w64_from(at[0]) + 2 * i);
        out[2 * i + 1] = w64_load(w64_from(at[1]) + 2 * i);
        w64_transpose(out + 2 * i);
    }
}

SKL_INLINE void w64_collect3(const char *const at[2], w64_t out[3]) {
    out[0] = w64_load(w64_from(at[0]));
    out[1] = w64_load(w64_from(at[1]));
    w64_transpose(out);
    out[2] = w64_get_two(w64_from(at[0]) + 2, w64_from(at[1]) + 2);
}

SKL_INLINE void w64_scatter4(char *const at[2], int n, const w64_t in[4]) {
    w64_t first[2] = {in[0], in[1]}, second[2] = {in[2], in[3]};
    w64_transpose(first);
    w64_transpose(second);
    for (int i = 0; i < 2; i++) {
        if (i >= n) return;
        w64_store(w64_to(at[i]), first[i]);
        w64_store(w64_to(at[i]) + 2, second[i]);
    }
}

SKL_INLINE void w64_scatter3(char *const at[2], int n, const w64_t in[3]) {
    w64_t rows[2] = {in[0], in[1]};
    w64_transpose(rows);
    if (n > 0) {
        w64_store(w64_to(at[0]), rows[0]);
        w64_put_low(w64_to(at[0]) + 2, in[2]);
    }
    if (n > 1) {
        w64_store(w64_to(at[1]), rows[1]);
        w64_put_high(w64_to(at[1]) + 2, in[2]);
    }
}
