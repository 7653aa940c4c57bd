/* SPDX-License-Identifier: MIT */
/* The wide types on NEON of 64-bit ARM: 4 float or 2 double lanes. A row is one register of float or two of double.
 * What the operations mean is said in wide_scalar.h. */
#pragma once

#include <arm_neon.h>
#include <stdint.h>

#include "inline.h"

/* min and max by comparison: the instructions of that name return NaN where either operand is one. */
#define SKL_WIDE_NEON(P, T, V, M, N, S, U)                                                                             \
    enum { P##LANES = N };                                                                                             \
    typedef V P##t;                                                                                                    \
    typedef M P##m;                                                                                                    \
    static inline P##t P##load(const T *p) { return vld1q_##S(p); }                                                    \
    static inline void P##store(T *p, P##t a) { vst1q_##S(p, a); }                                                     \
    static inline P##t P##set1(T a) { return vdupq_n_##S(a); }                                                         \
    static inline P##t P##add(P##t a, P##t b) { return vaddq_##S(a, b); }                                              \
    static inline P##t P##sub(P##t a, P##t b) { return vsubq_##S(a, b); }                                              \
    static inline P##t P##mul(P##t a, P##t b) { return vmulq_##S(a, b); }                                              \
    static inline P##t P##div(P##t a, P##t b) { return vdivq_##S(a, b); }                                              \
    static inline P##t P##fma(P##t a, P##t b, P##t c) { return vfmaq_##S(c, a, b); }                                   \
    static inline P##t P##fnma(P##t a, P##t b, P##t c) { return vfmsq_##S(c, a, b); }                                  \
    static inline P##t P##sqrt(P##t a) { return vsqrtq_##S(a); }                                                       \
    static inline P##t P##abs(P##t a) { return vabsq_##S(a); }                                                         \
    static inline P##t P##neg(P##t a) { return vnegq_##S(a); }                                                         \
    static inline P##t P##min(P##t a, P##t b) { return vbslq_##S(vcltq_##S(a, b), a, b); }                             \
    static inline P##t P##max(P##t a, P##t b) { return vbslq_##S(vcgtq_##S(a, b), a, b); }                             \
    static inline P##t P##copysign(P##t a, P##t sign) {                                                                \
        return vbslq_##S(vreinterpretq_##U##_##S(vdupq_n_##S((T) - 0.0)), sign, a);                                    \
    }                                                                                                                  \
    static inline P##m P##lt(P##t a, P##t b) { return vcltq_##S(a, b); }                                               \
    static inline P##m P##le(P##t a, P##t b) { return vcleq_##S(a, b); }                                               \
    static inline P##m P##eq(P##t a, P##t b) { return vceqq_##S(a, b); }                                               \
    static inline P##m P## and (P##m a, P##m b) { return vandq_##U(a, b); }                                            \
    static inline P##m P## or (P##m a, P##m b) { return vorrq_##U(a, b); }                                             \
    static inline P##m P##not(P##m a) { return vceqq_##U(a, vdupq_n_##U(0)); }                                         \
    static inline P##t P##select(P##m m, P##t a, P##t b) { return vbslq_##S(m, a, b); }

SKL_WIDE_NEON(w32_, float, float32x4_t, uint32x4_t, 4, f32, u32)
SKL_WIDE_NEON(w64_, double, float64x2_t, uint64x2_t, 2, f64, u64)

static inline int w32_any(uint32x4_t m) { return vmaxvq_u32(m) != 0; }
static inline int w32_all(uint32x4_t m) { return vminvq_u32(m) != 0; }
static inline int w64_any(uint64x2_t m) { return w32_any(vreinterpretq_u32_u64(m)); }
static inline int w64_all(uint64x2_t m) { return w32_all(vreinterpretq_u32_u64(m)); }

static inline void w64_transpose(float64x2_t rows[2]) {
    const float64x2_t even = vtrn1q_f64(rows[0], rows[1]);
    rows[1] = vtrn2q_f64(rows[0], rows[1]);
    rows[0] = even;
}

static inline void w32_transpose(float32x4_t rows[4]) {
    float64x2_t even[2], odd[2];
    even[0] = vreinterpretq_f64_f32(vtrn1q_f32(rows[0], rows[1]));
    even[1] = vreinterpretq_f64_f32(vtrn1q_f32(rows[2], rows[3]));
    odd[0] = vreinterpretq_f64_f32(vtrn2q_f32(rows[0], rows[1]));
    odd[1] = vreinterpretq_f64_f32(vtrn2q_f32(rows[2], rows[3]));
    w64_transpose(even);
    w64_transpose(odd);
    for (int i = 0; i < 2; i++) {
        rows[2 * i] = vreinterpretq_f32_f64(even[i]);
        rows[2 * i + 1] = vreinterpretq_f32_f64(odd[i]);
    }
}

/* One lane to all. */
SKL_INLINE float32x4_t w32_splat(float32x4_t a, int i) {
    return i == 0   ? vdupq_laneq_f32(a, 0)
           : i == 1 ? vdupq_laneq_f32(a, 1)
           : i == 2 ? vdupq_laneq_f32(a, 2)
                    : vdupq_laneq_f32(a, 3);
}

SKL_INLINE float64x2_t w64_splat(float64x2_t a, int i) {
    return i == 0 ? vdupq_laneq_f64(a, 0) : vdupq_laneq_f64(a, 1);
}

/* Three numbers and a 0; the first three; two numbers from, and to, different places. */
static inline float32x4_t w32_get_three(const float *p) {
    return vcombine_f32(vld1_f32(p), vld1_lane_f32(p + 2, vdup_n_f32(0), 0));
}

static inline void w32_put_three(float *p, float32x4_t a) {
    vst1_f32(p, vget_low_f32(a));
    vst1q_lane_f32(p + 2, a, 2);
}

static inline float64x2_t w64_get_two(const double *p, const double *q) {
    return vcombine_f64(vld1_f64(p), vld1_f64(q));
}
static inline void w64_put_low(double *p, float64x2_t a) { vst1q_lane_f64(p, a, 0); }
static inline void w64_put_high(double *p, float64x2_t a) { vst1q_lane_f64(p, a, 1); }

#define SKL_OWN_GATHER 1
#define SKL_OWN_COLLECT 1
#define SKL_OWN_TRANSPOSE 1
#include "gather_128.h"
/* after it */
#include "collect_128.h"
#include "rows_128.h"
#include "wide_generic.h"
