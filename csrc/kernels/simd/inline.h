/* SPDX-License-Identifier: MIT */
/* SKL_INLINE for what must stay in registers: compilers stop inlining on their own where functions get large. SKL_APART
 * for what is seldom called: inside of its caller it would cost the others registers. SKL_FETCH(address) asks for a
 * line, which need not be memory of anyone's, into the second cache: the first one is too small for what lies far
 * ahead. A function that does nothing else has to be inlined: compilers take it for one that does nothing. */
#pragma once

#if defined(__GNUC__)
#define SKL_FETCH(address) __builtin_prefetch((const void *)(address), 0, 2)
#elif defined(_M_X64)
#include <xmmintrin.h>
#define SKL_FETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T1)
#else
#define SKL_FETCH(address) ((void)(address))
#endif

#ifdef _MSC_VER
#define SKL_INLINE static __forceinline
#define SKL_APART static __declspec(noinline)
#else
#define SKL_INLINE static inline __attribute__((always_inline))
#define SKL_APART static __attribute__((noinline))
#endif
