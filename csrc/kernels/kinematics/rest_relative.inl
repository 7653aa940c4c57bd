/* SPDX-License-Identifier: MIT */
/* Absolute rotations and translations by recursion over the parents. Lanes are poses; one pose uses one lane. */

/* A joint's total rotation and its translation; scratch has the shape [joint][7][LANES]. */
typedef struct K(total) {
    W(t) q[4], t[3];
} K(total);

/* What `q`, of unit length, does to `v`. */
SKL_INLINE void K(turn)(const W(t) * q, const W(t) * v, W(t) * out) {
    const W(t) in[7] = {q[0], q[1], q[2], q[3], v[0], v[1], v[2]};
    (void)K(rotate_lanes)(in, out);
}

/* `own` holds the joint's rotation and becomes its total. */
SKL_INLINE void K(below_parent)(const K(total) * parent, const W(t) x[3], int rest_axes, K(total) * own) {
    const W(t) *first = rest_axes ? own->q : parent->q, *then = rest_axes ? parent->q : own->q;
    const W(t) in[8] = {then[0], then[1], then[2], then[3], first[0], first[1], first[2], first[3]};
    W(t) carried[3], turned[3], product[4];
    (void)K(multiply_quaternions_lanes)(in, product);
    for (int i = 0; i < 4; i++) own->q[i] = product[i];
    K(turn)(parent->q, x, carried);
    K(turn)(own->q, x, turned);
    for (int i = 0; i < 3; i++) own->t[i] = W(add)(W(sub)(carried[i], turned[i]), parent->t[i]);
}

static void K(rest_relative_tile)(const skl_rest_relative_block *b, int64_t pose, int n) {
    const W(t) none = W(set1)(0);
    const K(total) still = {{W(set1)(1), none, none, none}, {none, none, none}};
    const char *rotations = b->rotations.at + pose * b->rotations.item;
    char *out_q = b->out_rotations.at + pose * b->out_rotations.item;
    char *out_t = b->out_translations.at + pose * b->out_translations.item;
    real *scratch = (real *)b->scratch;
    for (int64_t j = 0; j < b->num_joints; j++) {
        const int64_t parent = b->parents[j];
        K(total) above = still, own;
        if (parent >= 0) {
            const real *at = scratch + parent * 7 * W(LANES);
            for (int i = 0; i < 4; i++) above.q[i] = W(load)(at + i * W(LANES));
            for (int i = 0; i < 3; i++) above.t[i] = W(load)(at + (4 + i) * W(LANES));
        }
        W(t) q[4], x[3];
        W(load4)(rotations + j * b->rotations.step, b->rotations.item, n, q);
        if (n < W(LANES)) q[0] = W(select)(K(lanes_below)(n), q[0], W(set1)(1));
        for (int i = 0; i < 4; i++) own.q[i] = q[i];
        for (int i = 0; i < 3; i++) x[i] = W(set1)((real)b->rest_global[16 * j + 4 * i + 3]);
        K(below_parent)(&above, x, b->rest_axes, &own);
        real *to = scratch + j * 7 * W(LANES);
        for (int i = 0; i < 4; i++) W(store)(to + i * W(LANES), own.q[i]);
        for (int i = 0; i < 3; i++) W(store)(to + (4 + i) * W(LANES), own.t[i]);
        W(store4)(out_q + j * b->out_rotations.step, b->out_rotations.item, n, own.q);
        W(store3)(out_t + j * b->out_translations.step, b->out_translations.item, n, own.t);
    }
}

static void K(rest_relative)(const skl_rest_relative_block *b) {
    for (int64_t pose = 0; pose < b->count; pose += W(LANES)) {
        const int64_t left = b->count - pose;
        K(rest_relative_tile)(b, pose, left < W(LANES) ? (int)left : W(LANES));
    }
}
