/* SPDX-License-Identifier: MIT */
/* AVX-512 for CPUs without it, by SIMDe: put before a source together with -DSKL_EMULATED, it brings the intrinsics as
 * plain C. That tests what the source says, not what a compiler makes of it with AVX-512 switched on. */
#ifndef AVX512_EMULATED_H
#define AVX512_EMULATED_H

#define SIMDE_ENABLE_NATIVE_ALIASES
#if defined(__GNUC__)
#pragma GCC system_header
#endif
#include <simde/x86/avx512.h>
#include <simde/x86/fma.h>

/* What SIMDe gives no native name, or has for integers only. */
#undef _mm512_shuffle_f32x4
#undef _mm512_shuffle_f64x2
#define _mm512_shuffle_f32x4(a, b, how) simde_mm512_shuffle_f32x4(a, b, how)
#define _mm512_shuffle_f64x2(a, b, how) simde_mm512_shuffle_f64x2(a, b, how)
#undef _mm512_stream_ps
#undef _mm512_stream_pd
#define _mm512_stream_ps(p, a) simde_mm512_storeu_ps(p, a)
#define _mm512_stream_pd(p, a) simde_mm512_storeu_pd(p, a)

#endif
