/* SPDX-License-Identifier: MIT */
/* SKL_INLINE for what must stay in registers: compilers stop inlining on their own where functions get large. SKL_APART
 * for what is seldom called: inside of its caller it would cost the others registers. */
#ifndef SKL_INLINE_H
#define SKL_INLINE_H

#ifdef _MSC_VER
#define SKL_INLINE static __forceinline
#define SKL_APART static __declspec(noinline)
#else
#define SKL_INLINE static inline __attribute__((always_inline))
#define SKL_APART static __attribute__((noinline))
#endif

#endif
