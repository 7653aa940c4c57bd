/* SPDX-License-Identifier: MIT */
/* Two bones in closed form, without trigonometry; lanes are problems. reference/two_bone.py says the same at length. */
#define tile_of_two K(skl_two_bone_tile)
#define limb K(skl_limb_lanes)

/* Sine of 15 degrees: nearer to the line to the target, a pole or a knee cannot show a side. */
#define SKL_CONE 0.25881904510252074
/* Sine of 5 degrees off the pole's line, where pole and side may cancel out: a third of the way. */
#define SKL_POLE_ZERO 0.087155742747658174

typedef struct limb {
    v3 along, below; /* directions of the bones */
    v3 n;            /* direction from hip to target */
    v3 normal;       /* of the plane in which the limb bends, unit */
    v3 line, side;   /* of bends_now: direction from hip to ankle; unit, across it: to where the limb bends now */
    wide clear;      /* 0..1: how clearly the knee itself shows its side */
    mask plane;      /* the limb has a bend plane */
    mask opposite;   /* the side was carried by all but a half turn */
    wide sine;       /* of the knee's angle */
    wide l1, l2, away, inverse1, inverse2;
    v3 m, turned; /* unit, across `n`: to where it will bend, before and after the twist */
    wide factor, distance, x, y, r;
} limb;

/* Direction from hip to ankle. */
SKL_INLINE v3 K(ankle_line)(const limb *g, tile_of_two *t, int i) {
    const wide leg = W(add)(g->l1, g->l2);
    return direction(row3(t->w, i), W(mul)(leg, number(SKL_IS_F32 ? 1e-6 : 1e-12)), g->along);
}

/* Lengths, directions and the plane that the bones give. */
SKL_INLINE void K(load_limb)(limb *g, tile_of_two *t, int i) {
    const wide zero = number(0);
    const v3 u = row3(t->u, i), v = row3(t->v, i), d = row3(t->d, i);
    g->l1 = W(load)(t->l1 + i);
    g->l2 = W(load)(t->l2 + i);
    g->away = W(load)(t->away + i);
    g->inverse1 = one_over(g->l1);
    g->inverse2 = one_over(g->l2);
    g->along = scale3(u, g->inverse1);
    g->below = scale3(v, g->inverse2);
    const mask has_upper = W(lt)(zero, g->l1), has_lower = W(lt)(zero, g->l2);
    if (!W(all)(W (and)(has_upper, has_lower))) { /* a bone of length 0 goes with the other */
        const v3 anything = {number(1), zero, zero};
        g->along = select3(has_upper, g->along, select3(has_lower, g->below, direction(d, zero, anything)));
        g->below = select3(has_lower, g->below, g->along);
    }
    const mask apart = W(lt)(W(mul)(W(add)(g->l1, g->l2), number(1e-14)), g->away);
    g->n = scale3(d, one_over(g->away));
    if (!W(all)(apart)) g->n = select3(apart, g->n, K(ankle_line)(g, t, i));
    const v3 normal = cross3(g->below, g->along);
    g->sine = length3(normal);
    g->normal = scale3(normal, one_over(g->sine));
    g->plane = W(lt)(number(0.1 * t->how.straight), g->sine);
    g->clear = W(select)(g->plane, number(1), zero);
    if (t->how.has_bend) {
        const wide faded = W(sub)(W(div)(g->sine, number(t->how.straight)), number(0.1));
        g->clear = W(min)(g->clear, smoothstep(W(mul)(faded, number(1 / 0.9))));
    }
    g->opposite = W(lt)(zero, zero);
}

