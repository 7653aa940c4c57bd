/* SPDX-License-Identifier: MIT */
/* Limbs out of a job's arrays into a tile, and what was found back into them. */
/* Lengths between these are squared twice without loss. */
#if SKL_IS_F32
#define SKL_LEAST_LENGTH 1e-9
#define SKL_MOST_LENGTH 1e9
#else
#define SKL_LEAST_LENGTH 1e-60
#define SKL_MOST_LENGTH 1e60
#endif

/* Lanes of which the length squared says that it has digits. */
SKL_INLINE mask K(has_digits)(wide square) {
    const wide least = number(SKL_LEAST_LENGTH), most = number(SKL_MOST_LENGTH);
    return W (and)(W(lt)(W(mul)(least, least), square), W(lt)(square, W(mul)(most, most)));
}

SKL_INLINE v3 K(read3)(char *const *at, const int64_t *step, int which, int i, int lanes) {
    W(t) v[3];
    W(load3)(at[which] + i * step[which], step[which], lanes, v);
    return (v3){v[0], v[1], v[2]};
}

SKL_INLINE wide K(larger3)(wide largest, v3 a) {
    return W(max)(largest, W(max)(W(abs)(a.x), W(max)(W(abs)(a.y), W(abs)(a.z))));
}

SKL_INLINE void K(read_numbers)(char *const *at, const int64_t *step, int which, int i, int lanes, real *row) {
    W(t) a[1];
    W(load1)(at[which] + i * step[which], step[which], lanes, a);
    W(store)(row + i, a[0]);
}

/* Everything about `count` limbs: `soft` holds what was given as softening, `twist_cos` the angle. `hard` is 1 where
 * lengths have no digits, a number that is not finite included, and where only a part of the solve is wanted. */
static void K(two_bone_read)(void *tile, char *const *at, const int64_t *step, int count) {
    tile_of_two *t = tile;
    t->count = count;
    for (int i = 0; i < count; i += W(LANES)) {
        const int lanes = count - i < W(LANES) ? count - i : W(LANES);
        const v3 a = K(read3)(at, step, SKL_LIMB_A, i, lanes), b = K(read3)(at, step, SKL_LIMB_B, i, lanes);
        const v3 c = K(read3)(at, step, SKL_LIMB_C, i, lanes), target = K(read3)(at, step, SKL_LIMB_TARGET, i, lanes);
        const v3 u = sub3(b, a), v = sub3(c, b), d = sub3(target, a);
        const wide uu = dot3(u, u), vv = dot3(v, v), dd = dot3(d, d);
        mask good = W (and)(K(has_digits)(uu), W (and)(K(has_digits)(vv), K(has_digits)(dd)));
        put3(t->u, i, u);
        put3(t->v, i, v);
        put3(t->d, i, d);
        put3(t->w, i, sub3(c, a));
        W(store)(t->l1 + i, W(sqrt)(uu));
        W(store)(t->l2 + i, W(sqrt)(vv));
        W(store)(t->away + i, W(sqrt)(dd));
        W(store)(t->largest + i, K(larger3)(K(larger3)(K(larger3)(K(larger3)(number(0), a), b), c), target));
        if (t->how.has_pole) {
            const v3 pole = at[SKL_LIMB_POLE] ? sub3(K(read3)(at, step, SKL_LIMB_POLE, i, lanes), a)
                                              : K(read3)(at, step, SKL_LIMB_POLE_DIRECTION, i, lanes);
            good = W (and)(good, K(has_digits)(dot3(pole, pole)));
            put3(t->pole, i, pole);
        }
        if (t->how.has_bend) {
            const v3 bend = K(read3)(at, step, SKL_LIMB_BEND, i, lanes);
            good = W (and)(good, K(has_digits)(dot3(bend, bend)));
            put3(t->bend, i, bend);
        }
        if (t->how.has_soft) K(read_numbers)(at, step, SKL_LIMB_SOFTEN, i, lanes, t->soft);
        if (t->how.has_stretch) K(read_numbers)(at, step, SKL_LIMB_STRETCH, i, lanes, t->stretch);
        W(store)(t->start + i, number(1));
        if (at[SKL_LIMB_START]) K(read_numbers)(at, step, SKL_LIMB_START, i, lanes, t->start);
        if (t->how.has_twist) K(read_numbers)(at, step, SKL_LIMB_TWIST, i, lanes, t->twist_cos);
        if (at[SKL_LIMB_WEIGHT]) {
            K(read_numbers)(at, step, SKL_LIMB_WEIGHT, i, lanes, t->hard);
            good = W (and)(good, W(le)(number(1), W(load)(t->hard + i)));
        }
        W(store)(t->hard + i, W(select)(good, number(0), number(1)));
    }
}

