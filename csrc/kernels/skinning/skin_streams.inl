/* SPDX-License-Identifier: MIT */
/* Vectors of the streams into wides and back, in both layouts. */

/* One vertex in all poses. The fourth number is 0 where there is none, here and below. */
SKL_INLINE void K(take_lanes)(const skl_skin_stream *s, int32_t poses, int64_t vertex, W(t) out[4]) {
    const char *at = s->in + vertex * s->step;
    out[3] = W(set1)(0);
    if (s->item == 0) {
        const real *numbers = (const real *)(const void *)at;
        for (int k = 0; k < 3; k++) out[k] = W(set1)(numbers[k]);
        if (s->size == 4) out[3] = W(set1)(numbers[3]);
    } else if (s->size == 3) {
        W(load3)(at, s->item, poses, out);
    } else {
        W(load4)(at, s->item, poses, out);
    }
}

SKL_INLINE void K(give_lanes)(const skl_skin_stream *s, int64_t vertex, const W(t) in[4]) {
    real *staged = (real *)s->out + s->size * vertex * W(LANES);
    for (int k = 0; k < 3; k++) W(store)(staged + k * W(LANES), in[k]);
    if (s->size == 4) W(store)(staged + 3 * W(LANES), in[3]);
}

/* Vertices without influence stay as they are. */
static void K(keep_lanes)(const skl_skin_group *g) {
    for (int k = 0; k < SKL_STREAMS; k++) {
        if (!g->stream[k].in) continue;
        for (int64_t i = 0; i < g->count; i++) {
            W(t) vector[4];
            K(take_lanes)(&g->stream[k], g->poses, g->order[i], vector);
            K(give_lanes)(&g->stream[k], g->order[i], vector);
        }
    }
}

static void K(keep_rows)(const skl_skin_group *g) {
    for (int k = 0; k < SKL_STREAMS; k++) {
        const skl_skin_stream *s = &g->stream[k];
        if (!s->in) continue;
        for (int64_t i = 0; i < g->count; i++) {
            const real *in = (const real *)(const void *)(s->in + g->order[i] * s->step);
            real *out = (real *)(void *)((char *)s->out + g->order[i] * s->out_step);
            for (int n = 0; n < s->size; n++) out[n] = in[n];
        }
    }
}

/* A chunk of a group, in one pose: `n` vertices from slot `first` on, at most one a lane. Lanes beyond
 * repeat the last one. Where n is a constant all of this folds away. */
SKL_INLINE int64_t K(slot_of)(int64_t first, int n, int lane) { return first + (lane < n ? lane : n - 1); }

/* Whether the vertices of a chunk lie behind each other; the order inside of a group rises. */
SKL_INLINE int K(in_line)(const uint8_t *order, int64_t first, int n) {
    return n == W(LANES) && order[first + W(LANES) - 1] - order[first] == W(LANES) - 1;
}

SKL_INLINE void K(take_rows)(const skl_skin_stream *s, const uint8_t *order, int64_t first, int n, W(t) out[4]) {
    const char *in = s->in;
    const int64_t step = s->step;
    out[3] = W(set1)(0);
    if (s->size == 3 && K(in_line)(order, first, n)) {
        W(load3)(in + order[first] * step, step, W(LANES), out);
        return;
    }
    const char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++) at[i] = in + order[K(slot_of)(first, n, i)] * step;
    if (s->size == 3)
        W(collect3)(at, out);
    else
        W(collect4)(at, out);
}

SKL_INLINE void K(give_rows)(const skl_skin_stream *s, const uint8_t *order, int64_t first, int n, const W(t) in[4]) {
    char *out = (char *)s->out;
    const int64_t step = s->out_step;
    if (s->size == 3 && K(in_line)(order, first, n)) {
        W(store3)(out + order[first] * step, step, W(LANES), in);
        return;
    }
    char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++) at[i] = out + order[K(slot_of)(first, n, i)] * step;
    if (s->size == 3)
        W(scatter3)(at, n, in);
    else
        W(scatter4)(at, n, in);
}
