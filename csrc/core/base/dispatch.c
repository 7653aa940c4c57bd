/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

#include <stddef.h>
#include <string.h>

/* --- what the CPU has, and whose registers the operating system saves --------------------------------------------- */

#if defined(SKL_HAVE_AVX2) || defined(SKL_HAVE_AVX512)
#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>

/* Bits of CPUID leaf 7, register EBX, while the operating system saves the registers of the mask `saved`. */
static int has_leaf7(int bits, unsigned long long saved) {
    int leaf1[4], leaf7[4];
    __cpuid(leaf1, 1);
    const int needed = (1 << 12) | (1 << 27) | (1 << 28); /* FMA, OSXSAVE, AVX */
    if ((leaf1[2] & needed) != needed || (_xgetbv(0) & saved) != saved) return 0;
    __cpuidex(leaf7, 7, 0);
    return (leaf7[1] & bits) == bits;
}

static int has_avx2(void) { return has_leaf7(1 << 5, 0x06); /* XMM, YMM */ }

static int has_avx512(void) { /* F, DQ, BW, VL; and mask registers, ZMM */
    return has_leaf7((int)((1U << 5) | (1U << 16) | (1U << 17) | (1U << 30) | (1U << 31)), 0xE6);
}
#else /* these query the operating system as well */
static int has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static int has_avx512(void) {
#ifdef SKL_EMULATED
    return 1;
#endif
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif
#endif

/* Also of SSE2 and NEON, which are compiled only where every CPU has them. */
static int always(void) { return 1; }

/* --- the choice ----------------------------------------------------------------------------------------------------
 */

/* Best first. */
static const struct {
    const skl_kernels *table;
    int (*runs_here)(void);
} candidates[] = {
#ifdef SKL_HAVE_AVX512
    {&skl_kernels_avx512, has_avx512},
#endif
#ifdef SKL_HAVE_AVX2
    {&skl_kernels_avx2, has_avx2},
#endif
#ifdef SKL_HAVE_SSE2
    {&skl_kernels_sse2, always},
#endif
#ifdef SKL_HAVE_NEON
    {&skl_kernels_neon, always},
#endif
    {&skl_kernels_scalar, always},
};
enum { NUM_CANDIDATES = (int)(sizeof candidates / sizeof candidates[0]) };

/* The only variable of the core: set once at import, the same for every thread. */
static const skl_kernels *chosen;

static const skl_kernels *best(void) {
    for (int i = 0; i < NUM_CANDIDATES; i++)
        if (candidates[i].runs_here()) return candidates[i].table;
    return &skl_kernels_scalar;
}

const skl_kernels *skl_dispatch(void) {
    const skl_kernels *table = chosen;
    return table ? table : best();
}

const char *skl_isa(void) { return skl_dispatch()->isa; }

const char *skl_isa_compiled(int index) {
    return index >= 0 && index < NUM_CANDIDATES ? candidates[index].table->isa : NULL;
}

int skl_isa_select(const char *name) {
    chosen = best();
    if (!name) return 1;
    for (int i = 0; i < NUM_CANDIDATES; i++) {
        if (strcmp(candidates[i].table->isa, name) != 0) continue;
        if (!candidates[i].runs_here()) return 0;
        chosen = candidates[i].table;
        return 1;
    }
    return 0;
}
