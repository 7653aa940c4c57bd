/* SPDX-License-Identifier: MIT */
/* Two bones in closed form, without trigonometry; lanes are problems. reference/two_bone.py says the same at length. */
#define tile_of_two K(skl_two_bone_tile)
#define limb K(skl_limb_lanes)

/* Sine of 15 degrees: nearer to the line to the target, a pole or a knee cannot tell a side. */
#define SKL_CONE 0.25881904510252074
/* Sine of 5 degrees off the pole's line, where pole and side may cancel out: a third of the way. */
#define SKL_POLE_ZERO 0.087155742747658174

typedef struct limb {
    v3 along, below; /* directions of the bones */
    v3 line;         /* direction from hip to ankle */
    v3 n;            /* direction from hip to target */
    v3 side;         /* unit, across `line`: to where the limb bends now */
    wide told;       /* 0..1: how far the knee itself tells that */
    mask plane;      /* the limb has a bend plane */
    wide sine;       /* of the knee's angle */
    wide l1, l2, away, inverse1, inverse2;
} limb;

/* Lengths and directions; the bend side is not known yet. */
SKL_INLINE limb K(load_limb)(tile_of_two *t, int i) {
    const wide zero = number(0);
    const v3 u = row3(t->u, i), v = row3(t->v, i), d = row3(t->d, i);
    limb g;
    g.l1 = W(load)(t->l1 + i);
    g.l2 = W(load)(t->l2 + i);
    g.away = W(load)(t->away + i);
    g.inverse1 = one_over(g.l1);
    g.inverse2 = one_over(g.l2);
    g.along = scale3(u, g.inverse1);
    g.below = scale3(v, g.inverse2);
    const mask has_upper = W(lt)(zero, g.l1), has_lower = W(lt)(zero, g.l2);
    if (!W(all)(W (and)(has_upper, has_lower))) { /* a bone of length 0 goes with the other */
        const v3 anything = {number(1), zero, zero};
        g.along = select3(has_upper, g.along, select3(has_lower, g.below, direction(d, zero, anything)));
        g.below = select3(has_lower, g.below, g.along);
    }
    const wide leg = W(add)(g.l1, g.l2);
    g.line = direction(row3(t->w, i), W(mul)(leg, number(SKL_IS_F32 ? 1e-6 : 1e-12)), g.along);
    g.n = select3(W(lt)(W(mul)(leg, number(1e-14)), g.away), scale3(d, one_over(g.away)), g.line);
    g.side = g.line;
    g.told = g.sine = zero;
    g.plane = W(lt)(zero, zero);
    return g;
}

/* The side to which the limb bends now: from its own knee, else from `bend`, else a fixed one. */
SKL_INLINE void K(find_side)(limb *g, tile_of_two *t, int i) {
    const wide one = number(1), zero = number(0), straight = number(t->how.straight);
    const v3 normal = cross3(row3(t->v, i), row3(t->u, i));
    const wide size = length3(normal), sine = W(mul)(W(mul)(size, g->inverse1), g->inverse2);
    const mask bent = W(lt)(W(mul)(straight, number(0.1)), sine);
    /* Perpendicular units: their product is one, but for rounding. */
    g->side = almost_unit3(cross3(scale3(normal, one_over(size)), g->line));
    g->sine = sine;
    g->told = W(select)(bent, one, zero);
    g->plane = bent;
    if (!t->how.has_bend) {
        if (!W(all)(bent)) g->side = select3(bent, g->side, any_across(g->line));
        return;
    }
    const v3 given = across(unit3(row3(t->bend, i)), g->line);
    const mask usable = W(lt)(number(1e-6), length3(given));
    const wide faded = W(mul)(W(sub)(W(div)(sine, straight), number(0.1)), number(1 / 0.9));
    g->told = W(select)(usable, smoothstep(faded), g->told);
    g->plane = W(or)(usable, bent);
    const mask known = W(le)(one, g->told);
    if (W(all)(known)) return;
    const v3 other = select3(usable, unit3(given), any_across(g->line));
    const v3 mixed = add3(scale3(g->side, g->told), scale3(other, W(sub)(one, g->told)));
    const v3 both = select3(W(lt)(zero, g->told), mixed, other); /* where it is 0, its own side may be no number */
    g->side = select3(known, g->side, across_unit(direction(both, zero, other), g->line));
}

