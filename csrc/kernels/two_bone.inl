/* SPDX-License-Identifier: MIT */
/* Two bones in closed form, without trigonometry; lanes are problems. reference/two_bone.py says the same at length.
 *
 * Included once per instruction set: tiles are of double for both precisions. */
#ifndef SKL_TWO_BONE_INL
#define SKL_TWO_BONE_INL

#include "two_bone.h"
#include "vector.inl"

/* Sine of 15 degrees: nearer to the line to the target, a pole or a knee cannot tell a side. */
#define SKL_CONE 0.25881904510252074

typedef struct limb {
    v3 u, v, d;  /* bones, hip to target */
    wide l1, l2; /* lengths of the bones */
    v3 along;    /* direction of the upper bone */
    v3 line;     /* direction from hip to ankle */
    v3 n;        /* direction from hip to target */
    v3 side;     /* unit, across `line`: to where the limb bends now */
    wide told;   /* 0..1: how far the knee itself tells that */
    w64_m plane; /* the limb has a bend plane */
} limb;

/* u / length(u), and `otherwise` where that length is not above `least`. */
static inline v3 direction(v3 u, wide least, v3 otherwise) {
    const wide size = length3(u);
    const w64_m good = w64_lt(least, size);
    const wide inverse = w64_div(w64_set1(1.0), w64_select(good, size, w64_set1(1.0)));
    return select3(good, scale3(u, inverse), otherwise);
}

/* Lengths and directions; the bend side is not known yet. */
static inline limb load_limb(const skl_two_bone_tile *t, int i) {
    const wide zero = w64_set1(0.0);
    const v3 anything = {w64_set1(1.0), zero, zero};
    limb g;
    g.u = load3(t->u, i);
    g.v = load3(t->v, i);
    g.d = load3(t->d, i);
    g.l1 = length3(g.u);
    g.l2 = length3(g.v);
    const wide leg = w64_add(g.l1, g.l2);
    g.along = direction(g.u, zero, direction(g.v, zero, direction(g.d, zero, anything)));
    g.line = direction(add3(g.u, g.v), w64_mul(leg, w64_set1(1e-12)), g.along);
    g.n = direction(g.d, w64_mul(leg, w64_set1(1e-14)), g.line);
    g.side = anything;
    g.told = zero;
    g.plane = w64_lt(zero, zero);
    return g;
}

/* The side to which the limb bends now: from its own knee, else from `bend`, else a fixed one. */
static inline void find_side(limb *g, const skl_two_bone_tile *t, int i) {
    const wide one = w64_set1(1.0), few = w64_set1(0.1 * t->straight);
    const v3 normal = cross3(g->v, g->u);
    const wide product = w64_mul(g->l1, g->l2);
    const wide sine = w64_div(length3(normal), w64_select(w64_lt(w64_set1(0.0), product), product, one));
    const v3 own = across_unit(cross3(normal, g->line), g->line), fixed = any_across(g->line);
    const w64_m bent = w64_lt(few, sine);
    g->told = w64_select(bent, one, w64_set1(0.0));
    g->plane = bent;
    if (!t->has_bend) {
        g->side = select3(bent, own, fixed);
        return;
    }
    const v3 given = across(unit3(load3(t->bend, i)), g->line);
    const w64_m usable = w64_lt(w64_set1(1e-6), length3(given));
    const wide clear = smoothstep(w64_div(w64_sub(w64_div(sine, w64_set1(t->straight)), w64_set1(0.1)), w64_set1(0.9)));
    g->told = w64_select(usable, clear, g->told);
    g->plane = w64_or(usable, bent);
    const v3 other = select3(usable, unit3(given), fixed);
    const v3 mixed = add3(scale3(own, g->told), scale3(other, w64_sub(one, g->told)));
    g->side = across_unit(direction(mixed, w64_set1(0.0), other), g->line);
}

/* `m` carried by the smallest turn from the unit vector `start` to `n`; `m` is across `start`. */
static inline v3 swing(v3 m, v3 start, v3 n) {
    const wide along = w64_add(w64_set1(1.0), dot3(start, n));
    const w64_m good = w64_lt(w64_set1(1e-15), along);
    const wide share = w64_div(dot3(m, n), w64_select(good, along, w64_set1(1.0)));
    return sub3(m, scale3(add3(start, n), w64_select(good, share, w64_set1(0.0))));
}

/* The unit vector across `n` on whose side the knee goes: nearest to where the knee is, as long as that is clearly on
 * the side to which the limb bends; else that side, swung along. A pole overrides both, except near its own line. */
static inline v3 new_side(const limb *g, const skl_two_bone_tile *t, int i) {
    const wide one = w64_set1(1.0), cone = w64_set1(1.0 / SKL_CONE);
    v3 m = across_unit(swing(g->side, g->line, g->n), g->n);
    const v3 nearest = across(g->along, g->n);
    const wide w = w64_mul(g->told, smoothstep(w64_mul(dot3(nearest, m), cone)));
    m = across_unit(add3(scale3(unit3(nearest), w), scale3(m, w64_sub(one, w))), g->n);
    if (!t->has_pole) return m;
    const v3 pull = across(unit3(load3(t->pole, i)), g->n);
    const wide p = smoothstep(w64_mul(length3(pull), cone));
    const v3 blend = add3(scale3(unit3(pull), p), scale3(m, w64_sub(one, p)));
    return select3(w64_lt(w64_set1(1e-9), length3(blend)), across_unit(blend, g->n), m);
}

