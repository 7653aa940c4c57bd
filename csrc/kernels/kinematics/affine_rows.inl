/* SPDX-License-Identifier: MIT */
/* Affine matrices of one pose as three rows of four numbers. */

/* The first three rows. */
typedef struct K(affine) {
    R(t) row[3];
} K(affine);

static inline K(affine) K(load_affine)(const char *at) {
    const real *m = (const real *)(const void *)at;
    return (K(affine)){{R(load)(m), R(load)(m + 4), R(load)(m + 8)}};
}

static inline void K(store_affine)(char *at, K(affine) a, int32_t rows) {
    real *m = (real *)(void *)at;
    for (int i = 0; i < 3; i++) R(store)(m + 4 * i, a.row[i]);
    if (rows == 4) {
        static const real last[4] = {0, 0, 0, 1};
        R(store)(m + 12, R(load)(last));
    }
}

/* left @ right, `left` still in memory: its numbers are needed one by one. The order of operations is that of
 * multiply_poses: the translation, then columns 0, 1, 2. */
static inline K(affine) K(multiply_affine)(const char *left, K(affine) right) {
    const real *m = (const real *)(const void *)left;
    K(affine) out;
    for (int i = 0; i < 3; i++) {
        R(t) sum = R(fma)(R(set1)(m[4 * i]), right.row[0], R(last)(R(load)(m + 4 * i)));
        sum = R(fma)(R(set1)(m[4 * i + 1]), right.row[1], sum);
        out.row[i] = R(fma)(R(set1)(m[4 * i + 2]), right.row[2], sum);
    }
    return out;
}

/* The same with `left` in registers. */
SKL_INLINE K(affine) K(multiply_rows)(K(affine) left, K(affine) right) {
    K(affine) out;
    for (int i = 0; i < 3; i++) {
        R(t) sum = R(fma)(R(splat)(left.row[i], 0), right.row[0], R(last)(left.row[i]));
        sum = R(fma)(R(splat)(left.row[i], 1), right.row[1], sum);
        out.row[i] = R(fma)(R(splat)(left.row[i], 2), right.row[2], sum);
    }
    return out;
}

/* out[j] = in[j] @ right[j]. */
static void K(multiply)(const skl_pose_block *b) {
    for (int64_t pose = 0; pose < b->count; pose++) {
        const char *left = b->in.at + pose * b->in.item, *right = (const char *)b->right;
        char *out = b->out.at + pose * b->out.item;
        for (int64_t j = 0; j < b->num_joints; j++) {
            const K(affine) m = K(load_affine)(right + j * 16 * (int64_t)sizeof(real));
            K(store_affine)(out + j * b->out.step, K(multiply_affine)(left + j * b->in.step, m), b->out_rows);
        }
    }
}
