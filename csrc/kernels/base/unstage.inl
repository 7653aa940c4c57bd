/* SPDX-License-Identifier: MIT */
/* From [vertex][size][lanes], as the kernels of many lanes leave it, to the vectors of each pose: turned in registers.
 */

/* Turn the staged numbers; those of pose p go to to[p]. */
static inline void K(turn_staged)(const real *staged, int64_t numbers, int poses, real *const *to) {
    const int64_t whole = numbers - numbers % W(LANES);
    for (int64_t n = 0; n < whole; n += W(LANES)) {
        W(t) rows[W(LANES)];
        for (int i = 0; i < W(LANES); i++) rows[i] = W(load)(staged + (n + i) * W(LANES));
        W(transpose)(rows);
        for (int p = 0; p < poses; p++) W(store)(to[p] + n, rows[p]);
    }
    for (int p = 0; p < poses; p++)
        for (int64_t n = whole; n < numbers; n++) to[p][n] = staged[n * W(LANES) + p];
}

static void K(unstage)(const skl_unstage_block *b) {
    const real *staged = (const real *)b->staged;
    if (b->out_step == b->size * (int64_t)sizeof(real)) {
        real *to[W(LANES)] = {NULL}; /* compilers do not see that there is a pose */
        for (int p = 0; p < b->poses; p++) to[p] = (real *)(void *)(b->out + p * b->out_item);
        if (b->poses == W(LANES)) /* so that the compiler can unroll the stores */
            K(turn_staged)(staged, b->size * b->count, W(LANES), to);
        else
            K(turn_staged)(staged, b->size * b->count, b->poses, to);
        return;
    }
    for (int64_t v = 0; v < b->count; v++) {
        W(t) vector[4];
        char *out = b->out + v * b->out_step;
        for (int k = 0; k < b->size; k++) vector[k] = W(load)(staged + (b->size * v + k) * W(LANES));
        if (b->size == 3)
            W(store3)(out, b->out_item, b->poses, vector);
        else
            W(store4)(out, b->out_item, b->poses, vector);
    }
}

/* Past the cache: lines are written whole, or not at all. What is left of a line at the end of a block waits for the
 * next block in the buffer of its pose, behind as much room as a line takes. */
static inline real *K(waiting_line)(skl_stream *s, int pose) { return (real *)(void *)(s->lines[pose] + SKL_LINE); }

/* Numbers between the beginning of a line and `out`. */
static inline int64_t K(numbers_into_line)(const char *out) {
    return (int64_t)((uintptr_t)out % SKL_LINE / sizeof(real));
}

/* Staged numbers straight to `lines` whole lines of each pose. */
SKL_INLINE void K(turn_lines)(const real *staged, int64_t lines, int poses, char *out, int64_t out_item) {
    for (int64_t n = 0; n < lines * K(line_numbers); n += K(line_numbers)) {
        W(t) side_by_side[K(line_numbers)];
        for (int i = 0; i < K(line_numbers); i++) side_by_side[i] = W(load)(staged + (n + i) * W(LANES));
        K(stream_lines)(out + n * (int64_t)sizeof(real), out_item, poses, side_by_side);
    }
}

/* All poses begin at the same place of a line, so that what makes a line of one makes a line of all. The first and the
 * last staged numbers go by the buffers; as many as a line has are turned each time, needed or not. */
static void K(stream_together)(const skl_unstage_block *b, skl_stream *s) {
    const real *staged = (const real *)b->staged;
    const int64_t numbers = b->size * b->count, into = K(numbers_into_line)(b->out);
    const int64_t first = into ? K(line_numbers) - into : 0, lines = (numbers - first) / K(line_numbers);
    const int64_t rest = numbers - first - lines * K(line_numbers);
    real *to[W(LANES)] = {NULL};
    for (int p = 0; p < b->poses; p++) to[p] = K(waiting_line)(s, p) + into;
    if (first) K(turn_staged)(staged, K(line_numbers), b->poses, to);
    for (int p = 0; p < b->poses && first; p++) {
        real *out = (real *)(void *)(b->out + p * b->out_item);
        if (!s->begins)
            K(stream_line)(out - into, to[p] - into);
        else
            for (int64_t i = 0; i < first; i++) out[i] = to[p][i];
    }
    char *lines_out = b->out + first * (int64_t)sizeof(real);
    if (b->poses == W(LANES)) /* so that the compiler can unroll the stores */
        K(turn_lines)(staged + first * W(LANES), lines, W(LANES), lines_out, b->out_item);
    else
        K(turn_lines)(staged + first * W(LANES), lines, b->poses, lines_out, b->out_item);
    if (!rest) return;
    for (int p = 0; p < b->poses; p++) to[p] = K(waiting_line)(s, p) - (K(line_numbers) - rest);
    K(turn_staged)(staged + (numbers - K(line_numbers)) * W(LANES), K(line_numbers), b->poses, to);
    for (int p = 0; p < b->poses && s->ends; p++) {
        real *out = (real *)(void *)(b->out + p * b->out_item) + numbers - rest;
        for (int64_t i = 0; i < rest; i++) out[i] = K(waiting_line)(s, p)[i];
    }
}

/* The numbers of one pose behind those that wait: `into` of them. */
static inline void K(stream_numbers)(real *waiting, int64_t into, int64_t numbers, real *out, const skl_stream *s) {
    const int64_t end = into + numbers;
    int64_t n = 0;
    out -= into;
    if (s->begins && into) {
        for (n = into; n < K(line_numbers) && n < end; n++) out[n] = waiting[n];
    }
    for (; n + K(line_numbers) <= end; n += K(line_numbers)) K(stream_line)(out + n, waiting + n);
    if (s->ends)
        for (; n < end; n++) out[n] = waiting[n];
    for (int64_t i = 0; i < end - n; i++) waiting[i] = waiting[n + i];
}

static void K(unstage_stream)(const skl_unstage_block *b, skl_stream *s) {
    const int64_t numbers = b->size * b->count;
    if ((b->poses == 1 || b->out_item % SKL_LINE == 0) && numbers >= 2 * K(line_numbers)) {
        K(stream_together)(b, s);
        return;
    }
    real *to[W(LANES)] = {NULL};
    for (int p = 0; p < b->poses; p++) to[p] = K(waiting_line)(s, p) + K(numbers_into_line)(b->out + p * b->out_item);
    K(turn_staged)((const real *)b->staged, numbers, b->poses, to);
    for (int p = 0; p < b->poses; p++) {
        char *out = b->out + p * b->out_item;
        K(stream_numbers)(K(waiting_line)(s, p), K(numbers_into_line)(out), numbers, (real *)(void *)out, s);
    }
}
