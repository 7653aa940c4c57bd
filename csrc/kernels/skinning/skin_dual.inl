/* SPDX-License-Identifier: MIT */
/* Dual-quaternion skinning, several vertices or several poses side by side (L. Kavan et al., "Skinning with Dual
 * Quaternions", 2007, sections 3.4 and 4).
 *
 * A motion is q[8]: rotation w x y z, then half the translation times the rotation. Quaternions q and -q are the same
 * rotation but not in a sum: every influence takes the sign that is nearer to the pivot, the one of largest weight.
 * Residuals are what the joints' matrices do before the motion, minus the identity, and are 0 for most. */

/* Add weight * q to the sum, with the sign that is nearer to the pivot. */
SKL_INLINE void K(add_dual)(W(t) sum[8], const W(t) pivot[4], const W(t) q[8], W(t) weight) {
    W(t) near = W(mul)(pivot[0], q[0]);
    for (int n = 1; n < 4; n++) near = W(fma)(pivot[n], q[n], near);
    const W(t) signed_weight = W(select)(W(lt)(near, W(set1)(0)), W(neg)(weight), weight);
    for (int n = 0; n < 8; n++) sum[n] = W(fma)(signed_weight, q[n], sum[n]);
}

/* Square of the length of the rotation; 0 where the influences cancel each other, or a lane is idle. */
static inline W(t) K(dual_square)(const W(t) q[8]) {
    return W(fma)(q[3], q[3], W(fma)(q[2], q[2], W(fma)(q[1], q[1], W(mul)(q[0], q[0]))));
}

/* Where this is so, the sum says nothing. */
static inline W(m) K(dual_cancelled)(W(t) square) {
    return W(lt)(square, W(set1)(SKL_IS_F32 ? (real)1e-30 : (real)1e-280));
}

/* a x b + c */
SKL_INLINE void K(cross_plus)(const W(t) a[3], const W(t) b[3], const W(t) c[3], W(t) out[3]) {
    out[0] = W(fma)(a[1], b[2], W(fnma)(a[2], b[1], c[0]));
    out[1] = W(fma)(a[2], b[0], W(fnma)(a[0], b[2], c[1]));
    out[2] = W(fma)(a[0], b[1], W(fnma)(a[1], b[0], c[2]));
}

/* p + 2 / |q|^2 (r x (r x p + w p + d) + w d - e r) for q = (w, r), (e, d); `twice` is 2 / |q|^2. */
SKL_INLINE void K(move_dual)(const W(t) q[8], W(t) twice, const W(t) p[3], W(t) out[3]) {
    const W(t) *r = q + 1, *d = q + 5;
    W(t) inner[3], shift[3], turned[3];
    for (int k = 0; k < 3; k++) inner[k] = W(mul)(q[0], p[k]);
    K(cross_plus)(r, p, inner, inner);
    for (int k = 0; k < 3; k++) inner[k] = W(add)(inner[k], d[k]);
    for (int k = 0; k < 3; k++) shift[k] = W(fnma)(q[4], r[k], W(mul)(q[0], d[k]));
    K(cross_plus)(r, inner, shift, turned);
    for (int k = 0; k < 3; k++) out[k] = W(fma)(twice, turned[k], p[k]);
}

/* The rotation alone. */
SKL_INLINE void K(turn_dual)(const W(t) q[8], W(t) twice, const W(t) v[3], W(t) out[3]) {
    W(t) inner[3], turned[3];
    for (int k = 0; k < 3; k++) inner[k] = W(mul)(q[0], v[k]);
    K(cross_plus)(q + 1, v, inner, inner);
    turned[0] = W(fnma)(q[3], inner[1], W(mul)(q[2], inner[2]));
    turned[1] = W(fnma)(q[1], inner[2], W(mul)(q[3], inner[0]));
    turned[2] = W(fnma)(q[2], inner[0], W(mul)(q[1], inner[1]));
    for (int k = 0; k < 3; k++) out[k] = W(fma)(twice, turned[k], v[k]);
}

/* What moves a vertex: the motion, and before it the residual if any joint has one. */
typedef struct K(dual_blend) {
    W(t) q[8];
    W(t) twice; /* 2 / the square of the length of the rotation */
    int has_residual;
    W(m) rigid;       /* lanes without residual: what others have must not change a bit of theirs */
    W(t) residual[9]; /* minus the identity */
    W(t) matrix[12];  /* with it */
} K(dual_blend);

/* The motion is there: if the sum has no direction in some lane it becomes that of the pivot. */
SKL_INLINE void K(settle_motion)(K(dual_blend) * b, const W(t) pivot[8], W(m) cancelled) {
    for (int n = 0; n < 8; n++) b->q[n] = W(select)(cancelled, pivot[n], b->q[n]);
    b->twice = W(div)(W(set1)(2), K(dual_square)(b->q));
}

SKL_INLINE void K(settle_residual)(K(dual_blend) * b) {
    const W(t) zero = W(set1)(0);
    b->rigid = W(eq)(b->residual[0], zero);
    for (int n = 1; n < 9; n++) b->rigid = W (and)(b->rigid, W(eq)(b->residual[n], zero));
    for (int n = 0; n < 9; n++)
        b->matrix[4 * (n / 3) + n % 3] = n % 4 == 0 ? W(add)(W(set1)(1), b->residual[n]) : b->residual[n];
    for (int r = 0; r < 3; r++) b->matrix[4 * r + 3] = zero;
}

SKL_INLINE void K(dual_point)(const K(dual_blend) * b, const W(t) p[3], W(t) out[3]) {
    W(t) moved[3] = {p[0], p[1], p[2]};
    if (b->has_residual)
        for (int r = 0; r < 3; r++) moved[r] = W(select)(b->rigid, p[r], W(add)(p[r], K(dot3)(b->residual + 3 * r, p)));
    K(move_dual)(b->q, b->twice, moved, out);
}

SKL_INLINE void K(dual_normal)(const K(dual_blend) * b, const W(t) v[3], W(t) out[3]) {
    W(t) before[3] = {v[0], v[1], v[2]}, turned[3], sign = W(set1)(1);
    if (b->has_residual) {
        sign = W(select)(b->rigid, sign, K(cofactors_times)(b->matrix, v, before));
        for (int k = 0; k < 3; k++) before[k] = W(select)(b->rigid, v[k], before[k]);
    }
    K(turn_dual)(b->q, b->twice, before, turned);
    K(turn_direction)(turned, sign, out);
}

SKL_INLINE void K(dual_tangent)(const K(dual_blend) * b, const W(t) v[3], W(t) out[3]) {
    W(t) before[3] = {v[0], v[1], v[2]}, turned[3];
    if (b->has_residual)
        for (int r = 0; r < 3; r++) before[r] = W(select)(b->rigid, v[r], K(dot3)(b->matrix + 4 * r, v));
    K(turn_dual)(b->q, b->twice, before, turned);
    K(turn_direction)(turned, W(set1)(1), out);
}