/* `m` carried by the smallest turn from the unit vector `start` to `n`: a reflection, since `m` is across `start`. */
SKL_INLINE v3 K(swing)(v3 m, v3 start, v3 n) {
    const v3 half = add3(start, n);
    const wide square = dot3(half, half);
    const mask good = W(lt)(number(SKL_IS_F32 ? 1e-11 : 1e-24), square);
    const wide twice = W(div)(W(mul)(number(2), dot3(m, half)), W(select)(good, square, number(1)));
    return sub3(m, scale3(half, W(select)(good, twice, number(0))));
}

/* The unit vector across `n` on whose side the knee goes without a pole: nearest to where the knee is, as long as that
 * is clearly on the side to which the limb bends; else that side, swung along. */
SKL_INLINE v3 K(free_side)(const limb *g) {
    const wide one = number(1), cone = number(1 / SKL_CONE);
    const v3 m = almost_unit3(across(K(swing)(g->side, g->line, g->n), g->n)), nearest = across(g->along, g->n);
    const wide w = W(mul)(g->told, smoothstep(W(mul)(dot3(nearest, m), cone)));
    return unit3(across(add3(scale3(unit3(nearest), w), scale3(m, W(sub)(one, w))), g->n));
}

/* The same with a pole, which overrides it. Within 15 degrees of the pole's own line the side is added, the more the
 * nearer; where both cancel out (5 degrees off the line, opposite to the side) no direction is left. */
SKL_INLINE v3 K(new_side)(const limb *g, tile_of_two *t, int i) {
    if (!t->how.has_pole) return K(free_side)(g);
    const wide one = number(1);
    const v3 pull = across(unit3(row3(t->pole, i)), g->n);
    const wide off = W(mul)(length3(pull), number(1 / SKL_CONE));
    const mask clear = W(le)(one, off);
    v3 blend = pull, m = pull;
    if (!W(all)(clear)) {
        m = K(free_side)(g);
        const wide side = W(sub)(one, smoothstep(W(sub)(W(add)(off, off), one)));
        blend = select3(clear, pull, add3(pull, scale3(m, W(mul)(side, number(SKL_POLE_ZERO)))));
    }
    blend = across(blend, g->n);
    const wide size = length3(blend);
    blend = almost_unit3(across(scale3(blend, one_over(size)), g->n)); /* once more: little may have been left */
    return select3(W(lt)(number(SKL_IS_F32 ? 1e-6 : 1e-9), size), blend, m);
}

/* How far from the hip the end goes before the bones grow, and the factor by which they grow. */
SKL_INLINE wide K(find_reach)(const limb *g, tile_of_two *t, int i, wide *factor) {
    const wide one = number(1), d = g->away, full = W(add)(g->l1, g->l2);
    const wide soft = W(min)(W(min)(d, full), t->how.has_soft ? W(load)(t->soft + i) : full);
    wide aim = W(min)(d, soft);
    *factor = one;
    if (t->how.has_stretch) {
        const wide least = W(min)(soft, W(mul)(W(load)(t->start + i), full)), most = W(load)(t->stretch + i);
        const mask grows = W (and)(W(lt)(number(0), least), W(lt)(least, d));
        const wide ratio = W(div)(d, W(select)(grows, least, one));
        *factor = W(select)(grows, W(min)(ratio, most), one);
        /* Not d / ratio: a limb that grows while it is straight stays exactly that. */
        aim = W(select)(grows, W(select)(W(le)(ratio, most), least, W(min)(W(div)(d, most), soft)), aim);
    }
    return W(max)(aim, W(abs)(W(sub)(g->l1, g->l2)));
}

/* The triangle's sides along `n` (x upper, y lower bone) and across (r). The law of cosines is written for the shorter
 * bone: its own errors then are as short as it is, whichever of the two is tiny. Heron's formula in factors makes a
 * straight or folded limb exactly that. */
