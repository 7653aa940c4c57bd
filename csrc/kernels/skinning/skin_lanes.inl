/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of several poses: the same number of each pose side by side. The order of operations is that of
 * skin_rows.inl, number for number. */

/* [joint][12][lanes]; lanes without a pose are 0. */
static void K(pack_lanes)(const skl_pack_block *b) {
    real *packed = (real *)b->packed;
    for (int64_t j = 0; j < b->count; j++)
        for (int row = 0; row < 3; row++) {
            W(t) numbers[4];
            W(load4)(b->matrices + j * b->step + 4 * row * (int64_t)sizeof(real), b->item, b->poses, numbers);
            for (int k = 0; k < 4; k++) W(store)(packed + (12 * j + 4 * row + k) * W(LANES), numbers[k]);
        }
}

/* One number of the blended matrix. */
static inline W(t) K(blend_number)(const real *const *matrices, const W(t) * weights, int influences, int number) {
    W(t) sum = W(mul)(weights[0], W(load)(matrices[0] + number * W(LANES)));
    for (int k = 1; k < influences; k++) sum = W(fma)(weights[k], W(load)(matrices[k] + number * W(LANES)), sum);
    return sum;
}

/* One row of the blended matrix times the point. */
static inline W(t) K(move_number)(const W(t) row[4], const W(t) point[3]) {
    W(t) sum = W(mul)(row[0], point[0]);
    sum = W(fma)(row[1], point[1], sum);
    sum = W(fma)(row[2], point[2], sum);
    return W(add)(sum, row[3]);
}

/* A constant number of influences, so that everything stays in registers. */
SKL_INLINE void K(skin_lane_group)(const skl_skin_group *g, int influences) {
    /* In locals: as far as the compiler knows, a store of a result may change the group. */
    skl_skin_stream points = g->stream[SKL_POINTS];
    points.size = 3;
    const real *packed = (const real *)g->packed, *entry_weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const uint8_t *order = g->order;
    real *staged = (real *)points.out;
    const int64_t count = g->count;
    const int32_t poses = g->poses;
    for (int64_t i = 0; i < count; i++, joints += influences, entry_weights += influences) {
        const int64_t v = order[i];
        const real *matrices[8];
        W(t) weights[8], point[4];
        for (int k = 0; k < influences; k++) {
            matrices[k] = packed + joints[k] * (int64_t)(12 * W(LANES));
            weights[k] = W(set1)(entry_weights[k]);
        }
        K(take_lanes)(&points, poses, v, point);
        for (int r = 0; r < 3; r++) {
            W(t) row[4];
            for (int k = 0; k < 4; k++) row[k] = K(blend_number)(matrices, weights, influences, 4 * r + k);
            W(store)(staged + (3 * v + r) * W(LANES), K(move_number)(row, point));
        }
    }
}

/* Any number of influences: the sums wait in memory. */
static void K(skin_lane_many)(const skl_skin_group *g) {
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    real *staged = (real *)g->stream[SKL_POINTS].out;
    const int64_t influences = g->influences;
    for (int64_t i = 0; i < g->count; i++, joints += influences, weights += influences) {
        const int64_t v = g->order[i];
        W(t) sum[12], point[4];
        const real *m = packed + joints[0] * (int64_t)(12 * W(LANES));
        for (int n = 0; n < 12; n++) sum[n] = W(mul)(W(set1)(weights[0]), W(load)(m + n * W(LANES)));
        for (int64_t k = 1; k < influences; k++) {
            m = packed + joints[k] * (int64_t)(12 * W(LANES));
            const W(t) w = W(set1)(weights[k]);
            for (int n = 0; n < 12; n++) sum[n] = W(fma)(w, W(load)(m + n * W(LANES)), sum[n]);
        }
        K(take_lanes)(&g->stream[SKL_POINTS], g->poses, v, point);
        for (int r = 0; r < 3; r++) W(store)(staged + (3 * v + r) * W(LANES), K(move_number)(sum + 4 * r, point));
    }
}

static void K(skin_lanes)(const skl_skin_group *g) {
    switch (g->influences) {
    case 0:
        K(keep_lanes)(g);
        return;
    case 1:
        K(skin_lane_group)(g, 1);
        return;
    case 2:
        K(skin_lane_group)(g, 2);
        return;
    case 3:
        K(skin_lane_group)(g, 3);
        return;
    case 4:
        K(skin_lane_group)(g, 4);
        return;
    case 5:
        K(skin_lane_group)(g, 5);
        return;
    case 6:
        K(skin_lane_group)(g, 6);
        return;
    case 7:
        K(skin_lane_group)(g, 7);
        return;
    case 8:
        K(skin_lane_group)(g, 8);
        return;
    default:
        K(skin_lane_many)(g);
        return;
    }
}
