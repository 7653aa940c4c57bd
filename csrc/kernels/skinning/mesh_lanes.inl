/* SPDX-License-Identifier: MIT */
/* Linear blend skinning of several poses with normals or tangents. */

static void K(mesh_lanes)(const skl_skin_group *g) {
    if (g->influences == 0) {
        K(keep_lanes)(g);
        return;
    }
    const skl_skin_stream points = g->stream[SKL_POINTS], normals = g->stream[SKL_NORMALS],
                          tangents = g->stream[SKL_TANGENTS];
    const real *packed = (const real *)g->packed, *weights = (const real *)g->weights;
    const uint16_t *joints = g->joints;
    const int64_t influences = g->influences;
    for (int64_t i = 0; i < g->count; i++, joints += influences, weights += influences) {
        const int64_t v = g->order[i];
        W(t) m[12], vector[4], turned[4];
        turned[3] = W(set1)(0);
        const real *from = packed + joints[0] * (int64_t)(12 * W(LANES));
        W(t) weight = W(set1)(weights[0]);
        for (int n = 0; n < 12; n++) m[n] = W(mul)(weight, W(load)(from + n * W(LANES)));
        for (int64_t k = 1; k < influences; k++) {
            from = packed + joints[k] * (int64_t)(12 * W(LANES));
            weight = W(set1)(weights[k]);
            for (int n = 0; n < 12; n++) m[n] = W(fma)(weight, W(load)(from + n * W(LANES)), m[n]);
        }
        if (points.in) {
            K(take_lanes)(&points, g->poses, v, vector);
            for (int r = 0; r < 3; r++) turned[r] = K(move_number)(m + 4 * r, vector);
            K(give_lanes)(&points, v, turned);
        }
        if (normals.in) {
            K(take_lanes)(&normals, g->poses, v, vector);
            K(turn_normal)(m, vector, turned);
            K(give_lanes)(&normals, v, turned);
        }
        if (tangents.in) {
            K(take_lanes)(&tangents, g->poses, v, vector);
            K(turn_tangent)(m, vector, turned);
            turned[3] = vector[3];
            K(give_lanes)(&tangents, v, turned);
        }
    }
    K(unit_lanes)(g, SKL_NORMALS);
    K(unit_lanes)(g, SKL_TANGENTS);
}
