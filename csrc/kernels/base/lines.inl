/* SPDX-License-Identifier: MIT */
/* Stores past the cache, to whole lines. A line is finished before the next one is begun: the CPU has few buffers in
 * which the parts of a line meet, and one that it has to empty half full, as it does where others use the memory too,
 * costs several times what a full one does. */
#include <string.h>

enum { K(line_numbers) = SKL_LINE / sizeof(real) };

static inline void K(stream_line)(real *to, const real *line) {
    for (int i = 0; i < K(line_numbers); i += W(LANES)) W(stream)(to + i, W(load)(line + i));
}

/* A line of each pose, `item` bytes apart, from its numbers side by side; these are turned in place. */
SKL_INLINE void K(stream_lines)(char *to, int64_t item, int poses, W(t) * numbers) {
    for (int i = 0; i < K(line_numbers); i += W(LANES)) W(transpose)(numbers + i);
    for (int p = 0; p < poses; p++)
        for (int i = 0; i < K(line_numbers); i += W(LANES))
            W(stream)((real *)(void *)(to + p * item) + i, numbers[i + p]);
}

/* Bytes as they are: whole lines past the cache, and what is left of the first and last one by usual stores. */
static void K(copy_past_cache)(char *to, const char *from, int64_t bytes) {
    const int64_t before = (int64_t)(-(uintptr_t)to % SKL_LINE), head = before < bytes ? before : bytes;
    memcpy(to, from, (size_t)head);
    int64_t at = head;
    for (; at + SKL_LINE <= bytes; at += SKL_LINE) {
        real line[K(line_numbers)];
        memcpy(line, from + at, SKL_LINE);
        K(stream_line)((real *)(void *)(to + at), line);
    }
    memcpy(to + at, from + at, (size_t)(bytes - at));
}
