/* SPDX-License-Identifier: MIT */
/* Dual-quaternion skinning of one pose: motions of as many vertices as there are lanes are brought side by side. */

/* For each lane the numbers number .. number + 3 of items of `size` numbers at `table`, item joints[slot * step].
 */
SKL_INLINE void K(collect_joints)(const real *table, int64_t size, const uint16_t *joints, int64_t step, int64_t first,
                                  int n, int number, W(t) out[4]) {
    const char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++)
        at[i] = (const char *)(table + joints[K(slot_of)(first, n, i) * step] * size + number);
    W(collect4)(at, out);
}

/* The weights number .. number + 3 of each vertex; those behind the last are of other vertices, or padding. */
SKL_INLINE void K(collect_weights)(const real *weights, int64_t influences, int64_t first, int n, int64_t number,
                                   W(t) out[4]) {
    const char *at[W(LANES)];
    for (int i = 0; i < W(LANES); i++) at[i] = (const char *)(weights + K(slot_of)(first, n, i) * influences + number);
    W(collect4)(at, out);
}

/* Motions of the vertices of a group: [chunk][9][LANES], q and then `twice`. */
typedef struct K(motions) {
    real numbers[9 * SKL_GROUP_VERTICES];
} K(motions);

SKL_INLINE void K(add_influence)(const skl_skin_group *g, int64_t first, int n, int64_t influences, int64_t k,
                                 const W(t) pivot[4], W(t) weight, W(t) sum[8]) {
    W(t) q[8];
    K(collect_joints)((const real *)g->packed, 8, g->joints + k, influences, first, n, 0, q);
    K(collect_joints)((const real *)g->packed, 8, g->joints + k, influences, first, n, 4, q + 4);
    K(add_dual)(sum, pivot, q, weight);
}

/* Influences go four at a time, written out: rolled, the addresses of all lanes go through memory. */
SKL_INLINE void K(blend_rows_motion)(const skl_skin_group *g, int64_t first, int n, int64_t influences,
                                     K(dual_blend) * b) {
    W(t) pivot[8], weights[4];
    K(collect_joints)((const real *)g->packed, 8, g->pivots, 1, first, n, 0, pivot);
    for (int i = 0; i < 8; i++) b->q[i] = W(set1)(0);
    for (int64_t k = 0; k < influences; k += 4) {
        K(collect_weights)((const real *)g->weights, influences, first, n, k, weights);
        K(add_influence)(g, first, n, influences, k, pivot, weights[0], b->q);
        if (k + 1 < influences) K(add_influence)(g, first, n, influences, k + 1, pivot, weights[1], b->q);
        if (k + 2 < influences) K(add_influence)(g, first, n, influences, k + 2, pivot, weights[2], b->q);
        if (k + 3 < influences) K(add_influence)(g, first, n, influences, k + 3, pivot, weights[3], b->q);
    }
    const W(t) square = K(dual_square)(b->q);
    b->twice = W(div)(W(set1)(2), square);
    const W(m) cancelled = K(dual_cancelled)(square);
    if (!W(any)(cancelled)) return;
    K(collect_joints)((const real *)g->packed, 8, g->pivots, 1, first, n, 4, pivot + 4);
    K(settle_motion)(b, pivot, cancelled);
}

SKL_INLINE void K(keep_motion)(const skl_skin_group *g, int64_t first, int n, int64_t influences, K(motions) * to) {
    K(dual_blend) b;
    K(blend_rows_motion)(g, first, n, influences, &b);
    for (int i = 0; i < 8; i++) W(store)(to->numbers + 9 * first + i * W(LANES), b.q[i]);
    W(store)(to->numbers + 9 * first + 8 * W(LANES), b.twice);
}

