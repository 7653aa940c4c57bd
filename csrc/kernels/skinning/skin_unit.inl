/* SPDX-License-Identifier: MIT */
/* Normals and tangents at length 1, in a loop of their own after those that turn them: square roots and divisions then
 * keep nothing waiting but each other. */

/* Directions of the vertices of a group, one pose: [chunk][4][LANES]. */
typedef struct K(directions) {
    real numbers[4 * SKL_GROUP_VERTICES];
} K(directions);

SKL_INLINE void K(keep_directions)(K(directions) * to, int64_t first, const W(t) in[4], int size) {
    for (int k = 0; k < 3; k++) W(store)(to->numbers + 4 * first + k * W(LANES), in[k]);
    if (size == 4) W(store)(to->numbers + 4 * first + 3 * W(LANES), in[3]);
}

SKL_INLINE void K(unit_chunk)(const skl_skin_stream *s, const uint8_t *order, const K(directions) * from, int64_t first,
                              int n) {
    W(t) vector[4];
    for (int k = 0; k < 3; k++) vector[k] = W(load)(from->numbers + 4 * first + k * W(LANES));
    vector[3] = W(set1)(0);
    if (s->size == 4) vector[3] = W(load)(from->numbers + 4 * first + 3 * W(LANES));
    K(unit_direction)(vector);
    K(give_rows)(s, order, first, n, vector);
}

/* One pose: to where they belong. */
static void K(unit_rows)(const skl_skin_group *g, int which, const K(directions) * from) {
    const skl_skin_stream stream = g->stream[which];
    int64_t first = 0;
    if (!stream.in) return;
    for (; first + W(LANES) <= g->count; first += W(LANES)) K(unit_chunk)(&stream, g->order, from, first, W(LANES));
    if (first < g->count) K(unit_chunk)(&stream, g->order, from, first, (int)(g->count - first));
}

/* Several poses: where they are staged. */
static void K(unit_lanes)(const skl_skin_group *g, int which) {
    const skl_skin_stream *s = &g->stream[which];
    const uint8_t *order = g->order;
    const int64_t count = g->count, size = s->size;
    real *const staged = (real *)s->out;
    if (!s->in) return;
    for (int64_t i = 0; i < count; i++) {
        real *at = staged + size * order[i] * W(LANES);
        W(t) vector[3];
        for (int k = 0; k < 3; k++) vector[k] = W(load)(at + k * W(LANES));
        K(unit_direction)(vector);
        for (int k = 0; k < 3; k++) W(store)(at + k * W(LANES), vector[k]);
    }
}
