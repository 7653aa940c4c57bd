/* SPDX-License-Identifier: MIT */
/* Rows of four float (r32_) for code in which every operation rounds for itself: what each CPU of the kind has,
 * whatever kernels are in use; no fma. */
#pragma once

#if defined(__SSE2__) || defined(_M_X64)
#include "kernels/simd/wide_sse2.h"
#elif defined(__aarch64__) || defined(_M_ARM64)
#include "kernels/simd/wide_neon.h"
#else
#include "kernels/simd/wide_scalar.h"
#define w32_get_three(p) r32_set((p)[0], (p)[1], (p)[2], 0.0f)
#endif
