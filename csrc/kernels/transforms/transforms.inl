/* SPDX-License-Identifier: MIT */
/* The maps over batches of transforms: `map` turns items into lanes, applies what a verb does to lanes, and turns the
 * result back; each verb is a function from lanes to lanes that returns the lanes that broke its rule. */

#ifndef SKL_NUMBER
/* An operand's item: `rows` rows of `width` numbers. A matrix that is written has a fourth row, 0 0 0 1. */
typedef struct skl_map_shape {
    int rows, width;
} skl_map_shape;

typedef struct skl_map_shapes {
    int inputs, outputs;
    skl_map_shape in[SKL_MAP_INPUTS], out[SKL_MAP_OUTPUTS];
} skl_map_shapes;

/* clang-format off */
#define SKL_NUMBER {1, 1}
#define SKL_VECTOR {1, 3}
#define SKL_QUATERNION {1, 4}
#define SKL_LINEAR {3, 3}
#define SKL_AFFINE {3, 4}
/* clang-format on */
#endif

#include "transforms_lanes.inl"

/* Most numbers that the items of all inputs, or of all outputs, have together. */
enum { K(MOST_LANES) = 36 };

typedef W(m) K(lane_fn)(const W(t) * in, W(t) * out);

SKL_INLINE void K(read_lanes)(const skl_map_operand *o, skl_map_shape s, int64_t i, int n, W(t) * lanes) {
    const char *at = o->at + i * o->step;
    for (int r = 0; r < s.rows; r++, at += o->row) {
        if (s.width == 4) W(load4)(at, o->step, n, lanes + 4 * r);
        if (s.width == 3) W(load3)(at, o->step, n, lanes + 3 * r);
        if (s.width == 1) W(load1)(at, o->step, n, lanes);
    }
}

SKL_INLINE void K(write_lanes)(const skl_map_operand *o, skl_map_shape s, int32_t out_rows, int64_t i, int n,
                               const W(t) * lanes) {
    char *at = o->at + i * o->step;
    for (int r = 0; r < s.rows; r++, at += o->row) {
        if (s.width == 4) W(store4)(at, o->step, n, lanes + 4 * r);
        if (s.width == 3) W(store3)(at, o->step, n, lanes + 3 * r);
        if (s.width == 1) W(store1)(at, o->step, n, lanes);
    }
    if (s.rows == 3 && s.width == 4 && out_rows == 4) {
        const W(t) zero = W(set1)(0), last[4] = {zero, zero, zero, W(set1)(1)};
        W(store4)(at, o->step, n, last);
    }
}

SKL_INLINE int K(map)(const skl_map_block *b, skl_map_shapes shapes, K(lane_fn) * verb) {
    static const real numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    W(t) in[K(MOST_LANES)], out[K(MOST_LANES)];
    W(m) bad = W(lt)(W(set1)(0), W(set1)(0));
    for (int k = 0; k < K(MOST_LANES); k++) in[k] = out[k] = W(set1)(0);
    /* One item for all is read once. */
    for (int o = 0, at = 0; o < shapes.inputs; at += shapes.in[o].rows * shapes.in[o].width, o++)
        if (b->in[o].step == 0) K(read_lanes)(&b->in[o], shapes.in[o], 0, W(LANES), in + at);
    for (int64_t i = 0; i < b->count; i += W(LANES)) {
        const int64_t left = b->count - i;
        const int n = left < W(LANES) ? (int)left : W(LANES);
        for (int o = 0, at = 0; o < shapes.inputs; at += shapes.in[o].rows * shapes.in[o].width, o++)
            if (b->in[o].step != 0) K(read_lanes)(&b->in[o], shapes.in[o], i, n, in + at);
        const W(m) broken = verb(in, out);
        bad = K(either)(bad, n == W(LANES) ? broken : K(both)(broken, W(lt)(W(load)(numbers), W(set1)((real)n))));
        if (b->check_only) continue;
        for (int o = 0, at = 0; o < shapes.outputs; at += shapes.out[o].rows * shapes.out[o].width, o++)
            K(write_lanes)(&b->out[o], shapes.out[o], b->out_rows, i, n, out + at);
    }
    return W(any)(bad);
}

SKL_INLINE W(m) K(never)(void) { return W(lt)(W(set1)(0), W(set1)(0)); }

/* --- matrices ---------------------------------------------------------------------------------------------------- */

