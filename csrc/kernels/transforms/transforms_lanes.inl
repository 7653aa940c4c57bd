/* SPDX-License-Identifier: MIT */
/* Vectors, quaternions and 3 x 3 matrices as arrays of wides, one number each: the algebra of the maps.
 *
 * dot cross length · unit tame (with a mask of the lanes that have no direction) · perpendicular
 * rotation (quaternion to 3 x 3) · quaternion_of (back) · split_scale · product3 product34 */

/* Between least_square and most_square a square has kept its digits and room is left above; scale_up and scale_down
 * bring any other vector there. Adding and subtracting round_shift rounds to a whole number. */
#if SKL_IS_F32
static const real K(least_square) = 1e-31F, K(most_square) = 2e37F, K(scale_up) = 0x1p100F, K(scale_down) = 0x1p-70F;
static const real K(largest) = FLT_MAX, K(epsilon) = FLT_EPSILON, K(round_shift) = 0x1.8p23F;
static const real K(least_determinant) = 1e-32F, K(most_determinant) = 1e32F;
#else
static const real K(least_square) = 1e-292, K(most_square) = 1e307, K(scale_up) = 0x1p600, K(scale_down) = 0x1p-600;
static const real K(largest) = DBL_MAX, K(epsilon) = DBL_EPSILON, K(round_shift) = 0x1.8p52;
static const real K(least_determinant) = 1e-300, K(most_determinant) = 1e300;
#endif

static inline W(m) K(both)(W(m) a, W(m) b) { return W (and)(a, b); }
static inline W(m) K(either)(W(m) a, W(m) b) { return W(or)(a, b); }

static inline W(t) K(dot3)(const W(t) * a, const W(t) * b) {
    return W(fma)(a[2], b[2], W(fma)(a[1], b[1], W(mul)(a[0], b[0])));
}

static inline W(t) K(square4)(const W(t) * q) { return W(fma)(q[3], q[3], K(dot3)(q, q)); }

static inline void K(cross3)(const W(t) * a, const W(t) * b, W(t) * out) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = W(sub)(W(mul)(a[j], b[k]), W(mul)(a[k], b[j]));
    }
}

static inline void K(scale_by)(W(t) * v, int n, W(t) factor) {
    for (int i = 0; i < n; i++) v[i] = W(mul)(v[i], factor);
}

static inline void K(choose)(W(m) mask, const W(t) * a, const W(t) * b, int n, W(t) * out) {
    for (int i = 0; i < n; i++) out[i] = W(select)(mask, a[i], b[i]);
}

static inline W(t) K(square)(const W(t) * v, int n) {
    W(t) sum = W(mul)(v[0], v[0]);
    for (int i = 1; i < n; i++) sum = W(fma)(v[i], v[i], sum);
    return sum;
}

/* A power of two, so that scaling rounds nothing, that brings a vector of this squared length into range: 1 where it is
 * there already. */
static inline W(t) K(range_scale)(W(t) square) {
    const W(t) up = W(set1)(K(scale_up));
    const W(t) down = W(set1)(K(scale_down));
    const W(m) small = W(le)(square, W(set1)(K(least_square))), fits = W(lt)(square, W(set1)(K(most_square)));
    return W(select)(small, up, W(select)(fits, W(set1)(1), down));
}

static inline W(m) K(in_range)(W(t) square) {
    return K(both)(W(lt)(W(set1)(K(least_square)), square), W(lt)(square, W(set1)(K(most_square))));
}

/* Divide a vector by its length; returns the lanes where it is zero or not finite. */
static inline W(m) K(unit)(W(t) * v, int n) {
    W(t) square = K(square)(v, n);
    if (!W(all)(K(in_range)(square))) {
        K(scale_by)(v, n, K(range_scale)(square));
        square = K(square)(v, n);
    }
    const W(m) good = K(both)(W(lt)(W(set1)(0), square), W(le)(square, W(set1)(K(largest))));
    K(scale_by)(v, n, W(div)(W(set1)(1), W(sqrt)(square)));
    return W(not)(good);
}

/* Bring a quaternion whose length is not about 1 to length 1; see tame. */
static W(m) K(tame_far)(W(t) * q, W(m) near, W(t) * square) {
    W(t) brought[4] = {q[0], q[1], q[2], q[3]};
    const W(m) bad = K(unit)(brought, 4);
    K(choose)(near, q, brought, 4, q);
    *square = K(square4)(q);
    return bad;
}

