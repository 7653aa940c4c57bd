/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of one pose with normals or tangents: matrices are blended, and points moved, a vertex at a
 * time, as in skin_rows.inl; then the matrices are turned so that the vertices lie side by side. Two loops, so that
 * square roots and divisions of one chunk do not keep the next one waiting. */

/* The matrices of a group whose points are not wanted. */
SKL_INLINE void K(blend_rows)(const skl_skin_group *g, int64_t influences, real *blended) {
    for (int64_t i = 0; i < g->count; i++)
        R(matrix_store)(blended + 16 * i, K(blend_row)((const real *)g->packed, g->joints + i * influences,
                                                       (const real *)g->weights + i * influences, influences));
}

/* Directions of a chunk of vertices; where n is a constant the loops are unrolled. */
SKL_INLINE void K(mesh_rows_chunk)(const skl_skin_group *g, int64_t first, int n, const real *blended,
                                   K(directions) turned[SKL_STREAMS]) {
    const skl_skin_stream normals = g->stream[SKL_NORMALS], tangents = g->stream[SKL_TANGENTS];
    const int64_t step = 16 * (int64_t)sizeof(real);
    W(t) m[12], vector[4], out[4];
    out[3] = W(set1)(0);
    for (int k = 0; k < 3; k++) {
        W(t) column[4];
        W(load4)((const char *)(blended + 16 * first + 4 * k), step, n, column);
        for (int r = 0; r < 3; r++) m[4 * r + k] = column[r];
    }
    for (int r = 0; r < 3; r++) m[4 * r + 3] = W(set1)(0);
    if (normals.in) {
        K(take_rows)(&normals, g->order, first, n, vector);
        K(turn_normal)(m, vector, out);
        K(keep_directions)(&turned[SKL_NORMALS], first, out, 3);
    }
    if (tangents.in) {
        K(take_rows)(&tangents, g->order, first, n, vector);
        K(turn_tangent)(m, vector, out);
        out[3] = vector[3];
        K(keep_directions)(&turned[SKL_TANGENTS], first, out, tangents.size);
    }
}

static void K(mesh_rows_directions)(const skl_skin_group *g, const real *blended) {
    K(directions) turned[SKL_STREAMS];
    int64_t first = 0;
    for (; first + W(LANES) <= g->count; first += W(LANES)) K(mesh_rows_chunk)(g, first, W(LANES), blended, turned);
    if (first < g->count) K(mesh_rows_chunk)(g, first, (int)(g->count - first), blended, turned);
    K(unit_rows)(g, SKL_NORMALS, &turned[SKL_NORMALS]);
    K(unit_rows)(g, SKL_TANGENTS, &turned[SKL_TANGENTS]);
}

SKL_INLINE void K(mesh_rows_group)(const skl_skin_group *g, int64_t influences) {
    real blended[SKL_GROUP_VERTICES * 16];
    if (g->stream[SKL_POINTS].in)
        K(skin_row_points)(g, influences, blended);
    else
        K(blend_rows)(g, influences, blended);
    K(mesh_rows_directions)(g, blended);
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
