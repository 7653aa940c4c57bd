/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of one pose with normals or tangents: matrices are blended a vertex at a time, as in
 * skin_rows.inl, and then turned so that the vertices lie side by side. */

/* A chunk of vertices; where the numbers are constants the loops are unrolled. */
SKL_INLINE void K(mesh_rows_chunk)(const skl_skin_group *g, int64_t first, int n, int64_t influences) {
    const skl_skin_stream points = g->stream[SKL_POINTS], normals = g->stream[SKL_NORMALS],
                          tangents = g->stream[SKL_TANGENTS];
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const uint8_t *order = g->order;
    real blended[W(LANES)][16];
    for (int i = 0; i < W(LANES); i++) {
        const int64_t slot = K(slot_of)(first, n, i), entry = slot * influences;
        const R(matrix) m = K(blend_row)(packed, joints + entry, weights + entry, influences);
        R(matrix_store)(blended[i], m);
        if (!points.in || i >= n) continue;
        const real *point = (const real *)(const void *)(points.in + order[slot] * points.step);
        R(store3)((real *)(void *)((char *)points.out + order[slot] * points.out_step), R(matrix_point)(m, point));
    }
    W(t) m[12], vector[4], turned[4];
    turned[3] = W(set1)(0);
    for (int k = 0; k < 3; k++) {
        W(t) column[4];
        W(load4)((const char *)(blended[0] + 4 * k), (int64_t)sizeof *blended, W(LANES), column);
        for (int r = 0; r < 3; r++) m[4 * r + k] = column[r];
    }
    for (int r = 0; r < 3; r++) m[4 * r + 3] = W(set1)(0);
    if (normals.in) {
        K(take_rows)(&normals, order, first, n, vector);
        K(finish_normal)(m, vector, turned);
        K(give_rows)(&normals, order, first, n, turned);
    }
    if (tangents.in) {
        K(take_rows)(&tangents, order, first, n, vector);
        K(finish_tangent)(m, vector, turned);
        turned[3] = vector[3];
        K(give_rows)(&tangents, order, first, n, turned);
    }
}

/* The last chunk, with fewer vertices. */
static void K(mesh_rows_rest)(const skl_skin_group *g, int64_t first) {
    K(mesh_rows_chunk)(g, first, (int)(g->count - first), g->influences);
}

SKL_INLINE void K(mesh_rows_group)(const skl_skin_group *g, int64_t influences) {
    int64_t first = 0;
    for (; first + W(LANES) <= g->count; first += W(LANES)) K(mesh_rows_chunk)(g, first, W(LANES), influences);
    if (first < g->count) K(mesh_rows_rest)(g, first);
}

static void K(mesh_rows)(const skl_skin_group *g) {
    switch (g->influences) {
    case 0:
        K(keep_rows)(g);
        return;
    case 1:
        K(mesh_rows_group)(g, 1);
        return;
    case 2:
        K(mesh_rows_group)(g, 2);
        return;
    case 3:
        K(mesh_rows_group)(g, 3);
        return;
    case 4:
        K(mesh_rows_group)(g, 4);
        return;
    default:
        K(mesh_rows_group)(g, g->influences);
        return;
    }
}