/* The side to which the limb bends now: from its own knee, else from `bend`, else a fixed one. */
SKL_APART void K(bends_now)(limb *g, tile_of_two *t, int i) {
    const wide one = number(1), zero = number(0);
    g->line = K(ankle_line)(g, t, i);
    /* Perpendicular units: their product is one, but for rounding. */
    g->side = almost_unit3(cross3(g->normal, g->line));
    if (W(all)(W(le)(one, g->clear))) return;
    const v3 fixed = any_across(g->line);
    v3 other = fixed;
    if (t->how.has_bend) {
        const v3 given = across(unit3(row3(t->bend, i)), g->line);
        const mask usable = W(lt)(number(1e-6), length3(given));
        g->clear = W(select)(usable, g->clear, W(select)(g->plane, one, zero));
        g->plane = W(or)(usable, g->plane);
        other = select3(usable, unit3(given), fixed);
    }
    const mask known = W(le)(one, g->clear);
    const v3 mixed = add3(scale3(g->side, g->clear), scale3(other, W(sub)(one, g->clear)));
    const v3 both = select3(W(lt)(zero, g->clear), mixed, other); /* where it is 0, its own side may be NaN */
    g->side = select3(known, g->side, across_unit(direction(both, zero, other), g->line));
    g->normal = select3(known, g->normal, cross3(g->line, g->side));
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
SKL_APART v3 K(free_side)(const limb *g) {
    const wide one = number(1), cone = number(1 / SKL_CONE);
    const v3 m = almost_unit3(across(K(swing)(g->side, g->line, g->n), g->n)), nearest = across(g->along, g->n);
    const wide w = W(mul)(g->clear, smoothstep(W(mul)(dot3(nearest, m), cone)));
    return unit3(across(add3(scale3(unit3(nearest), w), scale3(m, W(sub)(one, w))), g->n));
}

/* The unit vector across `n` on whose side the knee goes. A pole overrides all else, but within 15 degrees of its own
 * line the free side is added, the more the nearer; where both cancel out (5 degrees off the line, opposite to the
 * side) no direction is left. What only the free side needs is found only where it is needed. */
SKL_INLINE void K(find_side)(limb *g, tile_of_two *t, int i) {
    const wide one = number(1), zero = number(0), cone = number(SKL_CONE);
    v3 wanted = g->n;
    wide square = zero; /* of the sine between pole and n */
    if (t->how.has_pole) {
        const v3 pole = row3(t->pole, i), pull = across(pole, g->n);
        const wide of_pull = dot3(pull, pull), of_pole = dot3(pole, pole);
        square = W(div)(of_pull, W(select)(W(lt)(zero, of_pole), of_pole, one));
        wanted = scale3(pull, one_over(W(sqrt)(of_pull)));
    }
    const mask clear = W(le)(W(mul)(cone, cone), square), known = W(le)(one, g->clear);
    g->m = almost_unit3(across(wanted, g->n));
    if (W(all)(W (and)(clear, known))) return;
    K(bends_now)(g, t, i);
    const v3 half = add3(g->line, g->n);
    g->opposite = W (and)(W(not)(clear), W(lt)(dot3(half, half), number(0.003)));
    const v3 free = K(free_side)(g);
    g->m = select3(clear, g->m, free);
    if (!t->how.has_pole) return;
    const wide off = W(sqrt)(square), twice = W(div)(W(add)(off, off), cone);
    const wide share = W(mul)(W(sub)(one, smoothstep(W(sub)(twice, one))), number(SKL_POLE_ZERO));
    const v3 blend = across(add3(scale3(wanted, off), scale3(free, share)), g->n);
    const wide size = length3(blend);
    const v3 mixed = almost_unit3(across(scale3(blend, one_over(size)), g->n)); /* once more: little may be left */
    const mask pulled = W (and)(W(lt)(zero, square), W(lt)(number(SKL_IS_F32 ? 1e-6 : 1e-9), size));
    g->m = select3(W (and)(pulled, W(not)(clear)), mixed, g->m);
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

/* Directions of both bones with the knee towards `m`. */
SKL_INLINE void K(place)(const limb *g, v3 m, v3 *u2, v3 *v2) {
    const wide zero = number(0);
    const v3 rise = scale3(m, g->r);
    *u2 = almost_unit3(scale3(add3(scale3(g->n, g->x), rise), g->inverse1));
    *v2 = almost_unit3(scale3(sub3(scale3(g->n, g->y), rise), g->inverse2));
    const mask has_upper = W(lt)(zero, g->l1), has_lower = W(lt)(zero, g->l2);
    if (W(all)(W (and)(has_upper, has_lower))) return;
    *u2 = select3(has_upper, *u2, select3(has_lower, *v2, g->n));
    *v2 = select3(has_lower, *v2, *u2);
}

/* The present plane's normal, made perpendicular to a bone. */
SKL_INLINE v3 K(normal_at)(const limb *g, v3 bone) {
    const v3 left = across(g->normal, bone), good = almost_unit3(left);
    const mask known = W(le)(number(1), g->clear);
    if (W(all)(known)) return good; /* the bones lie in the plane */
    const v3 other = select3(W(lt)(number(1e-3), length3(left)), left, any_across(bone));
    return select3(known, good, across_unit(other, bone));
}

/* Rotations by shortest arcs, first of the upper bone, then of the knee; then both about `n`. Returns the cosine of the
 * farther arc. */
SKL_APART wide K(minimal_turns)(const limb *g, tile_of_two *t, int i, v3 u2, v3 v2, quat *turn, quat *lower) {
    const v3 normal = K(normal_at)(g, g->along), new_normal = across_unit(cross3(g->n, g->m), u2);
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
SKL_INLINE mask K(loses_digits)(const limb *g, wide cosine) {
    const wide full = W(add)(g->l1, g->l2), least = W(abs)(W(sub)(g->l1, g->l2)), near = W(mul)(full, number(1e-3));
    const mask straight = W (and)(W(le)(full, g->distance), W(lt)(W(add)(full, near), g->away));
    const mask folded = W (and)(W(le)(g->distance, least), W(lt)(g->away, W(sub)(least, near)));
    const mask outer = W (and)(W(lt)(W(sub)(full, g->distance), near), W(not)(straight));
    const mask inner = W (and)(W(lt)(W(sub)(g->distance, least), near), W(not)(folded));
    const mask turned = W(or)(g->opposite, W(lt)(cosine, number(-0.95)));
    return W(or)(W(or)(outer, inner), W(or)(turned, W(lt)(g->sine, number(0.01))));
}
#endif

/* The triangle, knee and end. The shorter bone is added to the longer one's far end, so that its own length is what it
 * keeps. */
SKL_INLINE void K(find_points)(limb *g, tile_of_two *t, int i) {
    g->distance = K(find_reach)(g, t, i, &g->factor);
    K(triangle)(g->distance, g->l1, g->l2, &g->x, &g->y, &g->r);
    g->turned = g->m;
    if (t->how.has_twist) { /* the whole limb about `n`: so does its plane */
        const wide c = W(load)(t->twist_cos + i), s = W(load)(t->twist_sin + i), cs = W(mul)(c, s);
        g->turned = add3(scale3(g->m, W(fnma)(s, s, W(mul)(c, c))), scale3(cross3(g->n, g->m), W(add)(cs, cs)));
    }
    const wide grown = W(mul)(g->distance, g->factor);
    const v3 rise = scale3(g->turned, W(mul)(g->r, g->factor)), end_at = scale3(g->n, grown);
    const v3 from_hip = add3(scale3(g->n, W(mul)(g->x, g->factor)), rise);
    const v3 from_end = add3(end_at, sub3(rise, scale3(g->n, W(mul)(g->y, g->factor))));
    put3(t->knee_at, i, select3(W(le)(g->l1, g->l2), from_hip, from_end));
    put3(t->end_at, i, end_at);
    W(store)(t->factor + i, g->factor);
    W(store)(t->distance + i, grown);
}

/* The rotations of both bones, and whether this was too hard. */
SKL_INLINE void K(find_turns)(const limb *g, tile_of_two *t, int i) {
    quat turn = {number(1), {number(0), number(0), number(0)}}, lower = turn;
    wide cosine = number(1); /* of the farthest arc */
    v3 u2, v2;
    if (t->how.hinge) {
        const v3 new_normal = cross3(g->n, g->turned);
        K(place)(g, g->turned, &u2, &v2);
        turn = between_frames(g->along, K(normal_at)(g, g->along), u2, new_normal);
        lower = between_frames(g->below, K(normal_at)(g, g->below), v2, new_normal);
    }
    if (!t->how.hinge || !W(all)(g->plane)) {
        quat least, below;
        K(place)(g, g->m, &u2, &v2);
        cosine = K(minimal_turns)(g, t, i, u2, v2, &least, &below);
        const mask plane = t->how.hinge ? g->plane : W(lt)(number(0), number(0));
        cosine = W(select)(plane, number(1), cosine); /* what a lane's neighbours do must not matter */
        turn = select4(plane, turn, least);
        lower = select4(plane, lower, below);
        cosine = W(select)(plane, number(1), cosine);
    }
#if SKL_IS_F32
    W(store)(t->hard + i, W(select)(K(loses_digits)(g, cosine), number(1), W(load)(t->hard + i)));
#else
    (void)cosine;
#endif
    put4(t->turn, i, K(positive)(turn));
    put4(t->lower, i, K(positive)(lower));
}

static void K(two_bone_solve)(void *tile) {
    tile_of_two *t = tile;
    for (int i = 0; i < t->count; i += W(LANES)) {
        limb g;
        K(load_limb)(&g, t, i);
        K(find_side)(&g, t, i);
        K(find_points)(&g, t, i);
        K(find_turns)(&g, t, i);
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
