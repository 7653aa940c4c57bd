/* SPDX-License-Identifier: MIT */
#include "dispatch.h"

#include <string.h>

#if defined(SKL_HAVE_AVX2) && defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
/* AVX2 and FMA, and an operating system that saves their registers. */
static int has_avx2(void) {
    int leaf1[4], leaf7[4];
    __cpuid(leaf1, 1);
    const int needed = (1 << 12) | (1 << 27) | (1 << 28); /* FMA, OSXSAVE, AVX */
    if ((leaf1[2] & needed) != needed || (_xgetbv(0) & 6) != 6) return 0;
    __cpuidex(leaf7, 7, 0);
    return (leaf7[1] >> 5) & 1;
}
#elif defined(SKL_HAVE_AVX2)
static int has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

static int always(void) { return 1; }

/* Best first. */
static const struct {
    const skl_kernels *table;
    int (*runs_here)(void);
} candidates[] = {
#ifdef SKL_HAVE_AVX2
    {&skl_kernels_avx2, has_avx2},
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
