/* SPDX-License-Identifier: MIT */
/* What goes past the cache goes line by line: none is begun before the one before it is whole. The kernels as they are,
 * on the vectors that every CPU of the machine has, with a store past the cache that takes notes. */
#if defined(__x86_64__) || defined(_M_X64)
#include "kernels/simd/wide_sse2.h"
#elif defined(__aarch64__) || defined(_M_ARM64)
#include "kernels/simd/wide_neon.h"
#else
#include "kernels/simd/wide_scalar.h"
#endif
#include "kernels/kernels.h"
#include "kernels/simd/inline.h"
#include "check.h"

static struct notes {
    uintptr_t line; /* that was begun last */
    size_t bytes;   /* of it that have come */
    int begun, left_in_parts;
} notes;

static void forget_notes(void) { notes = (struct notes){0, 0, 0, 0}; }

static int all_lines_whole(void) { return notes.left_in_parts == 0 && notes.bytes % SKL_LINE == 0; }

static void take_note(uintptr_t at, size_t size) {
    if (notes.begun == 0 || at / SKL_LINE != notes.line || notes.bytes == SKL_LINE) {
        notes.left_in_parts += notes.bytes % SKL_LINE != 0;
        notes.begun++;
        notes.line = at / SKL_LINE;
        notes.bytes = 0;
    }
    notes.bytes += size;
}

static inline void noted_w32_stream(float *p, w32_t a) {
    w32_store(p, a);
    take_note((uintptr_t)p, sizeof a);
}

static inline void noted_w64_stream(double *p, w64_t a) {
    w64_store(p, a);
    take_note((uintptr_t)p, sizeof a);
}

#define w32_stream noted_w32_stream
#define w64_stream noted_w64_stream
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define real float
#define W(name) JOIN(w32_, name)
#define R(name) JOIN(r32_, name)
#define K(name) JOIN(name, _f32)
#include "whole_lines.inl"
#undef real
#undef W
#undef R
#undef K

#define real double
#define W(name) JOIN(w64_, name)
#define R(name) JOIN(r64_, name)
#define K(name) JOIN(name, _f64)
#include "whole_lines.inl"

int main(void) {
    all_f32();
    all_f64();
    return REPORT();
}