/* How far from the hip the end goes before the bones grow, and the factor by which they grow. */
static inline wide find_reach(const limb *g, const skl_two_bone_tile *t, int i, wide *factor) {
    const wide one = w64_set1(1.0), d = length3(g->d), full = w64_add(g->l1, g->l2);
    const wide soft = t->has_soft ? w64_load(t->soft + i) : w64_min(d, full);
    wide aim = w64_min(d, soft);
    *factor = one;
    if (t->has_stretch) {
        const wide least = w64_min(soft, w64_mul(w64_load(t->start + i), full)), most = w64_load(t->stretch + i);
        const w64_m grows = w64_and(w64_lt(w64_set1(0.0), least), w64_lt(least, d));
        const wide ratio = w64_div(d, w64_select(grows, least, one));
        *factor = w64_select(grows, w64_min(ratio, most), one);
        /* Not d / ratio: a limb that grows while it is straight stays exactly that. */
        aim = w64_select(grows, w64_select(w64_le(ratio, most), least, w64_min(w64_div(d, most), soft)), aim);
    }
    return w64_max(aim, w64_abs(w64_sub(g->l1, g->l2)));
}

/* The triangle's sides along `n` (x upper, y lower bone) and across (r). The law of cosines is written for the shorter
 * bone: its own errors then are as short as it is, whichever of the two is tiny. Heron's formula in factors makes a
 * straight or folded limb exactly that. */
static inline void triangle(wide distance, wide l1, wide l2, wide *x, wide *y, wide *r) {
    const wide zero = w64_set1(0.0), half = w64_set1(0.5), shorter = w64_min(l1, l2), longer = w64_max(l1, l2);
    const wide full = w64_add(shorter, longer), least = w64_sub(longer, shorter);
    const w64_m apart = w64_lt(zero, distance);
    const wide inverse = w64_div(w64_set1(1.0), w64_select(apart, distance, w64_set1(1.0)));
    const wide quotient = w64_select(apart, w64_mul(w64_mul(least, full), inverse), zero);
    wide part = w64_mul(w64_sub(distance, quotient), half);
    part = w64_min(w64_max(part, w64_neg(shorter)), shorter);
    const wide outer = w64_mul(w64_sub(full, distance), w64_add(full, distance));
    const wide inner = w64_mul(w64_sub(distance, least), w64_add(distance, least));
    const wide height = w64_mul(w64_sqrt(w64_max(w64_mul(outer, inner), zero)), w64_mul(inverse, half));
    *r = w64_select(apart, height, shorter);
    const w64_m upper_is_shorter = w64_le(l1, l2);
    const wide rest = w64_sub(distance, part);
    *x = w64_select(upper_is_shorter, part, rest);
    *y = w64_select(upper_is_shorter, rest, part);
}

static void two_bone_turns(skl_two_bone_tile *t) {
    const wide zero = w64_set1(0.0);
    for (int i = 0; i < t->count; i += w64_LANES) {
        limb g = load_limb(t, i);
        find_side(&g, t, i);
        const v3 m = new_side(&g, t, i);
        wide factor, x, y, r;
        const wide distance = find_reach(&g, t, i, &factor);
        triangle(distance, g.l1, g.l2, &x, &y, &r);
        v3 u2 = unit3(add3(scale3(g.n, x), scale3(m, r)));
        v3 v2 = unit3(sub3(scale3(g.n, y), scale3(m, r)));
        /* A bone of length 0 goes with the other. */
        u2 = select3(w64_lt(zero, g.l1), u2, select3(w64_lt(zero, g.l2), v2, g.n));
        v2 = select3(w64_lt(zero, g.l2), v2, u2);
        const v3 v1 = direction(g.v, zero, g.along);
        const v3 old_normal = across_unit(cross3(g.line, g.side), g.along);
        const v3 new_normal = across_unit(cross3(g.n, m), u2);

        quat turn = shortest_arc(g.along, u2, old_normal);
        if (t->hinge) { /* then about the bone itself, until the bend plane's normal is in place */
            const v3 carried = across_unit(rotate3(turn, old_normal), u2);
            const quat about = turn_about(u2, dot3(carried, new_normal), dot3(u2, cross3(carried, new_normal)));
            turn = select4(g.plane, multiply4(about, turn), turn);
        }
        turn = unit4(turn);
        quat knee = unit4(shortest_arc(unit3(rotate3(turn, v1)), v2, new_normal));
        if (t->has_twist) {
            const wide s = w64_load(t->twist_sin + i);
            const quat about = {w64_load(t->twist_cos + i), scale3(g.n, s)};
            turn = multiply4(about, turn);
            knee = multiply4(multiply4(about, knee), conjugate4(about));
        }
        store4(t->turn, i, turn);
        store4(t->knee, i, knee);
        w64_store(t->factor + i, factor);
        w64_store(t->leg + i, w64_add(g.l1, g.l2));
        w64_store(t->distance + i, w64_mul(distance, factor));
    }
}

static void two_bone_place(skl_two_bone_tile *t) {
    for (int i = 0; i < t->count; i += w64_LANES) {
        const quat turn = load4(t->turn, i), lower = multiply4(load4(t->knee, i), turn);
        const wide factor = w64_load(t->factor + i);
        const v3 knee_at = scale3(rotate3(turn, load3(t->u, i)), factor);
        const v3 end_at = add3(knee_at, scale3(rotate3(lower, load3(t->v, i)), factor));
        store4(t->lower, i, lower);
        store3(t->knee_at, i, knee_at);
        store3(t->end_at, i, end_at);
    }
}

#endif