SKL_INLINE W(m) K(compose_any)(const W(t) * t, const W(t) * rotation, const W(t) * scale, W(t) * out) {
    W(t) q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]}, square, r[9];
    W(m) bad = K(tame)(q, &square);
    if (scale) bad = K(either)(bad, K(endless)(scale, 3));
    K(rotation)(q, square, r);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = scale ? W(mul)(r[3 * i + k], scale[k]) : r[3 * i + k];
        out[4 * i + 3] = t[i];
    }
    return bad;
}

SKL_INLINE W(m) K(compose_lanes)(const W(t) * in, W(t) * out) { return K(compose_any)(in, in + 3, 0, out); }
SKL_INLINE W(m) K(compose_scaled_lanes)(const W(t) * in, W(t) * out) { return K(compose_any)(in, in + 3, in + 7, out); }

SKL_INLINE W(m) K(decompose_lanes)(const W(t) * in, W(t) * out) {
    W(t) m[9];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) m[3 * i + k] = in[4 * i + k];
        out[i] = in[4 * i + 3];
    }
    K(split_scale)(m, out + 7);
    K(quaternion_of)(m, out + 3);
    return K(never)();
}

SKL_INLINE W(m) K(decompose_shear_lanes)(const W(t) * in, W(t) * out) {
    W(t) m[9], r[9], scales[3];
    for (int i = 0; i < 9; i++) m[i] = in[i + i / 3];
    (void)K(decompose_lanes)(in, out);
    K(split_scale)(m, scales);
    K(rotation)(out + 3, K(square4)(out + 3), r);
    K(transposed_product3)(r, m, out + 10);
    return K(never)();
}

/* The inverse of the linear part by cofactors, divided by `columns` from the left; returns the determinant. */
SKL_INLINE W(t) K(invert_linear)(const W(t) * m, const W(t) * columns, W(t) * out) {
    W(t) cofactor[9];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            cofactor[3 * k + i] =
                W(sub)(W(mul)(m[3 * i1 + k1], m[3 * i2 + k2]), W(mul)(m[3 * i1 + k2], m[3 * i2 + k1]));
        }
    const W(t) determinant = W(fma)(m[6], cofactor[2], W(fma)(m[3], cofactor[1], W(mul)(m[0], cofactor[0])));
    const W(t) inverse = W(div)(W(set1)(1), determinant);
    for (int i = 0; i < 9; i++) {
        out[i] = W(mul)(cofactor[i], inverse);
        if (columns) out[i] = W(div)(out[i], columns[i / 3]);
    }
    return determinant;
}

/* The same where the determinant has left the range of the numbers: columns are brought to size 1 before. Returns the
 * lanes that are singular; what is not finite becomes not a number. */
static inline W(m) K(invert_out_of_range)(const W(t) * m, W(t) * out) {
    const W(t) none = W(set1)(0), one = W(set1)(1);
    W(t) columns[3], scaled[9];
    for (int k = 0; k < 3; k++) {
        const W(t) largest = W(max)(W(abs)(m[k]), W(max)(W(abs)(m[3 + k]), W(abs)(m[6 + k])));
        columns[k] = W(select)(W(lt)(none, largest), largest, one);
        for (int i = 0; i < 3; i++) scaled[3 * i + k] = W(div)(m[3 * i + k], columns[k]);
    }
    const W(t) determinant = K(invert_linear)(scaled, columns, out);
    const W(m) finite = W(le)(W(abs)(determinant), W(set1)(K(largest)));
    for (int i = 0; i < 9; i++) out[i] = W(select)(finite, out[i], W(set1)((real)NAN));
    return W(eq)(determinant, none);
}

/* The inverse of an affine matrix from that of its linear part. */
SKL_INLINE void K(move_back)(const W(t) * linear, const W(t) * m, W(t) * out) {
    const W(t) t[3] = {m[3], m[7], m[11]};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = linear[3 * i + k];
        out[4 * i + 3] = W(sub)(W(set1)(0), K(dot3)(linear + 3 * i, t));
    }
}

SKL_INLINE W(m) K(invert_lanes)(const W(t) * in, W(t) * out) {
    W(t) m[9], inverse[9], other[9];
    for (int i = 0; i < 9; i++) m[i] = in[i + i / 3];
    const W(t) size = W(abs)(K(invert_linear)(m, 0, inverse));
    const W(t) least = W(set1)(K(least_determinant)), most = W(set1)(K(most_determinant));
    const W(m) good = K(both)(W(lt)(least, size), W(lt)(size, most));
    W(m) bad = W(not)(good);
    if (W(any)(bad)) {
        bad = K(both)(bad, K(invert_out_of_range)(m, other));
        K(choose)(good, inverse, other, 9, inverse);
    }
    K(move_back)(inverse, in, out);
    return bad;
}

