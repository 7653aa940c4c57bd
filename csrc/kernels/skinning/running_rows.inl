/* SPDX-License-Identifier: MIT */
/* Dual-quaternion skinning of one pose where each influence takes the sign that is nearer to the sum so far, so that
 * the order of influences matters. Vertices are side by side. */

/* rows of m times (v, 1) */
SKL_INLINE void K(affine_of)(const real *m, const W(t) v[3], W(t) out[3]) {
    W(t) result[3];
    for (int r = 0; r < 3; r++)
        result[r] = W(fma)(W(set1)(m[4 * r + 2]), v[2],
                           W(fma)(W(set1)(m[4 * r + 1]), v[1], W(fma)(W(set1)(m[4 * r]), v[0], W(set1)(m[4 * r + 3]))));
    for (int r = 0; r < 3; r++) out[r] = result[r];
}

/* What the running sums are made of. */
typedef struct K(running) {
    W(t) q[8];
    W(t) point[3];  /* before the motion; in armature space */
    W(t) scaled[3]; /* what blended scales add to it */
} K(running);

/* What an influence's scale does to the point: into the sum or, as a displacement, into the motion. */
SKL_INLINE void K(run_scale)(const skl_running_group *r, int64_t first, int n, int64_t influences, int64_t k,
                             W(t) weight, W(t) q[8], K(running) * sum) {
    const skl_skin_group *g = &r->group;
    const real *scales = (const real *)r->scales;
    W(t) part[4];
    if (r->blend_scales) {
        for (int row = 0; row < 3; row++) {
            K(collect_joints)(scales, 12, g->joints + k, influences, first, n, 4 * row, part);
            const W(t) moved =
                W(fma)(part[0], sum->point[0], W(fma)(part[1], sum->point[1], W(fma)(part[2], sum->point[2], part[3])));
            sum->scaled[row] = W(fma)(weight, moved, sum->scaled[row]);
        }
    } else {
        for (int column = 0; column < 3; column++) {
            K(collect_joints)(scales, 12, g->joints + k, influences, first, n, 4 * column, part);
            for (int i = 0; i < 4; i++) q[4 + i] = W(fma)(part[i], sum->point[column], q[4 + i]);
        }
    }
}

SKL_INLINE void K(run_influence)(const skl_running_group *r, int64_t first, int n, int64_t influences, int64_t k,
                                 W(t) weight, K(running) * sum) {
    const skl_skin_group *g = &r->group;
    W(t) q[8];
    K(collect_joints)((const real *)g->packed, 8, g->joints + k, influences, first, n, 0, q);
    K(collect_joints)((const real *)g->packed, 8, g->joints + k, influences, first, n, 4, q + 4);
    if (r->scales) K(run_scale)(r, first, n, influences, k, weight, q, sum);
    K(add_dual)(sum->q, sum->q, q, weight);
}

SKL_INLINE void K(running_chunk)(const skl_running_group *r, int64_t first, int n, int64_t influences) {
    const skl_skin_group *g = &r->group;
    const skl_skin_stream points = g->stream[SKL_POINTS];
    K(running) sum;
    W(t) weights[4], vector[4];
    K(take_rows)(&points, g->order, first, n, vector);
    for (int i = 0; i < 3; i++) sum.point[i] = vector[i];
    if (r->into) K(affine_of)((const real *)r->into, vector, sum.point);
    for (int i = 0; i < 8; i++) sum.q[i] = W(set1)(0);
    for (int i = 0; i < 3; i++) sum.scaled[i] = W(set1)(0);
    for (int64_t k = 0; k < influences; k += 4) {
        K(collect_weights)((const real *)g->weights, influences, first, n, k, weights);
        K(run_influence)(r, first, n, influences, k, weights[0], &sum);
        if (k + 1 < influences) K(run_influence)(r, first, n, influences, k + 1, weights[1], &sum);
        if (k + 2 < influences) K(run_influence)(r, first, n, influences, k + 2, weights[2], &sum);
        if (k + 3 < influences) K(run_influence)(r, first, n, influences, k + 3, weights[3], &sum);
    }
    for (int i = 0; i < 3; i++) sum.point[i] = W(add)(sum.point[i], sum.scaled[i]);
    K(move_dual)(sum.q, W(div)(W(set1)(2), K(dual_square)(sum.q)), sum.point, vector);
    if (r->back) K(affine_of)((const real *)r->back, vector, vector);
    vector[3] = W(set1)(0);
    K(give_rows)(&points, g->order, first, n, vector);
}

/* The last chunk, with fewer vertices. */
static void K(running_last)(const skl_running_group *r, int64_t first) {
    K(running_chunk)(r, first, (int)(r->group.count - first), r->group.influences);
}

SKL_INLINE void K(running_group)(const skl_running_group *r, int64_t influences) {
    int64_t first = 0;
    for (; first + W(LANES) <= r->group.count; first += W(LANES)) K(running_chunk)(r, first, W(LANES), influences);
    if (first < r->group.count) K(running_last)(r, first);
}

/* Nothing scaled is the common case; there the compiler should see so. */
SKL_INLINE void K(running_rigid)(const skl_running_group *r, int64_t influences) {
    skl_running_group rigid = *r;
    rigid.scales = NULL;
    K(running_group)(&rigid, influences);
}

static void K(running_rows)(const skl_running_group *r) {
    if (r->scales && r->group.influences > 0) {
        K(running_group)(r, r->group.influences);
        return;
    }
    switch (r->group.influences) {
    case 0:
        K(keep_rows)(&r->group);
        return;
    case 1:
        K(running_rigid)(r, 1);
        return;
    case 2:
        K(running_rigid)(r, 2);
        return;
    case 3:
        K(running_rigid)(r, 3);
        return;
    case 4:
        K(running_rigid)(r, 4);
        return;
    default:
        K(running_rigid)(r, r->group.influences);
        return;
    }
}
