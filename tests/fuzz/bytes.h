/* SPDX-License-Identifier: MIT */
/* Decisions and numbers from the fuzzer's bytes. When they run out every decision is 0. */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t left;
    uint64_t state; /* of the sequence that fills arrays */
} fuzz_bytes;

static inline unsigned next_byte(fuzz_bytes *from) {
    if (!from->left) return 0;
    from->left--;
    return *from->data++;
}

/* 0 .. count - 1 */
static inline int choose(fuzz_bytes *from, int count) { return (int)(next_byte(from) % (unsigned)count); }

/* True once in `times`. */
static inline int rarely(fuzz_bytes *from, int times) { return choose(from, times) == times - 1; }

static inline uint64_t next_random(fuzz_bytes *from) {
    from->state ^= from->state << 13;
    from->state ^= from->state >> 7;
    from->state ^= from->state << 17;
    return from->state;
}

/* Numbers in [-1, 1), and, once in `odd`, one that is hard to compute with. */
static inline double next_number(fuzz_bytes *from, unsigned odd) {
    static const double special[] = {0.0,  -0.0,  1.0, -1.0,     2.0,       1e-30, 1e30, -1e-320,
                                     3e38, 1e300, NAN, INFINITY, -INFINITY, 0.5,   1e-8, 1e8};
    const uint64_t random = next_random(from);
    if (odd && (random >> 8) % odd == 0) return special[random % (sizeof special / sizeof *special)];
    return (double)(random >> 11) / 4503599627370496.0 - 1.0;
}

#endif