/* The gap between a number of this size and the next larger one: Rump, Ogita, Oishi, Accurate floating-point
 * summation I, SIAM J. Sci. Comput. 31 (2008), algorithm 3.5. */
SKL_INLINE wide K(gap)(wide size) {
    const real half = SKL_IS_F32 ? (real)FLT_EPSILON / 2 : (real)DBL_EPSILON / 2;
    const wide scaled = W(mul)(size, W(set1)(1 / (2 * half) + 1));
    const wide first = W(abs)(W(sub)(scaled, W(mul)(W(set1)(1 - half), scaled)));
    return W(mul)(first, W(set1)(2 * half));
}

SKL_INLINE void K(write3)(char *const *at, const int64_t *step, int which, int i, int lanes, v3 a) {
    const W(t) v[3] = {a.x, a.y, a.z};
    W(store3)(at[which] + i * step[which], step[which], lanes, v);
}

SKL_INLINE void K(write4)(char *const *at, const int64_t *step, int which, int i, int lanes,
                          real (*rows)[SKL_TWO_BONE_TILE]) {
    const W(t) q[4] = {W(load)(rows[0] + i), W(load)(rows[1] + i), W(load)(rows[2] + i), W(load)(rows[3] + i)};
    W(store4)(at[which] + i * step[which], step[which], lanes, q);
}

/* Knee, ankle, rotations, miss and factor of the tile's limbs; `status` as a number. */
static void K(two_bone_write)(void *tile, char *const *at, const int64_t *step) {
    tile_of_two *t = tile;
    for (int i = 0; i < t->count; i += W(LANES)) {
        const int lanes = t->count - i < W(LANES) ? t->count - i : W(LANES);
        const v3 a = K(read3)(at, step, SKL_LIMB_A, i, lanes), target = K(read3)(at, step, SKL_LIMB_TARGET, i, lanes);
        const v3 c = add3(a, row3(t->end_at, i));
        const wide error = length3(sub3(c, target)), leg = W(add)(W(load)(t->l1 + i), W(load)(t->l2 + i));
        const wide gap = K(gap)(W(load)(t->largest + i));
        const wide allowed = W(add)(W(mul)(number(t->how.reached), leg), W(add)(gap, gap));
        const mask far = W(lt)(W(load)(t->distance + i), W(load)(t->away + i));
        const wide missed = W(select)(far, number(SKL_LIMB_TOO_FAR), number(SKL_LIMB_TOO_CLOSE));
        W(store)(t->status + i, W(select)(W(le)(error, allowed), number(SKL_LIMB_REACHED), missed));
        K(write3)(at, step, SKL_LIMB_OUT_B, i, lanes, add3(a, row3(t->knee_at, i)));
        K(write3)(at, step, SKL_LIMB_OUT_C, i, lanes, c);
        K(write4)(at, step, SKL_LIMB_OUT_UPPER, i, lanes, t->turn);
        K(write4)(at, step, SKL_LIMB_OUT_LOWER, i, lanes, t->lower);
        const wide factor = W(load)(t->factor + i);
        W(store1)(at[SKL_LIMB_OUT_ERROR] + i * step[SKL_LIMB_OUT_ERROR], step[SKL_LIMB_OUT_ERROR], lanes, &error);
        W(store1)(at[SKL_LIMB_OUT_STRETCH] + i * step[SKL_LIMB_OUT_STRETCH], step[SKL_LIMB_OUT_STRETCH], lanes,
                  &factor);
    }
}

#undef SKL_LEAST_LENGTH
#undef SKL_MOST_LENGTH
#undef tile_of_two
#undef limb
