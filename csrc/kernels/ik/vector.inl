/* SPDX-License-Identifier: MIT */
/* Vectors of three and quaternions of wide numbers. The names hold up to vector_end.inl.
 *
 * v3: row3 put3 select3 · add3 sub3 scale3 dot3 cross3 length3 unit3 almost_unit3 direction · across across_unit
 *     any_across
 * quat (w, v): put4 select4 · multiply4 unit4 rotate3 · turn_about shortest_arc between_frames
 * numbers: number smoothstep one_over */
#define wide W(t)
#define mask W(m)
#define v3 K(skl_v3)
#define quat K(skl_quat)
#define number(x) W(set1)((real)(x))
#define row3 K(skl_row3)
#define put3 K(skl_put3)
#define select3 K(skl_select3)
#define add3 K(skl_add3)
#define sub3 K(skl_sub3)
#define scale3 K(skl_scale3)
#define dot3 K(skl_dot3)
#define cross3 K(skl_cross3)
#define length3 K(skl_length3)
#define unit3 K(skl_unit3)
#define almost_unit3 K(skl_almost_unit3)
#define direction K(skl_direction)
#define across K(skl_across)
#define across_unit K(skl_across_unit)
#define any_across K(skl_any_across)
#define smoothstep K(skl_smoothstep)
#define one_over K(skl_one_over)
#define put4 K(skl_put4)
#define select4 K(skl_select4)
#define multiply4 K(skl_multiply4)
#define unit4 K(skl_unit4)
#define rotate3 K(skl_rotate3)
#define turn_about K(skl_turn_about)
#define shortest_arc K(skl_shortest_arc)
#define between_frames K(skl_between_frames)

typedef struct v3 {
    wide x, y, z;
} v3;

typedef struct quat {
    wide w;
    v3 v;
} quat;

SKL_INLINE v3 row3(real (*rows)[SKL_TWO_BONE_TILE], int i) {
    return (v3){W(load)(rows[0] + i), W(load)(rows[1] + i), W(load)(rows[2] + i)};
}

SKL_INLINE void put3(real (*rows)[SKL_TWO_BONE_TILE], int i, v3 a) {
    W(store)(rows[0] + i, a.x);
    W(store)(rows[1] + i, a.y);
    W(store)(rows[2] + i, a.z);
}

SKL_INLINE v3 select3(mask m, v3 a, v3 b) {
    return (v3){W(select)(m, a.x, b.x), W(select)(m, a.y, b.y), W(select)(m, a.z, b.z)};
}

SKL_INLINE v3 add3(v3 a, v3 b) { return (v3){W(add)(a.x, b.x), W(add)(a.y, b.y), W(add)(a.z, b.z)}; }
SKL_INLINE v3 sub3(v3 a, v3 b) { return (v3){W(sub)(a.x, b.x), W(sub)(a.y, b.y), W(sub)(a.z, b.z)}; }
SKL_INLINE v3 scale3(v3 a, wide s) { return (v3){W(mul)(a.x, s), W(mul)(a.y, s), W(mul)(a.z, s)}; }

SKL_INLINE wide dot3(v3 a, v3 b) { return W(fma)(a.x, b.x, W(fma)(a.y, b.y, W(mul)(a.z, b.z))); }

SKL_INLINE v3 cross3(v3 a, v3 b) {
    return (v3){W(fnma)(a.z, b.y, W(mul)(a.y, b.z)), W(fnma)(a.x, b.z, W(mul)(a.z, b.x)),
                W(fnma)(a.y, b.x, W(mul)(a.x, b.y))};
}

SKL_INLINE wide length3(v3 a) { return W(sqrt)(dot3(a, a)); }

/* 1 / a for a length; not so large below the least one that has digits that a vector of no length would not stay that.
 */
SKL_INLINE wide one_over(wide a) { return W(div)(number(1), W(max)(a, number(SKL_IS_F32 ? 1e-18 : 1e-150))); }

/* At length 1; the zero vector stays. */
SKL_INLINE v3 unit3(v3 a) { return scale3(a, one_over(length3(a))); }

/* At length 1, of a vector whose length differs from it by rounding: a step of Newton's takes no root. */
SKL_INLINE v3 almost_unit3(v3 a) { return scale3(a, W(fnma)(number(0.5), dot3(a, a), number(1.5))); }

/* a / length(a), and `otherwise` where that length is not above `least`. */
SKL_INLINE v3 direction(v3 a, wide least, v3 otherwise) {
    const wide size = length3(a);
    return select3(W(lt)(least, size), scale3(a, one_over(size)), otherwise);
}

/* The part of `a` at right angles to the unit vector `axis`. */
SKL_INLINE v3 across(v3 a, v3 axis) {
    const wide along = dot3(a, axis);
    return (v3){W(fnma)(axis.x, along, a.x), W(fnma)(axis.y, along, a.y), W(fnma)(axis.z, along, a.z)};
}

/* Its direction; made perpendicular twice, since the first time may leave only rounding. */
SKL_INLINE v3 across_unit(v3 a, v3 axis) { return unit3(across(unit3(across(a, axis)), axis)); }

