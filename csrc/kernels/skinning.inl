/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of one pose.
 *
 * The order of operations is part of the contract, so that every way of cutting a batch gives the same bits: blend the
 * matrix by fma in the order of the influences, then x, y, z, translation. */

/* Matrices to columns: a blended matrix then meets its point without a sum across lanes. */
static void K(pack_columns)(const skl_pack_block *b) {
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
static inline void K(skin_vertex)(const real *packed, const uint16_t *joints, const real *weights, int64_t count,
                                  const real *point, real *out) {
    R(matrix) sum = R(matrix_scale)(R(matrix_set1)(weights[0]), packed + 16 * (int64_t)joints[0]);
    for (int64_t k = 1; k < count; k++)
        sum = R(matrix_fma)(R(matrix_set1)(weights[k]), packed + 16 * (int64_t)joints[k], sum);
    R(store3)(out, R(matrix_point)(sum, point));
}

static void K(skin_points)(const skl_skin_block *b) {
    /* Everything in locals: as far as the compiler knows, a store of a point may change the block. */
    const real *packed = (const real *)b->packed, *weights = (const real *)b->weights;
    const int64_t *offsets = b->offsets + b->first;
    const uint16_t *joints = b->joints;
    const char *from = b->points;
    char *to = b->out;
    const int64_t count = b->count, from_step = b->points_step, to_step = b->out_step;
    int64_t k = offsets[0];
    for (int64_t v = 0; v < count; v++, from += from_step, to += to_step) {
        const int64_t end = offsets[v + 1], influences = end - k;
        const real *point = (const real *)(const void *)from;
        real *out = (real *)(void *)to;
        if (influences == 4) {
            K(skin_vertex)(packed, joints + k, weights + k, 4, point, out);
        } else if (influences == 1) {
            K(skin_vertex)(packed, joints + k, weights + k, 1, point, out);
        } else if (influences > 0) {
            K(skin_vertex)(packed, joints + k, weights + k, influences, point, out);
        } else { /* no influence: the vertex stays where it is */
            for (int i = 0; i < 3; i++) out[i] = point[i];
        }
        k = end;
    }
}
