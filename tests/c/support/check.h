/* SPDX-License-Identifier: MIT */
/* A test program in a few lines: CHECK counts, RUN names, REPORT ends. */
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks_done, checks_failed;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        checks_done++;                                                                                                 \
        if (!(condition)) {                                                                                            \
            checks_failed++;                                                                                           \
            printf("%s:%d: %s is not so\n", __FILE__, __LINE__, #condition);                                           \
        }                                                                                                              \
    } while (0)

#define CHECK_TEXT(text, wanted)                                                                                       \
    do {                                                                                                               \
        checks_done++;                                                                                                 \
        if (strcmp(text, wanted) != 0) {                                                                               \
            checks_failed++;                                                                                           \
            printf("%s:%d: \"%s\" is not \"%s\"\n", __FILE__, __LINE__, text, wanted);                                 \
        }                                                                                                              \
    } while (0)

#define REPORT() (printf("%s: %d checks, %d failed\n", __FILE__, checks_done, checks_failed), checks_failed != 0)

/* Memory of just this many bytes, so that a sanitizer sees the first one behind it. */
static inline void *exactly(size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) abort();
    return memory;
}

/* The next number of a fixed sequence, in [-1, 1). */
static inline double next_number(void) {
    static unsigned long long state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 4503599627370496.0 - 1.0;
}

#endif
