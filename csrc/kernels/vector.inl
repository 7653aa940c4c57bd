/* SPDX-License-Identifier: MIT */
/* Vectors of three and quaternions of wide doubles.
 *
 * v3: load3 store3 select3 · add3 sub3 scale3 dot3 cross3 length3 unit3 · across across_unit any_across
 * quat (w, v): load4 store4 select4 · multiply4 conjugate4 unit4 rotate3 · turn_about shortest_arc
 * numbers: smoothstep */
#ifndef SKL_VECTOR_INL
#define SKL_VECTOR_INL

typedef w64_t wide;

typedef struct v3 {
    wide x, y, z;
} v3;

typedef struct quat {
    wide w;
    v3 v;
} quat;

static inline v3 load3(const skl_two_bone_row *rows, int i) {
    return (v3){w64_load(rows[0] + i), w64_load(rows[1] + i), w64_load(rows[2] + i)};
}

static inline void store3(skl_two_bone_row *rows, int i, v3 a) {
    w64_store(rows[0] + i, a.x);
    w64_store(rows[1] + i, a.y);
    w64_store(rows[2] + i, a.z);
}

static inline v3 select3(w64_m m, v3 a, v3 b) {
    return (v3){w64_select(m, a.x, b.x), w64_select(m, a.y, b.y), w64_select(m, a.z, b.z)};
}

static inline v3 add3(v3 a, v3 b) { return (v3){w64_add(a.x, b.x), w64_add(a.y, b.y), w64_add(a.z, b.z)}; }
static inline v3 sub3(v3 a, v3 b) { return (v3){w64_sub(a.x, b.x), w64_sub(a.y, b.y), w64_sub(a.z, b.z)}; }
static inline v3 scale3(v3 a, wide s) { return (v3){w64_mul(a.x, s), w64_mul(a.y, s), w64_mul(a.z, s)}; }

static inline wide dot3(v3 a, v3 b) { return w64_fma(a.x, b.x, w64_fma(a.y, b.y, w64_mul(a.z, b.z))); }

static inline v3 cross3(v3 a, v3 b) {
    return (v3){w64_sub(w64_mul(a.y, b.z), w64_mul(a.z, b.y)), w64_sub(w64_mul(a.z, b.x), w64_mul(a.x, b.z)),
                w64_sub(w64_mul(a.x, b.y), w64_mul(a.y, b.x))};
}

static inline wide length3(v3 a) { return w64_sqrt(dot3(a, a)); }

/* At length 1; the zero vector stays. */
static inline v3 unit3(v3 a) {
    const wide size = length3(a);
    return scale3(a, w64_div(w64_set1(1.0), w64_select(w64_lt(w64_set1(0.0), size), size, w64_set1(1.0))));
}

/* The part of `a` at right angles to the unit vector `axis`. */
static inline v3 across(v3 a, v3 axis) { return sub3(a, scale3(axis, dot3(a, axis))); }

/* Its direction; made perpendicular twice, since the first time may leave only rounding. */
static inline v3 across_unit(v3 a, v3 axis) { return unit3(across(unit3(across(a, axis)), axis)); }

/* A unit vector across `axis`, always the same one. */
static inline v3 any_across(v3 axis) {
    const wide zero = w64_set1(0.0), one = w64_set1(1.0);
    const wide x = w64_abs(axis.x), y = w64_abs(axis.y), z = w64_abs(axis.z);
    const w64_m use_x = w64_and(w64_le(x, y), w64_le(x, z)), use_y = w64_le(y, z);
    const v3 e = {w64_select(use_x, one, zero), w64_select(use_x, zero, w64_select(use_y, one, zero)),
                  w64_select(use_x, zero, w64_select(use_y, zero, one))};
    return across_unit(e, axis);
}

/* From 0 at x <= 0 to 1 at x >= 1 with a continuous slope. */
static inline wide smoothstep(wide x) {
    x = w64_min(w64_max(x, w64_set1(0.0)), w64_set1(1.0));
    return w64_mul(w64_mul(x, x), w64_sub(w64_set1(3.0), w64_add(x, x)));
}

static inline quat load4(const skl_two_bone_row *rows, int i) {
    return (quat){w64_load(rows[0] + i), load3(rows + 1, i)};
}

static inline void store4(skl_two_bone_row *rows, int i, quat q) {
    w64_store(rows[0] + i, q.w);
    store3(rows + 1, i, q.v);
}

static inline quat select4(w64_m m, quat a, quat b) { return (quat){w64_select(m, a.w, b.w), select3(m, a.v, b.v)}; }

/* First q, then p. */
static inline quat multiply4(quat p, quat q) {
    const v3 v = add3(add3(scale3(q.v, p.w), scale3(p.v, q.w)), cross3(p.v, q.v));
    return (quat){w64_sub(w64_mul(p.w, q.w), dot3(p.v, q.v)), v};
}

static inline quat conjugate4(quat q) { return (quat){q.w, scale3(q.v, w64_set1(-1.0))}; }

static inline quat unit4(quat q) {
    const wide inverse = w64_div(w64_set1(1.0), w64_sqrt(w64_fma(q.w, q.w, dot3(q.v, q.v))));
    return (quat){w64_mul(q.w, inverse), scale3(q.v, inverse)};
}

static inline v3 rotate3(quat q, v3 a) {
    const v3 half = cross3(q.v, a), twice = add3(half, half);
    return add3(add3(a, scale3(twice, q.w)), cross3(q.v, twice));
}

/* The turn about a unit axis whose angle has this cosine and sine. Of the two halves, the larger is taken from its
 * square root and the other from the sine: the smaller root would have lost its digits. */
static inline quat turn_about(v3 axis, wide cosine, wide sine) {
    const wide root = w64_sqrt(w64_mul(w64_add(w64_set1(1.0), w64_abs(cosine)), w64_set1(0.5)));
    const wide other = w64_div(sine, w64_add(root, root));
    const w64_m small = w64_le(w64_set1(0.0), cosine);
    const wide s = w64_select(small, other, w64_copysign(root, sine));
    return (quat){w64_select(small, root, w64_abs(other)), scale3(axis, s)};
}

/* The smallest turn from the unit vector `a` to `b`; `otherwise` is its axis where they are opposite. Beyond a right
 * angle the axis is made perpendicular to `a` once more: there the cross product is mostly rounding, and an axis that
 * leans would miss `b`. */
static inline quat shortest_arc(v3 a, v3 b, v3 otherwise) {
    const v3 normal = cross3(a, b);
    const wide sine = length3(normal), cosine = dot3(a, b);
    v3 axis = select3(w64_lt(w64_set1(1e-14), sine), unit3(normal), otherwise);
    axis = select3(w64_lt(cosine, w64_set1(0.0)), across_unit(axis, a), axis);
    return turn_about(axis, cosine, sine);
}

#endif