/* Leave a quaternion whose length is about 1 as it is, and bring any other one to length 1: its products then stay in
 * range. `square` is that of the result. Returns the lanes where it is zero or not finite. */
SKL_INLINE W(m) K(tame)(W(t) * q, W(t) * square) {
    const W(t) own = K(square4)(q);
    const W(m) near = K(both)(W(lt)(W(set1)((real)0.0625), own), W(lt)(own, W(set1)(16)));
    *square = own;
    if (W(all)(near)) return W(not)(near);
    W(t) far[5] = {q[0], q[1], q[2], q[3], own}; /* so that the address of what is in registers is not taken */
    const W(m) bad = K(tame_far)(far, near, far + 4);
    for (int i = 0; i < 4; i++) q[i] = far[i];
    *square = far[4];
    return bad;
}

/* The lanes where one of the numbers is not finite. */
SKL_INLINE W(m) K(endless)(const W(t) * numbers, int count) {
    W(t) sum = W(sub)(numbers[0], numbers[0]); /* 0 for every finite number, not for the others */
    for (int i = 1; i < count; i++) sum = W(add)(sum, W(sub)(numbers[i], numbers[i]));
    return W(not)(W(eq)(sum, W(set1)(0)));
}

/* A unit vector across the unit vector `u`, always the same for the same `u`. */
static inline void K(perpendicular)(const W(t) * u, W(t) * out) {
    const W(t) zero = W(set1)(0);
    const W(m) flat = W(lt)(W(abs)(u[0]), W(set1)((real)0.7)); /* far enough from X to stay in the plane across X */
    out[0] = W(select)(flat, zero, W(neg)(u[1]));
    out[1] = W(select)(flat, W(neg)(u[2]), u[0]);
    out[2] = W(select)(flat, u[1], zero);
    K(scale_by)(out, 3, W(div)(W(set1)(1), W(sqrt)(K(dot3)(out, out))));
}

/* The nine numbers of the rotation by a quaternion whose squared length is `square`. */
SKL_INLINE void K(rotation)(const W(t) * q, W(t) square, W(t) * r) {
    const W(t) one = W(set1)(1), s = W(div)(W(set1)(2), square);
    const W(t) x = W(mul)(q[1], s), y = W(mul)(q[2], s), z = W(mul)(q[3], s);
    const W(t) wx = W(mul)(q[0], x), wy = W(mul)(q[0], y), wz = W(mul)(q[0], z);
    r[0] = W(fnma)(q[2], y, W(fnma)(q[3], z, one));
    r[4] = W(fnma)(q[1], x, W(fnma)(q[3], z, one));
    r[8] = W(fnma)(q[1], x, W(fnma)(q[2], y, one));
    r[1] = W(sub)(W(mul)(q[1], y), wz);
    r[3] = W(fma)(q[1], y, wz);
    r[2] = W(fma)(q[1], z, wy);
    r[6] = W(sub)(W(mul)(q[1], z), wy);
    r[5] = W(sub)(W(mul)(q[2], z), wx);
    r[7] = W(fma)(q[2], z, wx);
}

/* The quaternion, w >= 0, of nine numbers with unit columns: of four equal formulas the one whose large component is
 * far from zero, after M. Day, "Converting a rotation matrix to a quaternion" (Insomniac Games, 2015). */
static inline void K(quaternion_of)(const W(t) * m, W(t) * q) {
    const W(t) one = W(set1)(1), zero = W(set1)(0);
    const W(t) x = W(sub)(m[7], m[5]), y = W(sub)(m[2], m[6]), z = W(sub)(m[3], m[1]);
    const W(t) xy = W(add)(m[1], m[3]), xz = W(add)(m[2], m[6]), yz = W(add)(m[5], m[7]);
    const W(t) up = W(add)(one, m[8]), down = W(sub)(one, m[8]);
    const W(t) sum = W(add)(m[0], m[4]), difference = W(sub)(m[0], m[4]);
    const W(t) by_w[4] = {W(add)(up, sum), x, y, z}, by_x[4] = {x, W(add)(down, difference), xy, xz};
    const W(t) by_y[4] = {y, xy, W(sub)(down, difference), yz}, by_z[4] = {z, xz, yz, W(sub)(up, sum)};
    const W(m) low = W(lt)(m[8], zero), first = W(lt)(zero, difference), back = W(lt)(sum, zero);
    for (int i = 0; i < 4; i++)
        q[i] = W(select)(low, W(select)(first, by_x[i], by_y[i]), W(select)(back, by_z[i], by_w[i]));
    const W(t) norm = W(sqrt)(K(square4)(q));
    K(scale_by)(q, 4, W(div)(W(select)(W(lt)(q[0], zero), W(set1)(-1), one), norm));
}