static void K(blend_rows_residual)(const skl_skin_group *g, int64_t first, int n, K(dual_blend) * b) {
    const real *residuals = (const real *)g->residuals;
    W(t) sum[12], weights[4];
    for (int i = 0; i < 12; i++) sum[i] = W(set1)(0);
    for (int64_t k = 0; k < g->influences; k++) {
        if (k % 4 == 0) K(collect_weights)((const real *)g->weights, g->influences, first, n, k, weights);
        for (int r = 0; r < 3; r++) {
            W(t) row[4];
            K(collect_joints)(residuals, 12, g->joints + k, g->influences, first, n, 4 * r, row);
            for (int i = 0; i < 3; i++) sum[4 * r + i] = W(fma)(weights[k % 4], row[i], sum[4 * r + i]);
        }
    }
    for (int i = 0; i < 9; i++) b->residual[i] = sum[4 * (i / 3) + i % 3];
    K(settle_residual)(b);
}

SKL_INLINE void K(dual_rows_chunk)(const skl_skin_group *g, int64_t first, int n, const K(motions) * motions,
                                   K(directions) turned[SKL_STREAMS]) {
    const skl_skin_stream points = g->stream[SKL_POINTS], normals = g->stream[SKL_NORMALS],
                          tangents = g->stream[SKL_TANGENTS];
    W(t) vector[4], moved[4];
    moved[3] = W(set1)(0);
    K(dual_blend) b;
    for (int i = 0; i < 8; i++) b.q[i] = W(load)(motions->numbers + 9 * first + i * W(LANES));
    b.twice = W(load)(motions->numbers + 9 * first + 8 * W(LANES));
    b.has_residual = g->residuals != NULL;
    if (b.has_residual) K(blend_rows_residual)(g, first, n, &b);
    if (points.in) {
        K(take_rows)(&points, g->order, first, n, vector);
        K(dual_point)(&b, vector, moved);
        K(give_rows)(&points, g->order, first, n, moved);
    }
    if (normals.in) {
        K(take_rows)(&normals, g->order, first, n, vector);
        K(dual_normal)(&b, vector, moved);
        K(keep_directions)(&turned[SKL_NORMALS], first, moved, 3);
    }
    if (tangents.in) {
        K(take_rows)(&tangents, g->order, first, n, vector);
        K(dual_tangent)(&b, vector, moved);
        moved[3] = vector[3];
        K(keep_directions)(&turned[SKL_TANGENTS], first, moved, tangents.size);
    }
}

/* With the motions of a group, all of its vectors. */
static void K(dual_rows_vectors)(const skl_skin_group *g, const K(motions) * motions) {
    K(directions) turned[SKL_STREAMS];
    int64_t first = 0;
    for (; first + W(LANES) <= g->count; first += W(LANES)) K(dual_rows_chunk)(g, first, W(LANES), motions, turned);
    if (first < g->count) K(dual_rows_chunk)(g, first, (int)(g->count - first), motions, turned);
    K(unit_rows)(g, SKL_NORMALS, &turned[SKL_NORMALS]);
    K(unit_rows)(g, SKL_TANGENTS, &turned[SKL_TANGENTS]);
}

/* The last chunk, with fewer vertices. */
static void K(keep_last_motion)(const skl_skin_group *g, int64_t first, K(motions) * to) {
    K(keep_motion)(g, first, (int)(g->count - first), g->influences, to);
}

SKL_INLINE void K(dual_rows_group)(const skl_skin_group *g, int64_t influences) {
    K(motions) motions;
    int64_t first = 0;
    for (; first + W(LANES) <= g->count; first += W(LANES)) K(keep_motion)(g, first, W(LANES), influences, &motions);
    if (first < g->count) K(keep_last_motion)(g, first, &motions);
    K(dual_rows_vectors)(g, &motions);
}

static void K(dual_rows)(const skl_skin_group *g) {
    switch (g->influences) {
    case 0:
        K(keep_rows)(g);
        return;
    case 1:
        K(dual_rows_group)(g, 1);
        return;
    case 2:
        K(dual_rows_group)(g, 2);
        return;
    case 3:
        K(dual_rows_group)(g, 3);
        return;
    case 4:
        K(dual_rows_group)(g, 4);
        return;
    default:
        K(dual_rows_group)(g, g->influences);
        return;
    }
}