SKL_INLINE W(m) K(invert_rigid_lanes)(const W(t) * in, W(t) * out) {
    W(t) transposed[9];
    for (int i = 0; i < 9; i++) transposed[i] = in[4 * (i % 3) + i / 3];
    K(move_back)(transposed, in, out);
    return K(never)();
}

/* Of a rotation times a scale the columns stay perpendicular: each row of the inverse is a column over its square. The
 * columns are brought to size 1 before, so that no square leaves the range of the numbers. */
SKL_INLINE W(m) K(invert_trs_lanes)(const W(t) * in, W(t) * out) {
    const W(t) none = W(set1)(0);
    W(t) rows[9];
    W(m) bad = K(never)();
    for (int k = 0; k < 3; k++) {
        const W(t) column[3] = {in[k], in[4 + k], in[8 + k]};
        const W(t) largest = W(max)(W(abs)(column[0]), W(max)(W(abs)(column[1]), W(abs)(column[2])));
        for (int i = 0; i < 3; i++) rows[3 * k + i] = W(div)(column[i], largest);
        const W(t) size = W(mul)(K(dot3)(rows + 3 * k, rows + 3 * k), largest);
        for (int i = 0; i < 3; i++) rows[3 * k + i] = W(div)(rows[3 * k + i], size);
        const W(t) sum = W(add)(W(add)(W(abs)(column[0]), W(abs)(column[1])), W(abs)(column[2]));
        bad = K(either)(bad, W(eq)(sum, none)); /* `largest` may have lost what is not a number */
    }
    K(move_back)(rows, in, out);
    return bad;
}

SKL_INLINE W(m) K(multiply_lanes)(const W(t) * in, W(t) * out) {
    K(product34)(in, in + 12, out);
    return K(never)();
}

SKL_INLINE W(m) K(conjugate_lanes)(const W(t) * in, W(t) * out) {
    W(t) half[12];
    K(product34)(in, in + 12, half);
    K(product34)(half, in + 24, out);
    return K(never)();
}

SKL_INLINE W(m) K(transform_points_lanes)(const W(t) * m, W(t) * out) {
    const W(t) *p = m + 12;
    for (int i = 0; i < 3; i++) out[i] = W(add)(K(dot3)(m + 4 * i, p), m[4 * i + 3]);
    return K(never)();
}

#include "transforms_quaternion.inl"

#define SKL_MAP(name, ...)                                                                                             \
    static int K(map_##name)(const skl_map_block *b) {                                                                 \
        const skl_map_shapes shapes = __VA_ARGS__;                                                                     \
        return K(map)(b, shapes, K(name##_lanes));                                                                     \
    }
/* clang-format off */
SKL_MAP(compose, {2, 1, {SKL_VECTOR, SKL_QUATERNION}, {SKL_AFFINE}})
SKL_MAP(compose_scaled, {3, 1, {SKL_VECTOR, SKL_QUATERNION, SKL_VECTOR}, {SKL_AFFINE}})
SKL_MAP(decompose, {1, 3, {SKL_AFFINE}, {SKL_VECTOR, SKL_QUATERNION, SKL_VECTOR}})
SKL_MAP(decompose_shear, {1, 4, {SKL_AFFINE}, {SKL_VECTOR, SKL_QUATERNION, SKL_VECTOR, SKL_LINEAR}})
SKL_MAP(invert, {1, 1, {SKL_AFFINE}, {SKL_AFFINE}})
SKL_MAP(invert_rigid, {1, 1, {SKL_AFFINE}, {SKL_AFFINE}})
SKL_MAP(invert_trs, {1, 1, {SKL_AFFINE}, {SKL_AFFINE}})
SKL_MAP(multiply, {2, 1, {SKL_AFFINE, SKL_AFFINE}, {SKL_AFFINE}})
SKL_MAP(conjugate, {3, 1, {SKL_AFFINE, SKL_AFFINE, SKL_AFFINE}, {SKL_AFFINE}})
SKL_MAP(transform_points, {2, 1, {SKL_AFFINE, SKL_VECTOR}, {SKL_VECTOR}})
SKL_MAP(multiply_quaternions, {2, 1, {SKL_QUATERNION, SKL_QUATERNION}, {SKL_QUATERNION}})
SKL_MAP(rotate, {2, 1, {SKL_QUATERNION, SKL_VECTOR}, {SKL_VECTOR}})
SKL_MAP(between, {2, 1, {SKL_VECTOR, SKL_VECTOR}, {SKL_QUATERNION}})
SKL_MAP(slerp, {3, 1, {SKL_QUATERNION, SKL_QUATERNION, SKL_NUMBER}, {SKL_QUATERNION}})
SKL_MAP(from_matrix, {1, 1, {SKL_LINEAR}, {SKL_QUATERNION}})
SKL_MAP(to_matrix, {1, 1, {SKL_QUATERNION}, {SKL_LINEAR}})
SKL_MAP(from_axis_angle, {2, 1, {SKL_VECTOR, SKL_NUMBER}, {SKL_QUATERNION}})
SKL_MAP(to_axis_angle, {1, 2, {SKL_QUATERNION}, {SKL_VECTOR, SKL_NUMBER}})
SKL_MAP(from_rotation_vector, {1, 1, {SKL_VECTOR}, {SKL_QUATERNION}})
SKL_MAP(to_rotation_vector, {1, 1, {SKL_QUATERNION}, {SKL_VECTOR}})
SKL_MAP(swing_twist, {2, 2, {SKL_QUATERNION, SKL_VECTOR}, {SKL_QUATERNION, SKL_QUATERNION}})
SKL_MAP(from_euler_even, {3, 4, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}})
SKL_MAP(from_euler_odd, {3, 4, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}})
SKL_MAP(to_euler_even, {4, 3, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}})
SKL_MAP(to_euler_odd, {4, 3, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}, {SKL_NUMBER, SKL_NUMBER, SKL_NUMBER}})
/* clang-format on */
#undef SKL_MAP