SKL_INLINE void K(triangle)(wide distance, wide l1, wide l2, wide *x, wide *y, wide *r) {
    const wide zero = number(0), half = number(0.5), shorter = W(min)(l1, l2), longer = W(max)(l1, l2);
    const wide full = W(add)(shorter, longer), least = W(sub)(longer, shorter);
    const mask apart = W(lt)(zero, distance);
    const wide inverse = one_over(distance);
    const wide quotient = W(select)(apart, W(mul)(W(mul)(least, full), inverse), zero);
    wide part = W(mul)(W(sub)(distance, quotient), half);
    part = W(min)(W(max)(part, W(neg)(shorter)), shorter);
    const wide outer = W(mul)(W(sub)(full, distance), W(add)(full, distance));
    const wide inner = W(mul)(W(sub)(distance, least), W(add)(distance, least));
    const wide height = W(mul)(W(sqrt)(W(max)(W(mul)(outer, inner), zero)), W(mul)(inverse, half));
    *r = W(select)(apart, height, shorter);
    const mask upper_is_shorter = W(le)(l1, l2);
    const wide rest = W(sub)(distance, part);
    *x = W(select)(upper_is_shorter, part, rest);
    *y = W(select)(upper_is_shorter, rest, part);
}

/* Directions of both bones with the knee towards `m`, x and y along `n`, r across it. */
SKL_INLINE void K(place)(const limb *g, v3 m, wide x, wide y, wide r, v3 *u2, v3 *v2) {
    const wide zero = number(0);
    *u2 = almost_unit3(scale3(add3(scale3(g->n, x), scale3(m, r)), g->inverse1));
    *v2 = almost_unit3(scale3(sub3(scale3(g->n, y), scale3(m, r)), g->inverse2));
    const mask has_upper = W(lt)(zero, g->l1), has_lower = W(lt)(zero, g->l2);
    if (W(all)(W (and)(has_upper, has_lower))) return;
    *u2 = select3(has_upper, *u2, select3(has_lower, *v2, g->n));
    *v2 = select3(has_lower, *v2, *u2);
}

/* The present plane's normal, made perpendicular to a bone. */
SKL_INLINE v3 K(normal_at)(const limb *g, v3 bone) {
    const v3 normal = cross3(g->line, g->side), left = across(normal, bone), good = almost_unit3(left);
    const mask known = W(le)(number(1), g->told);
    if (W(all)(known)) return good; /* the bones lie in the plane */
    const v3 other = select3(W(lt)(number(1e-3), length3(left)), left, any_across(bone));
    return select3(known, good, across_unit(other, bone));
}

/* Rotations by shortest arcs, first of the upper bone, then of the knee; then both about `n`. Returns the cosine of the
 * farther arc. */
SKL_INLINE wide K(minimal_turns)(const limb *g, tile_of_two *t, int i, v3 m, v3 u2, v3 v2, quat *turn, quat *lower) {
    const v3 normal = K(normal_at)(g, g->along), new_normal = across_unit(cross3(g->n, m), u2);
    *turn = unit4(shortest_arc(g->along, u2, normal));
    const v3 below = unit3(rotate3(*turn, g->below));
    const wide cosine = W(min)(dot3(g->along, u2), dot3(below, v2));
    *lower = multiply4(unit4(shortest_arc(below, v2, new_normal)), *turn);
    if (!t->how.has_twist) return cosine;
    const quat about = {W(load)(t->twist_cos + i), scale3(g->n, W(load)(t->twist_sin + i))};
    *turn = multiply4(about, *turn);
    *lower = multiply4(about, *lower);
    return cosine;
}

/* Of the two quaternions of a rotation the one whose w is not negative. */
SKL_INLINE quat K(positive)(quat q) {
    const wide sign = W(copysign)(number(1), q.w);
    return (quat){W(abs)(q.w), scale3(q.v, sign)};
}

#if SKL_IS_F32
/* Lanes that lose digits which double has: a knee that hardly bends, a target opposite to the ankle or a bone to where
 * it was, and a root that is taken of a small difference, next to the bounds of the reach. */