/* A unit vector across `axis`, always the same one. */
SKL_INLINE v3 any_across(v3 axis) {
    const wide zero = number(0), one = number(1);
    const wide x = W(abs)(axis.x), y = W(abs)(axis.y), z = W(abs)(axis.z);
    const mask use_x = W (and)(W(le)(x, y), W(le)(x, z)), use_y = W(le)(y, z);
    const v3 e = {W(select)(use_x, one, zero), W(select)(use_x, zero, W(select)(use_y, one, zero)),
                  W(select)(use_x, zero, W(select)(use_y, zero, one))};
    return across_unit(e, axis);
}

/* From 0 at x <= 0 to 1 at x >= 1 with a continuous slope. */
SKL_INLINE wide smoothstep(wide x) {
    x = W(min)(W(max)(x, number(0)), number(1));
    return W(mul)(W(mul)(x, x), W(sub)(number(3), W(add)(x, x)));
}

SKL_INLINE void put4(real (*rows)[SKL_TWO_BONE_TILE], int i, quat q) {
    W(store)(rows[0] + i, q.w);
    put3(rows + 1, i, q.v);
}

SKL_INLINE quat select4(mask m, quat a, quat b) { return (quat){W(select)(m, a.w, b.w), select3(m, a.v, b.v)}; }

/* First q, then p. */
SKL_INLINE quat multiply4(quat p, quat q) {
    const v3 v = add3(add3(scale3(q.v, p.w), scale3(p.v, q.w)), cross3(p.v, q.v));
    return (quat){W(sub)(W(mul)(p.w, q.w), dot3(p.v, q.v)), v};
}

SKL_INLINE quat unit4(quat q) {
    const wide inverse = one_over(W(sqrt)(W(fma)(q.w, q.w, dot3(q.v, q.v))));
    return (quat){W(mul)(q.w, inverse), scale3(q.v, inverse)};
}

SKL_INLINE v3 rotate3(quat q, v3 a) {
    const v3 half = cross3(q.v, a), twice = add3(half, half);
    return add3(add3(a, scale3(twice, q.w)), cross3(q.v, twice));
}

/* The turn about a unit axis whose angle has this cosine and sine. Of the two halves, the larger is taken from its
 * square root and the other from the sine: the smaller root would have lost its digits. */
SKL_INLINE quat turn_about(v3 axis, wide cosine, wide sine) {
    const wide root = W(sqrt)(W(mul)(W(add)(number(1), W(abs)(cosine)), number(0.5)));
    const wide other = W(div)(sine, W(add)(root, root));
    const mask small = W(le)(number(0), cosine);
    const wide s = W(select)(small, other, W(copysign)(root, sine));
    return (quat){W(select)(small, root, W(abs)(other)), scale3(axis, s)};
}

/* The smallest turn from the unit vector `a` to `b`; `otherwise` is its axis where they are opposite. Beyond a right
 * angle the axis is made perpendicular to `a` once more: there the cross product is mostly rounding, and an axis that
 * leans would miss `b`. A small turn is not dropped, however small. */
SKL_INLINE quat shortest_arc(v3 a, v3 b, v3 otherwise) {
    const v3 normal = cross3(a, b);
    const wide sine = length3(normal), cosine = dot3(a, b);
    const mask wide_turn = W(lt)(cosine, number(0));
    const wide noise = W(select)(wide_turn, number(SKL_IS_F32 ? 5e-7 : 1e-15), number(0));
    v3 axis = select3(W(lt)(noise, sine), unit3(normal), otherwise);
    axis = select3(wide_turn, across_unit(axis, a), axis);
    return turn_about(axis, cosine, sine);
}

/* The turn that takes the unit vectors e1, n1 to e2, n2, each pair at right angles. Its quaternion times four times its
 * own largest number is a row of sums of the matrix's entries: that row keeps its digits. */
SKL_INLINE quat between_frames(v3 e1, v3 n1, v3 e2, v3 n2) {
    const v3 b1 = cross3(e1, n1), b2 = cross3(e2, n2);
#define ENTRY(r, c) W(fma)(e2.r, e1.c, W(fma)(n2.r, n1.c, W(mul)(b2.r, b1.c)))
    const wide one = number(1), xx = ENTRY(x, x), yy = ENTRY(y, y), zz = ENTRY(z, z);
    const wide xy = ENTRY(x, y), yx = ENTRY(y, x), xz = ENTRY(x, z), zx = ENTRY(z, x), yz = ENTRY(y, z),
               zy = ENTRY(z, y);
#undef ENTRY
    const wide wx = W(sub)(zy, yz), wy = W(sub)(xz, zx), wz = W(sub)(yx, xy);
    const wide pxy = W(add)(xy, yx), pxz = W(add)(xz, zx), pyz = W(add)(yz, zy);
    const wide up = W(add)(one, xx), down = W(sub)(one, xx), sum = W(add)(yy, zz), difference = W(sub)(yy, zz);
    const mask first = W(le)(number(0), W(add)(xx, sum));
    const mask use_x = W (and)(W(le)(yy, xx), W(le)(zz, xx)), use_y = W(le)(zz, yy);
#define ROW(of_w, of_x, of_y, of_z) W(select)(first, of_w, W(select)(use_x, of_x, W(select)(use_y, of_y, of_z)))
    const quat q = {ROW(W(add)(up, sum), wx, wy, wz),
                    {ROW(wx, W(sub)(up, sum), pxy, pxz), ROW(wy, pxy, W(add)(down, difference), pyz),
                     ROW(wz, pxz, pyz, W(sub)(down, difference))}};
#undef ROW
    return unit4(q);
}