/* a x b at length 1; zero where they are parallel. */
static inline void K(across)(const W(t) * a, const W(t) * b, W(t) * out) {
    K(cross3)(a, b, out);
    const W(t) length = W(sqrt)(K(dot3)(out, out));
    const W(m) parallel = W(eq)(length, W(set1)(0));
    K(scale_by)(out, 3, W(div)(W(set1)(1), W(select)(parallel, W(set1)(1), length)));
}

/* Fill the columns marked `zero` so that the three are a rotation; three of them give the identity. */
static inline void K(complete)(W(t) c[3][3], const W(m) * zero) {
    const W(t) none = W(set1)(0), x_axis[3] = {W(set1)(1), none, none};
    W(t) known[3], other[3], product[3];
    const W(m) y_or_z = K(either)(zero[1], zero[2]), y_and_z = K(both)(zero[1], zero[2]);
    K(choose)(zero[2], x_axis, c[2], 3, known);
    K(choose)(zero[1], known, c[1], 3, known);
    K(perpendicular)(known, other);
    K(across)(c[1], c[2], product);
    K(choose)(y_or_z, other, product, 3, other);
    K(choose)(y_and_z, x_axis, other, 3, other);
    K(choose)(zero[0], other, c[0], 3, c[0]);
    K(perpendicular)(c[0], other);
    K(across)(c[2], c[0], product);
    K(choose)(zero[2], other, product, 3, other);
    K(choose)(zero[1], other, c[1], 3, c[1]);
    K(across)(c[0], c[1], product);
    K(choose)(zero[2], product, c[2], 3, c[2]);
}

/* Divide the columns of m by their lengths, which go to `scales`; where m mirrors, by their negated lengths. */
static inline void K(split_scale)(W(t) * m, W(t) * scales) {
    const W(t) one = W(set1)(1), none = W(set1)(0);
    W(t) c[3][3], normal[3];
    W(m) zero[3];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) c[k][i] = m[3 * i + k];
        W(t) square = K(dot3)(c[k], c[k]), back = one;
        if (!W(all)(K(in_range)(square))) {
            back = K(range_scale)(square);
            K(scale_by)(c[k], 3, back);
            square = K(dot3)(c[k], c[k]);
        }
        const W(t) length = W(sqrt)(square);
        zero[k] = W(eq)(length, none);
        K(scale_by)(c[k], 3, W(div)(one, W(select)(zero[k], one, length)));
        scales[k] = W(div)(length, back);
    }
    K(cross3)(c[1], c[2], normal);
    const W(t) sign = W(select)(W(lt)(K(dot3)(c[0], normal), none), W(set1)(-1), one);
    for (int k = 0; k < 3; k++) {
        K(scale_by)(c[k], 3, sign);
        scales[k] = W(mul)(scales[k], sign);
    }
    if (W(any)(K(either)(zero[0], K(either)(zero[1], zero[2])))) K(complete)(c, zero);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) m[3 * i + k] = c[k][i];
}

/* transpose(a) @ b. */
static inline void K(transposed_product3)(const W(t) * a, const W(t) * b, W(t) * out) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = W(fma)(a[6 + i], b[6 + k], W(fma)(a[3 + i], b[3 + k], W(mul)(a[i], b[k])));
}

/* a @ b of affine matrices. */
static inline void K(product34)(const W(t) * a, const W(t) * b, W(t) * out) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            const W(t) sum = W(fma)(a[4 * i + 1], b[4 + k], W(mul)(a[4 * i], b[k]));
            const W(t) whole = W(fma)(a[4 * i + 2], b[8 + k], sum);
            out[4 * i + k] = k == 3 ? W(add)(whole, a[4 * i + 3]) : whole;
        }
}
