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

SKL_INLINE R(t)
    K(skin_row)(const real *packed, const uint16_t *joints, const real *weights, int64_t count, const real *point) {
    return R(matrix_point)(K(blend_row)(packed, joints, weights, count), point);
}

/* Everything in locals: as far as the compiler knows, a store of a point may change the group. */
SKL_INLINE void K(skin_row_group)(const skl_skin_group *g, int64_t influences) {
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
        R(store3)((real *)(void *)(out + v * to_step), K(skin_row)(packed, joints, weights, influences, point));
    }
}

/* The same for vertices that lie behind each other: a point may be written with a fourth number behind it, since the
 * next point comes over that; all but the last. */
SKL_INLINE void K(skin_row_line)(const skl_skin_group *g, int64_t influences) {
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const real *point = (const real *)(const void *)g->stream[SKL_POINTS].in;
    real *out = (real *)g->stream[SKL_POINTS].out;
    const int64_t last = g->count - 1;
    for (int64_t i = 0; i < last; i++, joints += influences, weights += influences, point += 3, out += 3)
        R(store)(out, K(skin_row)(packed, joints, weights, influences, point));
    R(store3)(out, K(skin_row)(packed, joints, weights, influences, point));
}

static void K(skin_rows)(const skl_skin_group *g) {
    const int64_t packed_step = 3 * (int64_t)sizeof(real);
    /* The order inside of a group rises, so its ends tell whether it has gaps. */
    const skl_skin_stream *points = &g->stream[SKL_POINTS];
    const int line = points->step == packed_step && points->out_step == packed_step && g->order[0] == 0 &&
                     g->order[g->count - 1] == g->count - 1;
    switch (g->influences) {
    case 0:
        K(keep_rows)(g);
        return;
    case 1:
        line ? K(skin_row_line)(g, 1) : K(skin_row_group)(g, 1);
        return;
    case 2:
        line ? K(skin_row_line)(g, 2) : K(skin_row_group)(g, 2);
        return;
    case 3:
        line ? K(skin_row_line)(g, 3) : K(skin_row_group)(g, 3);
        return;
    case 4:
        line ? K(skin_row_line)(g, 4) : K(skin_row_group)(g, 4);
        return;
    case 8:
        line ? K(skin_row_line)(g, 8) : K(skin_row_group)(g, 8);
        return;
    default:
        K(skin_row_group)(g, g->influences);
        return;
    }
}