SKL_INLINE mask K(loses_digits)(const limb *g, wide distance, wide cosine) {
    const wide full = W(add)(g->l1, g->l2), least = W(abs)(W(sub)(g->l1, g->l2)), near = W(mul)(full, number(1e-3));
    const v3 half = add3(g->line, g->n);
    const mask straight = W (and)(W(le)(full, distance), W(lt)(W(add)(full, near), g->away));
    const mask folded = W (and)(W(le)(distance, least), W(lt)(g->away, W(sub)(least, near)));
    const mask outer = W (and)(W(lt)(W(sub)(full, distance), near), W(not)(straight));
    const mask inner = W (and)(W(lt)(W(sub)(distance, least), near), W(not)(folded));
    const mask turned = W(or)(W(lt)(dot3(half, half), number(0.01)), W(lt)(cosine, number(-0.95)));
    return W(or)(W(or)(outer, inner), W(or)(turned, W(lt)(g->sine, number(0.02))));
}
#endif

static void K(two_bone_solve)(void *tile) {
    tile_of_two *t = tile;
    for (int i = 0; i < t->count; i += W(LANES)) {
        limb g = K(load_limb)(t, i);
        K(find_side)(&g, t, i);
        const v3 m = K(new_side)(&g, t, i);
        wide factor, x, y, r;
        const wide distance = K(find_reach)(&g, t, i, &factor);
        K(triangle)(distance, g.l1, g.l2, &x, &y, &r);
        v3 turned = m, u2, v2;
        if (t->how.has_twist) { /* the whole limb about `n`: so does its plane */
            const wide c = W(load)(t->twist_cos + i), s = W(load)(t->twist_sin + i), cs = W(mul)(c, s);
            turned = add3(scale3(m, W(fnma)(s, s, W(mul)(c, c))), scale3(cross3(g.n, m), W(add)(cs, cs)));
        }
        K(place)(&g, turned, x, y, r, &u2, &v2);
        const v3 new_normal = cross3(g.n, turned);
        quat turn = {number(1), {number(0), number(0), number(0)}}, lower = turn;
        wide cosine = number(1); /* of the farthest arc */
        if (t->how.hinge) {
            turn = between_frames(g.along, K(normal_at)(&g, g.along), u2, new_normal);
            lower = between_frames(g.below, K(normal_at)(&g, g.below), v2, new_normal);
        }
        if (!t->how.hinge || !W(all)(g.plane)) {
            quat least, below;
            K(place)(&g, m, x, y, r, &u2, &v2);
            cosine = K(minimal_turns)(&g, t, i, m, u2, v2, &least, &below);
            const mask plane = t->how.hinge ? g.plane : W(lt)(number(0), number(0));
            turn = select4(plane, turn, least);
            lower = select4(plane, lower, below);
        }
#if SKL_IS_F32
        const mask hard = K(loses_digits)(&g, distance, cosine);
        W(store)(t->hard + i, W(select)(hard, number(1), W(load)(t->hard + i)));
#else
        (void)cosine;
#endif
        put4(t->turn, i, K(positive)(turn));
        put4(t->lower, i, K(positive)(lower));
        const wide grown = W(mul)(distance, factor);
        /* The shorter bone is added to the longer one's far end, so that its own length is what it keeps. */
        const v3 rise = scale3(turned, W(mul)(r, factor)), end_at = scale3(g.n, grown);
        const v3 from_hip = add3(scale3(g.n, W(mul)(x, factor)), rise);
        const v3 from_end = add3(end_at, sub3(rise, scale3(g.n, W(mul)(y, factor))));
        put3(t->knee_at, i, select3(W(le)(g.l1, g.l2), from_hip, from_end));
        put3(t->end_at, i, end_at);
        W(store)(t->factor + i, factor);
        W(store)(t->distance + i, grown);
    }
}

static void K(two_bone_lengths)(void *tile) {
    tile_of_two *t = tile;
    for (int i = 0; i < t->count; i += W(LANES)) {
        W(store)(t->l1 + i, length3(row3(t->u, i)));
        W(store)(t->l2 + i, length3(row3(t->v, i)));
        W(store)(t->away + i, length3(row3(t->d, i)));
    }
}

#undef SKL_CONE
#undef SKL_POLE_ZERO
