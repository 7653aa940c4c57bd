/* SPDX-License-Identifier: MIT */
/* Dual-quaternion skinning of several poses. */

SKL_INLINE void K(blend_lanes_motion)(const real *packed, const uint16_t *joints, const real *weights,
                                      int64_t influences, int64_t pivot_joint, K(dual_blend) * b) {
    const real *at_pivot = packed + pivot_joint * (8 * W(LANES));
    W(t) pivot[8];
    for (int n = 0; n < 8; n++) b->q[n] = W(set1)(0);
    for (int n = 0; n < 4; n++) pivot[n] = W(load)(at_pivot + n * W(LANES));
    for (int64_t k = 0; k < influences; k++) {
        const real *from = packed + joints[k] * (int64_t)(8 * W(LANES));
        W(t) q[8];
        for (int n = 0; n < 8; n++) q[n] = W(load)(from + n * W(LANES));
        K(add_dual)(b->q, pivot, q, W(set1)(weights[k]));
    }
    const W(t) square = K(dual_square)(b->q);
    b->twice = W(div)(W(set1)(2), square);
    const W(m) cancelled = K(dual_cancelled)(square);
    if (!W(any)(cancelled)) return;
    for (int n = 4; n < 8; n++) pivot[n] = W(load)(at_pivot + n * W(LANES));
    K(settle_motion)(b, pivot, cancelled);
}

static void K(blend_lanes_residual)(const skl_skin_group *g, const uint16_t *joints, const real *weights,
                                    K(dual_blend) * b) {
    const real *residuals = (const real *)g->residuals;
    for (int n = 0; n < 9; n++) b->residual[n] = W(set1)(0);
    for (int64_t k = 0; k < g->influences; k++) {
        const real *from = residuals + joints[k] * (int64_t)(9 * W(LANES));
        const W(t) weight = W(set1)(weights[k]);
        for (int n = 0; n < 9; n++) b->residual[n] = W(fma)(weight, W(load)(from + n * W(LANES)), b->residual[n]);
    }
    K(settle_residual)(b);
}

static void K(dual_lanes)(const skl_skin_group *g) {
    if (g->influences == 0) {
        K(keep_lanes)(g);
        return;
    }
    const skl_skin_stream points = g->stream[SKL_POINTS], normals = g->stream[SKL_NORMALS],
                          tangents = g->stream[SKL_TANGENTS];
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const int64_t influences = g->influences;
    K(dual_blend) b;
    b.has_residual = g->residuals != NULL;
    for (int64_t i = 0; i < g->count; i++, joints += influences, weights += influences) {
        const int64_t v = g->order[i];
        W(t) vector[4], moved[4];
        moved[3] = W(set1)(0);
        K(blend_lanes_motion)(packed, joints, weights, influences, g->pivots[i], &b);
        if (b.has_residual) K(blend_lanes_residual)(g, joints, weights, &b);
        if (points.in) {
            K(take_lanes)(&points, g->poses, v, vector);
            K(dual_point)(&b, vector, moved);
            K(give_lanes)(&points, v, moved);
        }
        if (normals.in) {
            K(take_lanes)(&normals, g->poses, v, vector);
            K(dual_normal)(&b, vector, moved);
            K(give_lanes)(&normals, v, moved);
        }
        if (tangents.in) {
            K(take_lanes)(&tangents, g->poses, v, vector);
            K(dual_tangent)(&b, vector, moved);
            moved[3] = vector[3];
            K(give_lanes)(&tangents, v, moved);
        }
    }
    K(unit_lanes)(g, SKL_NORMALS);
    K(unit_lanes)(g, SKL_TANGENTS);
}
