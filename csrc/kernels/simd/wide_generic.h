/* SPDX-License-Identifier: MIT */
/* Operations of the wide types written once on load and store alone, for the instruction sets that have no way of their
 * own. Every wide header includes this after load and store are there. What they mean is said in wide_scalar.h.
 *
 * An instruction set with a faster load3, load4, store3, store4 defines SKL_OWN_GATHER before, and calls the ones of
 * here, named load3_any and so on, where there are fewer items than lanes; SKL_OWN_COLLECT, SKL_OWN_TRANSPOSE
 * and SKL_OWN_STREAM say that it has its own collectN and scatterN, transpose, or stream and skl_stream_done. */
#pragma once

#include <stdint.h>

#define SKL_GATHER_GENERIC(P, T, N)                                                                                    \
    static inline void P##load##N(const char *at, int64_t step, int n, P##t out[N]) {                                  \
        T lanes[N][P##LANES] = {{0}};                                                                                  \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int k = 0; k < N; k++) lanes[k][i] = ((const T *)(const void *)(at + i * step))[k];                   \
        for (int k = 0; k < N; k++) out[k] = P##load(lanes[k]);                                                        \
    }                                                                                                                  \
    static inline void P##store##N(char *at, int64_t step, int n, const P##t in[N]) {                                  \
        T lanes[N][P##LANES];                                                                                          \
        for (int k = 0; k < N; k++) P##store(lanes[k], in[k]);                                                         \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int k = 0; k < N; k++) ((T *)(void *)(at + i * step))[k] = lanes[k][i];                               \
    }

SKL_GATHER_GENERIC(w32_, float, 1)
SKL_GATHER_GENERIC(w64_, double, 1)
#ifndef SKL_OWN_GATHER
SKL_GATHER_GENERIC(w32_, float, 3)
SKL_GATHER_GENERIC(w64_, double, 3)
SKL_GATHER_GENERIC(w32_, float, 4)
SKL_GATHER_GENERIC(w64_, double, 4)
#endif

#define SKL_AFFINE_GENERIC(P, T)                                                                                       \
    static inline void P##store_affine(char *at, int64_t step, const P##t m[12]) {                                     \
        const P##t zero = P##set1(0), last[4] = {zero, zero, zero, P##set1(1)};                                        \
        for (int i = 0; i < 4; i++)                                                                                    \
            P##store4(at + 4 * i * (int64_t)sizeof(T), step, P##LANES, i < 3 ? m + 4 * i : last);                      \
    }

#ifndef SKL_OWN_AFFINE
SKL_AFFINE_GENERIC(w32_, float)
SKL_AFFINE_GENERIC(w64_, double)
#endif

#define SKL_COLLECT_GENERIC(P, T, N)                                                                                   \
    static inline void P##collect##N(const char *const at[P##LANES], P##t out[N]) {                                    \
        T lanes[N][P##LANES];                                                                                          \
        for (int i = 0; i < P##LANES; i++)                                                                             \
            for (int k = 0; k < N; k++) lanes[k][i] = ((const T *)(const void *)at[i])[k];                             \
        for (int k = 0; k < N; k++) out[k] = P##load(lanes[k]);                                                        \
    }                                                                                                                  \
    static inline void P##scatter##N(char *const at[P##LANES], int n, const P##t in[N]) {                              \
        T lanes[N][P##LANES];                                                                                          \
        for (int k = 0; k < N; k++) P##store(lanes[k], in[k]);                                                         \
        for (int i = 0; i < n; i++)                                                                                    \
            for (int k = 0; k < N; k++) ((T *)(void *)at[i])[k] = lanes[k][i];                                         \
    }

#ifndef SKL_OWN_COLLECT
SKL_COLLECT_GENERIC(w32_, float, 3)
SKL_COLLECT_GENERIC(w64_, double, 3)
SKL_COLLECT_GENERIC(w32_, float, 4)
SKL_COLLECT_GENERIC(w64_, double, 4)
#endif

#define SKL_TURN_GENERIC(P, T)                                                                                         \
    static inline void P##transpose(P##t rows[P##LANES]) {                                                             \
        T numbers[P##LANES][P##LANES], turned[P##LANES][P##LANES];                                                     \
        for (int i = 0; i < P##LANES; i++) P##store(numbers[i], rows[i]);                                              \
        for (int i = 0; i < P##LANES; i++)                                                                             \
            for (int k = 0; k < P##LANES; k++) turned[k][i] = numbers[i][k];                                           \
        for (int i = 0; i < P##LANES; i++) rows[i] = P##load(turned[i]);                                               \
    }

#ifndef SKL_OWN_TRANSPOSE
SKL_TURN_GENERIC(w32_, float)
SKL_TURN_GENERIC(w64_, double)
#endif

#ifndef SKL_OWN_STREAM
static inline void w32_stream(float *p, w32_t a) { w32_store(p, a); }
static inline void w64_stream(double *p, w64_t a) { w64_store(p, a); }
static inline void skl_stream_done(void) {}
#endif
