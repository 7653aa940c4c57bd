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
        real *to[W(LANES)];
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

/* Whole lines of `lines` to `to`; the first of a series starts with what is left of its line, the last one takes all.
 * Returns how many numbers are left. */
static inline int32_t K(stream_lines)(real *lines, int64_t numbers, real *to, int begins, int ends) {
    const int64_t line = SKL_LINE / (int64_t)sizeof(real);
    int64_t n = 0;
    if (begins) {
        const int64_t before = (int64_t)((SKL_LINE - (uintptr_t)to % SKL_LINE) % SKL_LINE / sizeof(real));
        for (; n < before && n < numbers; n++) to[n] = lines[n];
    }
    for (; n + line <= numbers; n += line)
        for (int i = 0; i < line; i += W(LANES)) W(stream)(to + n + i, W(load)(lines + n + i));
    if (ends) {
        for (; n < numbers; n++) to[n] = lines[n];
        return 0;
    }
    for (int64_t i = 0; i < numbers - n; i++) lines[i] = lines[n + i];
    return (int32_t)(numbers - n);
}

static void K(unstage_stream)(const skl_unstage_block *b, skl_stream *s) {
    real *to[W(LANES)];
    for (int p = 0; p < b->poses; p++) {
        if (s->begins) s->carried[p] = 0;
        to[p] = (real *)(void *)s->lines[p] + s->carried[p];
    }
    K(turn_staged)((const real *)b->staged, b->size * b->count, b->poses, to);
    for (int p = 0; p < b->poses; p++) {
        real *out = (real *)(void *)(b->out + p * b->out_item) - s->carried[p];
        s->carried[p] =
            K(stream_lines)((real *)(void *)s->lines[p], s->carried[p] + b->size * b->count, out, s->begins, s->ends);
    }
}
