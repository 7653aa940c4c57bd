/* SPDX-License-Identifier: MIT */
/* Stores past the cache, to whole lines. A line is finished before the next one is begun: the CPU has few buffers in
 * which the parts of a line meet, and one that it has to empty half full, as it does where others use the memory too,
 * costs several times what a full one does. */
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