#ifndef SKL_MAP_TABLE
#define SKL_MAP_TABLE(K_)                                                                                              \
    {[SKL_MAP_COMPOSE] = K_(map_compose),                                                                              \
     [SKL_MAP_COMPOSE_SCALED] = K_(map_compose_scaled),                                                                \
     [SKL_MAP_DECOMPOSE] = K_(map_decompose),                                                                          \
     [SKL_MAP_DECOMPOSE_SHEAR] = K_(map_decompose_shear),                                                              \
     [SKL_MAP_INVERT] = K_(map_invert),                                                                                \
     [SKL_MAP_INVERT_RIGID] = K_(map_invert_rigid),                                                                    \
     [SKL_MAP_INVERT_TRS] = K_(map_invert_trs),                                                                        \
     [SKL_MAP_MULTIPLY] = K_(map_multiply),                                                                            \
     [SKL_MAP_CONJUGATE] = K_(map_conjugate),                                                                          \
     [SKL_MAP_TRANSFORM_POINTS] = K_(map_transform_points),                                                            \
     [SKL_MAP_QUATERNION_MULTIPLY] = K_(map_multiply_quaternions),                                                     \
     [SKL_MAP_QUATERNION_ROTATE] = K_(map_rotate),                                                                     \
     [SKL_MAP_QUATERNION_BETWEEN] = K_(map_between),                                                                   \
     [SKL_MAP_QUATERNION_SLERP] = K_(map_slerp),                                                                       \
     [SKL_MAP_FROM_MATRIX] = K_(map_from_matrix),                                                                      \
     [SKL_MAP_TO_MATRIX] = K_(map_to_matrix),                                                                          \
     [SKL_MAP_FROM_AXIS_ANGLE] = K_(map_from_axis_angle),                                                              \
     [SKL_MAP_TO_AXIS_ANGLE] = K_(map_to_axis_angle),                                                                  \
     [SKL_MAP_FROM_ROTATION_VECTOR] = K_(map_from_rotation_vector),                                                    \
     [SKL_MAP_TO_ROTATION_VECTOR] = K_(map_to_rotation_vector),                                                        \
     [SKL_MAP_SWING_TWIST] = K_(map_swing_twist),                                                                      \
     [SKL_MAP_FROM_EULER_EVEN] = K_(map_from_euler_even),                                                              \
     [SKL_MAP_FROM_EULER_ODD] = K_(map_from_euler_odd),                                                                \
     [SKL_MAP_TO_EULER_EVEN] = K_(map_to_euler_even),                                                                  \
     [SKL_MAP_TO_EULER_ODD] = K_(map_to_euler_odd)}
#endif
