/* SPDX-License-Identifier: MIT */
/* What a blended matrix does with normals and tangents, once for both layouts.
 *
 * A normal goes through the inverse transpose, which is the matrix of cofactors divided by the determinant: of the
 * latter only the sign matters, since normals get length 1. Matrices are m[12], rows 0 .. 2 of four numbers each. */

static inline W(t) K(largest3)(const W(t) v[3]) { return W(max)(W(max)(W(abs)(v[0]), W(abs)(v[1])), W(abs)(v[2])); }

/* Squares of lengths outside of this range may have lost digits. */
#if SKL_IS_F32
#define SKL_SMALL_SQUARE 1e-30f
#define SKL_LARGE_SQUARE 1e30f
#else
#define SKL_SMALL_SQUARE 1e-280
#define SKL_LARGE_SQUARE 1e280
#endif

static inline W(m) K(fair_square)(W(t) square) {
    return W (and)(W(le)(W(set1)((real)SKL_SMALL_SQUARE), square), W(le)(square, W(set1)((real)SKL_LARGE_SQUARE)));
}

/* v / largest, where that is not 0. */
static inline void K(shrink)(W(t) * v, int count, W(t) largest) {
    const W(t) by = W(select)(W(lt)(W(set1)(0), largest), largest, W(set1)(1));
    for (int i = 0; i < count; i++) v[i] = W(div)(v[i], by);
}

/* v, with the sign of `sign`, at length 1; 0 0 0 stays. Of any size, and so not for every vertex. */
static void K(unit_of_any)(const W(t) v[3], W(t) sign, W(t) out[3]) {
    for (int k = 0; k < 3; k++) out[k] = v[k];
    K(shrink)(out, 3, K(largest3)(v));
    const W(t) square = K(dot3)(out, out);
    const W(t) length = W(copysign)(W(sqrt)(square), sign);
    const W(m) none = W(eq)(square, W(set1)(0));
    for (int k = 0; k < 3; k++) out[k] = W(select)(none, W(set1)(0), W(div)(out[k], length));
}

/* a x b, written out: compilers leave loops over it rolled. */
SKL_INLINE void K(cross_of)(const W(t) * a, const W(t) * b, W(t) * out) {
    out[0] = W(fnma)(a[2], b[1], W(mul)(a[1], b[2]));
    out[1] = W(fnma)(a[0], b[2], W(mul)(a[2], b[0]));
    out[2] = W(fnma)(a[1], b[0], W(mul)(a[0], b[1]));
}

/* The cofactors of m times n; returns the determinant. */
SKL_INLINE W(t) K(cofactors_times)(const W(t) m[12], const W(t) n[3], W(t) out[3]) {
    W(t) c[3];
    K(cross_of)(m + 4, m + 8, c);
    out[0] = K(dot3)(c, n);
    const W(t) determinant = K(dot3)(c, m);
    K(cross_of)(m + 8, m, c);
    out[1] = K(dot3)(c, n);
    K(cross_of)(m, m + 4, c);
    out[2] = K(dot3)(c, n);
    return determinant;
}

static inline W(t) K(largest_of_matrix)(const W(t) m[12]) {
    return W(max)(W(max)(K(largest3)(m), K(largest3)(m + 4)), K(largest3)(m + 8));
}

/* The normal n after m, whatever the sizes. */
static void K(normal_of_any)(const W(t) m[12], const W(t) n[3], W(t) out[3]) {
    W(t) scaled[12], direction[3], turned[3];
    for (int i = 0; i < 12; i++) scaled[i] = m[i];
    for (int i = 0; i < 3; i++) direction[i] = n[i];
    K(shrink)(scaled, 12, K(largest_of_matrix)(m));
    K(shrink)(direction, 3, K(largest3)(n));
    const W(t) determinant = K(cofactors_times)(scaled, direction, turned);
    K(unit_of_any)(turned, determinant, out);
}

/* Directions that unit_direction makes right: of the sign of `sign`; where their size is not fair at length 1 already,
 * or 0 0 0, or not a number. */
SKL_INLINE void K(signed_direction)(W(t) sign, W(t) v[3]) {
    const W(t) one = W(copysign)(W(set1)(1), sign);
    for (int k = 0; k < 3; k++) v[k] = W(mul)(v[k], one);
}

/* The direction of the normal n after m. */
SKL_INLINE void K(turn_normal)(const W(t) m[12], const W(t) n[3], W(t) out[3]) {
    const W(t) determinant = K(cofactors_times)(m, n, out);
    const W(m) fair = K(fair_square)(K(dot3)(out, out));
    K(signed_direction)(determinant, out);
    if (W(all)(fair)) return;
    W(t) rare[3];
    K(normal_of_any)(m, n, rare);
    for (int k = 0; k < 3; k++) out[k] = W(select)(fair, out[k], rare[k]);
}

/* The direction of v with the sign of `sign`. */
SKL_INLINE void K(turn_direction)(const W(t) v[3], W(t) sign, W(t) out[3]) {
    const W(m) fair = K(fair_square)(K(dot3)(v, v));
    for (int k = 0; k < 3; k++) out[k] = v[k];
    K(signed_direction)(sign, out);
    if (W(all)(fair)) return;
    W(t) rare[3];
    K(unit_of_any)(v, sign, rare);
    for (int k = 0; k < 3; k++) out[k] = W(select)(fair, out[k], rare[k]);
}

/* The direction of the tangent t after m. */
SKL_INLINE void K(turn_tangent)(const W(t) m[12], const W(t) t[3], W(t) out[3]) {
    W(t) turned[3];
    for (int r = 0; r < 3; r++) turned[r] = K(dot3)(m + 4 * r, t);
    K(turn_direction)(turned, W(set1)(1), out);
}

/* A direction at length 1; see signed_direction. */
SKL_INLINE void K(unit_direction)(W(t) v[3]) {
    const W(t) square = K(dot3)(v, v);
    const W(m) fair = K(fair_square)(square);
    const W(t) factor = W(select)(fair, W(div)(W(set1)(1), W(sqrt)(square)), W(set1)(1));
    for (int k = 0; k < 3; k++) v[k] = W(mul)(v[k], factor);
}
#undef SKL_SMALL_SQUARE
#undef SKL_LARGE_SQUARE
