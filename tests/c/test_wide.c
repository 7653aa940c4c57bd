/* SPDX-License-Identifier: MIT */
/* Every operation of the wide layer against plain C, lane by lane, with all pairs of special numbers; loads and stores
 * of items at the exact end of their memory. One program per instruction set: SKL_WIDE_HEADER is its header,
 * SKL_FUSES says that its fma rounds once, SKL_NEEDS what the CPU must have. */
#include SKL_WIDE_HEADER
#include "check.h"

#include <float.h>
#include <stdint.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define real float
#define BITS uint32_t
#define W(name) JOIN(w32_, name)
#define R(name) JOIN(r32_, name)
#define K(name) JOIN(name, _f32)
#define FMA fmaf
#define SQRT sqrtf
#define COPYSIGN copysignf
#define SMALL FLT_MIN
#define LARGE FLT_MAX
#define DENORMAL 1e-40F
#include "wide_operations.inl"
#undef real
#undef BITS
#undef W
#undef R
#undef K
#undef FMA
#undef SQRT
#undef COPYSIGN
#undef SMALL
#undef LARGE
#undef DENORMAL

#define real double
#define BITS uint64_t
#define W(name) JOIN(w64_, name)
#define R(name) JOIN(r64_, name)
#define K(name) JOIN(name, _f64)
#define FMA fma
#define SQRT sqrt
#define COPYSIGN copysign
#define SMALL DBL_MIN
#define LARGE DBL_MAX
#define DENORMAL 1e-310
#include "wide_operations.inl"

/* On its own, so that no instruction of the set runs before the CPU has been asked. */
__attribute__((noinline)) static int all(void) {
    all_f32();
    all_f64();
    return REPORT();
}

int main(void) {
    printf("%s: ", SKL_WIDE_HEADER);
#ifdef SKL_NEEDS
    __builtin_cpu_init();
    if (!__builtin_cpu_supports(SKL_NEEDS)) {
        printf("not run: needs a CPU with %s\n", SKL_NEEDS);
        return 0;
    }
#endif
    return all();
}
