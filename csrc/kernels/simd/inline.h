/* SPDX-License-Identifier: MIT */
/* For what must stay in registers: compilers stop inlining on their own where functions get large. */
#ifndef SKL_INLINE_H
#define SKL_INLINE_H

#ifdef _MSC_VER
#define SKL_INLINE static __forceinline
#else
#define SKL_INLINE static inline __attribute__((always_inline))
#endif

#endif
