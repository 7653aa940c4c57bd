/* SPDX-License-Identifier: MIT */
/* Vectors of the streams into wides and back, in both layouts. */

/* One vertex in all poses. */
static inline void K(take_lanes)(const skl_skin_stream *s, int32_t poses, int64_t vertex, W(t) out[4]) {
    const char *at = s->in + vertex * s->step;
    if (s->item == 0) {
        for (int k = 0; k < s->size; k++) out[k] = W(set1)(((const real *)(const void *)at)[k]);
    } else if (s->size == 3) {
        W(load3)(at, s->item, poses, out);
    } else {
        W(load4)(at, s->item, poses, out);
    }
}

static inline void K(give_lanes)(const skl_skin_stream *s, int64_t vertex, const W(t) in[4]) {
    real *staged = (real *)s->out + s->size * vertex * W(LANES);
    for (int k = 0; k < s->size; k++) W(store)(staged + k * W(LANES), in[k]);
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

/* As many vertices of a group, in one pose, as there are lanes: slots of the group; the last one again where there are
 * fewer. */
static inline int K(choose_slots)(const skl_skin_group *g, int64_t first, int64_t slots[W(LANES)]) {
    const int64_t rest = g->count - first;
    const int n = rest < W(LANES) ? (int)rest : W(LANES);
    for (int i = 0; i < W(LANES); i++) slots[i] = first + (i < n ? i : n - 1);
    return n;
}

SKL_INLINE void K(take_rows)(const skl_skin_stream *s, const uint8_t *order, const int64_t *slots, W(t) out[4]) {
    const char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++) at[i] = s->in + order[slots[i]] * s->step;
    if (s->size == 3)
        W(collect3)(at, out);
    else
        W(collect4)(at, out);
}

SKL_INLINE void K(give_rows)(const skl_skin_stream *s, const uint8_t *order, const int64_t *slots, int n,
                             const W(t) in[4]) {
    char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++) at[i] = (char *)s->out + order[slots[i]] * s->out_step;
    if (s->size == 3)
        W(scatter3)(at, n, in);
    else
        W(scatter4)(at, n, in);
}
