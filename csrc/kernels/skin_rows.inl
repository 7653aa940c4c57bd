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

/* One vertex with `count` influences; where `count` is a constant the loop is unrolled. */
static inline void K(skin_row)(const real *packed, const uint16_t *joints, const real *weights, int64_t count,
                               const real *point, real *out) {
    R(matrix) sum = R(matrix_scale)(R(matrix_set1)(weights[0]), packed + 16 * (int64_t)joints[0]);
    for (int64_t k = 1; k < count; k++)
        sum = R(matrix_fma)(R(matrix_set1)(weights[k]), packed + 16 * (int64_t)joints[k], sum);
    R(store3)(out, R(matrix_point)(sum, point));
}

static inline void K(skin_row_group)(const skl_skin_group *g, int64_t influences) {
    /* Everything in locals: as far as the compiler knows, a store of a point may change the group. */
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const uint8_t *order = g->order;
    const char *points = g->points;
    char *out = (char *)g->out;
    const int64_t from_step = g->points_step, to_step = g->out_step, count = g->count;
    for (int64_t i = 0; i < count; i++, joints += influences, weights += influences) {
        const int64_t v = order[i];
        K(skin_row)(packed, joints, weights, influences, (const real *)(const void *)(points + v * from_step),
                    (real *)(void *)(out + v * to_step));
    }
}

static void K(skin_rows)(const skl_skin_group *g) {
    switch (g->influences) {
    case 0: /* the vertex stays where it is */
        for (int64_t i = 0; i < g->count; i++) {
            const real *point = (const real *)(const void *)(g->points + g->order[i] * g->points_step);
            real *out = (real *)(void *)((char *)g->out + g->order[i] * g->out_step);
            for (int k = 0; k < 3; k++) out[k] = point[k];
        }
        return;
    case 1:
        K(skin_row_group)(g, 1);
        return;
    case 2:
        K(skin_row_group)(g, 2);
        return;
    case 3:
        K(skin_row_group)(g, 3);
        return;
    case 4:
        K(skin_row_group)(g, 4);
        return;
    case 8:
        K(skin_row_group)(g, 8);
        return;
    default:
        K(skin_row_group)(g, g->influences);
        return;
    }
}
