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

static void K(skin_points)(const skl_skin_block *b) {
    const real *weights = (const real *)b->weights, *packed = (const real *)b->packed;
    const char *from = b->points;
    char *to = b->out;
    int64_t k = b->offsets[b->first];
    for (int64_t v = b->first; v < b->first + b->count; v++, from += b->points_step, to += b->out_step) {
        const real *point = (const real *)(const void *)from;
        real *out = (real *)(void *)to;
        const int64_t end = b->offsets[v + 1];
        if (k == end) { /* no influence: the vertex stays where it is */
            for (int i = 0; i < 3; i++) out[i] = point[i];
            continue;
        }
        const real *m = packed + 16 * (int64_t)b->joints[k];
        R(t) w = R(set1)(weights[k]);
        R(t) x = R(mul)(w, R(load)(m)), y = R(mul)(w, R(load)(m + 4));
        R(t) z = R(mul)(w, R(load)(m + 8)), t = R(mul)(w, R(load)(m + 12));
        while (++k < end) {
            m = packed + 16 * (int64_t)b->joints[k];
            w = R(set1)(weights[k]);
            x = R(fma)(w, R(load)(m), x);
            y = R(fma)(w, R(load)(m + 4), y);
            z = R(fma)(w, R(load)(m + 8), z);
            t = R(fma)(w, R(load)(m + 12), t);
        }
        R(t) sum = R(mul)(x, R(set1)(point[0]));
        sum = R(fma)(y, R(set1)(point[1]), sum);
        sum = R(fma)(z, R(set1)(point[2]), sum);
        R(store3)(out, R(add)(sum, t));
    }
}
