/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of one pose, a vertex at a time: four columns of the blended matrix side by side.
 *
 * The order of operations is part of the contract, so that every layout gives the same bits: blend the matrix by fma in
 * the order of the influences, then x, y, z, translation. */

/* Matrices to columns: a blended matrix then meets its point without a sum across lanes. */
static void K(pack_rows)(const skl_pack_block *b) {
    real *packed = (real *)b->packed;
    for (int64_t i = 0; i < b->count; i++) {
        const real *m = (const real *)(const void *)(b->matrices + i * b->step);
        R(t) x = R(load)(m), y = R(load)(m + 4), z = R(load)(m + 8), w = R(zero)();
        R(transpose)(&x, &y, &z, &w);
        R(store)(packed + 16 * i, x);
        R(store)(packed + 16 * i + 4, y);
        R(store)(packed + 16 * i + 8, z);
        R(store)(packed + 16 * i + 12, w);
    }
}

/* The matrix of one vertex with `count` influences; where `count` is a constant the loop is unrolled. */
SKL_INLINE R(matrix) K(blend_row)(const real *packed, const uint16_t *joints, const real *weights, int64_t count) {
    R(matrix) sum = R(matrix_scale)(R(matrix_set1)(weights[0]), packed + 16 * (int64_t)joints[0]);
    for (int64_t k = 1; k < count; k++)
        sum = R(matrix_fma)(R(matrix_set1)(weights[k]), packed + 16 * (int64_t)joints[k], sum);
    return sum;
}

/* Everything in locals: as far as the compiler knows, a store of a point may change the group. With `blended`, the
 * matrices are kept there, 16 numbers each. */
SKL_INLINE void K(skin_row_group)(const skl_skin_group *g, int64_t influences, real *blended) {
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const uint8_t *order = g->order;
    const skl_skin_stream *points = &g->stream[SKL_POINTS];
    const char *in = points->in;
    char *out = (char *)points->out;
    const int64_t from_step = points->step, to_step = points->out_step, count = g->count;
    for (int64_t i = 0; i < count; i++, joints += influences, weights += influences) {
        const int64_t v = order[i];
        const real *point = (const real *)(const void *)(in + v * from_step);
        const R(matrix) m = K(blend_row)(packed, joints, weights, influences);
        if (blended) R(matrix_store)(blended + 16 * i, m);
        R(store3)((real *)(void *)(out + v * to_step), R(matrix_point)(m, point));
    }
}

/* The same for vertices that lie behind each other: a point may be written with a fourth number behind it, since the
 * next point comes over that; all but the last. */
SKL_INLINE void K(skin_row_line)(const skl_skin_group *g, int64_t influences, real *blended) {
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const real *point = (const real *)(const void *)g->stream[SKL_POINTS].in;
    real *out = (real *)g->stream[SKL_POINTS].out;
    const int64_t last = g->count - 1;
    for (int64_t i = 0; i < last; i++, joints += influences, weights += influences, point += 3, out += 3) {
        const R(matrix) m = K(blend_row)(packed, joints, weights, influences);
        if (blended) R(matrix_store)(blended + 16 * i, m);
        R(store)(out, R(matrix_point)(m, point));
    }
    const R(matrix) m = K(blend_row)(packed, joints, weights, influences);
    if (blended) R(matrix_store)(blended + 16 * last, m);
    R(store3)(out, R(matrix_point)(m, point));
}

/* The order inside of a group rises, so its ends show whether it has gaps. */
SKL_INLINE int K(points_in_line)(const skl_skin_group *g) {
    const int64_t packed_step = 3 * (int64_t)sizeof(real);
    const skl_skin_stream *points = &g->stream[SKL_POINTS];
    return points->step == packed_step && points->out_step == packed_step && g->order[0] == 0 &&
           g->order[g->count - 1] == g->count - 1;
}

SKL_INLINE void K(skin_row_points)(const skl_skin_group *g, int64_t influences, real *blended) {
    if (K(points_in_line)(g))
        K(skin_row_line)(g, influences, blended);
    else
        K(skin_row_group)(g, influences, blended);
}

static void K(skin_rows)(const skl_skin_group *g) {
    switch (g->influences) {
    case 0:
        K(keep_rows)(g);
        return;
    case 1:
        K(skin_row_points)(g, 1, NULL);
        return;
    case 2:
        K(skin_row_points)(g, 2, NULL);
        return;
    case 3:
        K(skin_row_points)(g, 3, NULL);
        return;
    case 4:
        K(skin_row_points)(g, 4, NULL);
        return;
    case 8:
        K(skin_row_points)(g, 8, NULL);
        return;
    default:
        K(skin_row_group)(g, g->influences, NULL);
        return;
    }
}
