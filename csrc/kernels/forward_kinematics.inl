/* SPDX-License-Identifier: MIT */
/* Forward kinematics and products of affine matrices, a row of four numbers at a time. */

/* The first three rows of an affine matrix. */
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

/* left @ right, `left` still in memory: its numbers are needed one by one. */
static inline K(affine) K(multiply_affine)(const char *left, K(affine) right) {
    const real *m = (const real *)(const void *)left;
    K(affine) out;
    for (int i = 0; i < 3; i++) {
        R(t) sum = R(mul)(R(set1)(m[4 * i]), right.row[0]);
        sum = R(fma)(R(set1)(m[4 * i + 1]), right.row[1], sum);
        sum = R(fma)(R(set1)(m[4 * i + 2]), right.row[2], sum);
        out.row[i] = R(add)(sum, R(last)(R(load)(m + 4 * i)));
    }
    return out;
}

static void K(forward_kinematics)(const skl_fk_block *b) {
    for (int64_t pose = 0; pose < b->count; pose++) {
        const char *local = b->local + pose * b->local_item;
        char *out = b->out + pose * b->out_item;
        for (int64_t j = 0; j < b->num_joints; j++) {
            const int64_t parent = b->parents[j];
            K(affine) m = K(load_affine)(local + j * b->local_step);
            if (parent >= 0) m = K(multiply_affine)(out + parent * b->out_step, m);
            K(store_affine)(out + j * b->out_step, m, b->out_rows);
        }
    }
}

/* Scale a quaternion so that its square neither overflows nor vanishes. Almost never needed. */
static inline void K(rescale_quaternion)(real q[4]) {
    real largest = 0;
    for (int i = 0; i < 4; i++) largest = (real)fmax(largest, fabs(q[i]));
    /* In two steps: the reciprocal of the smallest numbers is infinite. */
    int exponent;
    (void)frexp(largest, &exponent);
    for (int i = 0; i < 4; i++) q[i] = (real)ldexp(q[i], -exponent);
}

/* T R S from a quaternion of any length: with s = 2 / |q|^2 no square root is needed. */
static inline K(affine) K(affine_from_trs)(const real *rotation, const real *t, const real *scale) {
    const real small = SKL_IS_F32 ? (real)1e-30 : (real)1e-280, large = SKL_IS_F32 ? (real)1e30 : (real)1e280;
    real q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    real square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(square > small && square < large)) {
        K(rescale_quaternion)(q);
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    }
    const real s = (real)2 / square;
    const real w = q[0], x = q[1], y = q[2], z = q[3];
    const real sx = s * x, sy = s * y, sz = s * z;
    const real xx = sx * x, yy = sy * y, zz = sz * z;
    const real xy = sx * y, xz = sx * z, yz = sy * z;
    const real wx = sx * w, wy = sy * w, wz = sz * w;
    const real one = 1;
    K(affine)
    m = {{R(set)(one - (yy + zz), xy - wz, xz + wy, t[0]), R(set)(xy + wz, one - (xx + zz), yz - wx, t[1]),
          R(set)(xz - wy, yz + wx, one - (xx + yy), t[2])}};
    if (scale) {
        const R(t) factors = R(set)(scale[0], scale[1], scale[2], one);
        for (int i = 0; i < 3; i++) m.row[i] = R(mul)(m.row[i], factors);
    }
    return m;
}

static void K(forward_kinematics_trs)(const skl_fk_trs_block *b) {
    for (int64_t pose = 0; pose < b->count; pose++) {
        const char *rotations = b->rotations + pose * b->rotations_item;
        const char *translations = b->translations + pose * b->translations_item;
        const char *scales = b->scales ? b->scales + pose * b->scales_item : 0;
        char *out = b->out + pose * b->out_item;
        for (int64_t j = 0; j < b->num_joints; j++) {
            const int64_t parent = b->parents[j];
            K(affine)
            m = K(affine_from_trs)((const real *)(const void *)(rotations + j * b->rotations_step),
                                   (const real *)(const void *)(translations + j * b->translations_step),
                                   scales ? (const real *)(const void *)(scales + j * b->scales_step) : 0);
            if (parent >= 0) m = K(multiply_affine)(out + parent * b->out_step, m);
            K(store_affine)(out + j * b->out_step, m, b->out_rows);
        }
    }
}

static void K(multiply)(const skl_multiply_block *b) {
    for (int64_t pose = 0; pose < b->count; pose++) {
        const char *left = b->left + pose * b->left_item;
        char *out = b->out + pose * b->out_item;
        const char *right = (const char *)b->right;
        for (int64_t j = 0; j < b->num_joints; j++) {
            const K(affine) m = K(load_affine)(right + j * 16 * (int64_t)sizeof(real));
            K(store_affine)(out + j * b->out_step, K(multiply_affine)(left + j * b->left_step, m), b->out_rows);
        }
    }
}

/* A quaternion that has no direction: all zero, or not finite. */
static int64_t K(find_bad_quaternion)(const skl_quaternion_block *b) {
    for (int64_t i = 0; i < b->count; i++) {
        const real *q = (const real *)(const void *)(b->rotations + i * b->step);
        const real square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        if (square > 0 && square - square < 1) continue; /* finite: x - x is 0 for every finite x, not for the others */
        const real finite = (q[0] - q[0]) + (q[1] - q[1]) + (q[2] - q[2]) + (q[3] - q[3]);
        const int zero =
            !(q[0] < 0 || q[0] > 0 || q[1] < 0 || q[1] > 0 || q[2] < 0 || q[2] > 0 || q[3] < 0 || q[3] > 0);
        if (zero || !(finite >= 0)) return i;
    }
    return -1;
}
