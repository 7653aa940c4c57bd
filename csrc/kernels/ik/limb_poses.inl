/* SPDX-License-Identifier: MIT */
/* Limbs of poses in double lanes: how a limb lies inside its parent, and the local matrices after its turns. */
#define m3 skl_wide_m3

/* Three rows. */
typedef struct m3 {
    v3 x, y, z;
} m3;

/* Fourth powers of lengths between these neither vanish nor overflow. */
static const double SKL_LEAST_SIZE = 1e-60, SKL_MOST_SIZE = 1e60;

SKL_INLINE v3 affine_row(const skl_affine_rows m, int row, int i) {
    return (v3){W(load)(m[4 * row] + i), W(load)(m[4 * row + 1] + i), W(load)(m[4 * row + 2] + i)};
}

SKL_INLINE m3 linear_rows(const skl_affine_rows m, int i) {
    return (m3){affine_row(m, 0, i), affine_row(m, 1, i), affine_row(m, 2, i)};
}

SKL_INLINE v3 origin_rows(const skl_affine_rows m, int i) {
    return (v3){W(load)(m[3] + i), W(load)(m[7] + i), W(load)(m[11] + i)};
}

SKL_INLINE v3 transform3(m3 m, v3 a) { return (v3){dot3(m.x, a), dot3(m.y, a), dot3(m.z, a)}; }

SKL_INLINE m3 transpose3(m3 m) { return (m3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}}; }

SKL_INLINE v3 combine3(v3 weights, m3 m) {
    return add3(scale3(m.x, weights.x), add3(scale3(m.y, weights.y), scale3(m.z, weights.z)));
}

SKL_INLINE m3 product3(m3 a, m3 b) { return (m3){combine3(a.x, b), combine3(a.y, b), combine3(a.z, b)}; }

/* Of quaternions of length 1. */
SKL_INLINE m3 rotation3(skl_two_bone_row *q, int i) {
    const wide w = W(load)(q[0] + i), x = W(load)(q[1] + i), y = W(load)(q[2] + i), z = W(load)(q[3] + i);
    const wide x2 = W(add)(x, x), y2 = W(add)(y, y), z2 = W(add)(z, z), one = number(1);
    const wide xx = W(mul)(x, x2), yy = W(mul)(y, y2), zz = W(mul)(z, z2), wx = W(mul)(w, x2), wy = W(mul)(w, y2),
               wz = W(mul)(w, z2), xy = W(mul)(x, y2), xz = W(mul)(x, z2), yz = W(mul)(y, z2);
    return (m3){{W(sub)(one, W(add)(yy, zz)), W(sub)(xy, wz), W(add)(xz, wy)},
                {W(add)(xy, wz), W(sub)(one, W(add)(xx, zz)), W(sub)(yz, wx)},
                {W(sub)(xz, wy), W(add)(yz, wx), W(sub)(one, W(add)(xx, yy))}};
}

SKL_INLINE wide largest3(v3 a) { return W(max)(W(abs)(a.x), W(max)(W(abs)(a.y), W(abs)(a.z))); }

/* 0 where all numbers are finite. */
SKL_INLINE wide finite3(v3 a) { return W(add)(W(sub)(a.x, a.x), W(add)(W(sub)(a.y, a.y), W(sub)(a.z, a.z))); }

SKL_INLINE mask is_zero(wide a) { return W(eq)(a, number(0)); }

/* However small or large. */
SKL_INLINE wide safe_length3(v3 a) {
    const wide size = W(max)(largest3(a), number(1e-300));
    return W(mul)(size, length3(scale3(a, W(div)(number(1), size))));
}

/* Lengths of this size need not be divided by anything. */
SKL_INLINE mask harmless(wide size) {
    return W(or)(W(le)(size, number(1e-300)),
                 W (and)(W(lt)(number(SKL_LEAST_SIZE), size), W(lt)(size, number(SKL_MOST_SIZE))));
}

static void skl_multiply_rows(const skl_affine_rows left, const skl_affine_rows right, skl_affine_rows out, int count) {
    for (int i = 0; i < count; i += W(LANES)) {
        wide r[12];
        for (int k = 0; k < 12; k++) r[k] = W(load)(right[k] + i);
        for (int row = 0; row < 3; row++) {
            const wide x = W(load)(left[4 * row] + i), y = W(load)(left[4 * row + 1] + i),
                       z = W(load)(left[4 * row + 2] + i);
            for (int k = 0; k < 4; k++) {
                const wide first = k == 3 ? W(fma)(x, r[3], W(load)(left[4 * row + 3] + i)) : W(mul)(x, r[k]);
                W(store)(out[4 * row + k] + i, W(fma)(z, r[8 + k], W(fma)(y, r[4 + k], first)));
            }
        }
    }
}

/* Two steps for a matrix that is orthogonal but for its size and for rounding, without a quotient: m (3 - m^T m) / 2
 * (Bjorck, Bowie 1971), of which each squares what is left. Returns the lanes of which it is too far from that. */
SKL_INLINE mask almost_orthogonal(m3 m, m3 *out) {
    const wide square = W(add)(dot3(m.x, m.x), W(add)(dot3(m.y, m.y), dot3(m.z, m.z)));
    const wide size = W(div)(number(1), W(sqrt)(W(mul)(square, number(1.0 / 3))));
    mask good = W (and)(W(lt)(number(1e-100), size), W(lt)(size, number(1e100)));
    m = (m3){scale3(m.x, size), scale3(m.y, size), scale3(m.z, size)};
    for (int step = 0; step < 2; step++) {
        const m3 t = transpose3(m);
        const wide xx = dot3(t.x, t.x), yy = dot3(t.y, t.y), zz = dot3(t.z, t.z), xy = dot3(t.x, t.y),
                   xz = dot3(t.x, t.z), yz = dot3(t.y, t.z), one = number(1);
        const wide off =
            W(max)(largest3((v3){W(sub)(xx, one), W(sub)(yy, one), W(sub)(zz, one)}), largest3((v3){xy, xz, yz}));
        good = W (and)(good, W(lt)(off, number(1e-4)));
        const wide half = number(0.5), more = number(1.5), none = number(0);
        const wide gxy = W(fnma)(half, xy, none), gxz = W(fnma)(half, xz, none), gyz = W(fnma)(half, yz, none);
        m = product3(m, (m3){{W(fnma)(half, xx, more), gxy, gxz},
                             {gxy, W(fnma)(half, yy, more), gyz},
                             {gxz, gyz, W(fnma)(half, zz, more)}});
    }
    *out = m;
    return W(not)(good);
}

/* The inverse, brought to size 1 first so that a tiny or huge scale neither vanishes nor overflows in the determinant.
 * Returns the lanes that have one. */
SKL_INLINE mask invert3(m3 m, m3 *out) {
    const wide size = W(max)(largest3(m.x), W(max)(largest3(m.y), largest3(m.z)));
    const wide by = W(div)(number(1), W(max)(size, number(1e-300)));
    const v3 x = scale3(m.x, by), y = scale3(m.y, by), z = scale3(m.z, by);
    const v3 yz = cross3(y, z), zx = cross3(z, x), xy = cross3(x, y);
    const wide determinant = dot3(x, yz), share = W(div)(by, determinant);
    *out = transpose3((m3){scale3(yz, share), scale3(zx, share), scale3(xy, share)});
    const wide sum = W(add)(finite3(out->x), W(add)(finite3(out->y), finite3(out->z)));
    return W (and)(W(lt)(number(0), W(abs)(determinant)), is_zero(sum));
}

/* What is not usable becomes a limb of no length. */
SKL_INLINE v3 only3(mask m, v3 a) {
    const v3 zero = {number(0), number(0), number(0)};
    return select3(m, a, zero);
}

/* Unequal squares of the columns' lengths, or columns that are not across each other. */
SKL_INLINE mask scaled_unevenly(m3 m, double uneven) {
    const m3 t = transpose3(m);
    const wide xx = dot3(t.x, t.x), yy = dot3(t.y, t.y), zz = dot3(t.z, t.z);
    const wide most = W(max)(xx, W(max)(yy, zz)), least = W(min)(xx, W(min)(yy, zz));
    const wide across = largest3((v3){dot3(t.x, t.y), dot3(t.x, t.z), dot3(t.y, t.z)});
    return W(not)(W(le)(W(max)(W(sub)(most, least), across), W(mul)(number(uneven), most)));
}

SKL_INLINE void put_mask(real *row, int i, mask m) { W(store)(row + i, W(select)(m, number(1), number(0))); }

SKL_INLINE void put_frame(skl_limb_poses *p, int which, const skl_affine_rows above, int i) {
    m3 frame;
    put_mask(p->frame_missing[which], i, almost_orthogonal(linear_rows(above, i), &frame));
    put3(p->frame[which], i, frame.x);
    put3(p->frame[which] + 3, i, frame.y);
    put3(p->frame[which] + 6, i, frame.z);
}

/* The three joints inside and their size in the model. Returns 0 where what the limb needs is finite. */
SKL_INLINE wide put_joints(skl_limb_poses *p, int i, m3 parent, v3 at) {
    const m3 knee = linear_rows(p->above_knee, i), ankle = linear_rows(p->above_ankle, i);
    const v3 knee_at = origin_rows(p->above_knee, i), ankle_at = origin_rows(p->above_ankle, i);
    const v3 a = origin_rows(p->local[0], i);
    const v3 b = add3(transform3(knee, origin_rows(p->local[1], i)), knee_at);
    const v3 c = add3(transform3(ankle, origin_rows(p->local[2], i)), ankle_at);
    put3(p->a, i, a);
    put3(p->b, i, b);
    put3(p->c, i, c);
    const v3 hip = add3(transform3(parent, a), at), bend = add3(transform3(parent, b), at),
             end = add3(transform3(parent, c), at), target = row3(p->target, i);
    W(store)(p->leg + i, W(add)(safe_length3(sub3(bend, hip)), safe_length3(sub3(end, bend))));
    W(store)(p->largest + i, W(max)(W(max)(largest3(hip), largest3(bend)), W(max)(largest3(end), largest3(target))));
    wide sum = W(add)(finite3(c), finite3(at));
    sum = W(add)(sum, W(add)(finite3(parent.x), W(add)(finite3(parent.y), finite3(parent.z))));
    sum = W(add)(sum, W(add)(finite3(knee.x), W(add)(finite3(knee.y), finite3(knee.z))));
    sum = W(add)(sum, W(add)(finite3(ankle.x), W(add)(finite3(ankle.y), finite3(ankle.z))));
    return W(add)(sum, W(add)(finite3(knee_at), finite3(ankle_at)));
}

static void skl_limb_poses_inside(skl_limb_poses *p, skl_two_bone_tile *tile) {
    for (int i = 0; i < p->count; i += W(LANES)) {
        const m3 parent = linear_rows(p->parent, i);
        const v3 at = origin_rows(p->parent, i);
        const mask finite = is_zero(W(add)(put_joints(p, i, parent, at), W(load)(p->finite + i)));
        const v3 a = row3(p->a, i), b = row3(p->b, i), c = row3(p->c, i);
        m3 inverse;
        const mask regular = invert3(parent, &inverse);
        const v3 aim = transform3(inverse, sub3(row3(p->target, i), at));
        v3 pole = row3(p->pole, i), bend = row3(p->bend, i);
        pole = p->pole_is_point ? sub3(transform3(inverse, sub3(pole, at)), a) : transform3(inverse, pole);
        const v3 rest = {number(p->rest_bend[0]), number(p->rest_bend[1]), number(p->rest_bend[2])};
        bend = p->has_bend ? transform3(inverse, bend) : transform3(linear_rows(p->local[0], i), rest);
        const mask usable = W (and)(finite, regular);
        put3(p->aim, i, aim);
        const v3 u = only3(usable, sub3(b, a)), v = only3(usable, sub3(c, b)), d = only3(usable, sub3(aim, a));
        pole = only3(usable, pole);
        bend = only3(usable, bend);
        const wide size = W(max)(largest3(u), W(max)(largest3(v), largest3(d)));
        const mask plain = W (and)(harmless(size), W (and)(harmless(largest3(pole)), harmless(largest3(bend))));
        put3(p->pole, i, pole);
        put3(p->bend, i, bend);
        put3(tile->u, i, u);
        put3(tile->v, i, v);
        put3(tile->w, i, only3(usable, sub3(c, a)));
        put3(tile->d, i, d);
        put3(tile->pole, i, pole);
        put3(tile->bend, i, bend);
        put_mask(p->usable, i, usable);
        put_mask(p->singular, i, W (and)(finite, W(not)(regular)));
        put_mask(p->plain, i, plain);
        put_mask(p->scaled, i, scaled_unevenly(linear_rows(p->above_knee, i), p->uneven));
        put_frame(p, 0, p->above_knee, i);
        put_frame(p, 1, p->above_ankle, i);
    }
}

SKL_INLINE m3 frame_rows(skl_limb_poses *p, int which, int i) {
    skl_two_bone_row *rows = p->frame[which];
    return (m3){row3(rows, i), row3(rows + 3, i), row3(rows + 6, i)};
}

SKL_INLINE void put_linear(skl_affine_rows m, int i, m3 turn) {
    const m3 turned = product3(turn, linear_rows(m, i));
    put3(m, i, turned.x);
    put3(m + 4, i, turned.y);
    put3(m + 8, i, turned.z);
}

/* f^T m f */
SKL_INLINE m3 conjugate3(m3 f, m3 m) { return product3(transpose3(f), product3(m, f)); }

static void skl_limb_poses_turn(skl_limb_poses *p, skl_two_bone_tile *tile, int turns_end) {
    for (int i = 0; i < p->count; i += W(LANES)) {
        const m3 upper = rotation3(tile->turn, i), whole = rotation3(tile->lower, i);
        /* The knee's turn as it was before the upper bone turned. */
        const m3 knee = conjugate3(frame_rows(p, 0, i), product3(transpose3(upper), whole));
        put_linear(p->local[0], i, upper);
        put_linear(p->local[1], i, knee);
        if (turns_end) put_linear(p->local[2], i, conjugate3(frame_rows(p, 1, i), transpose3(whole)));
    }
}

static void skl_limb_poses_carry_end(skl_limb_poses *p, const skl_affine_rows m) {
    for (int i = 0; i < p->count; i += W(LANES))
        put3(p->end, i, add3(transform3(linear_rows(m, i), row3(p->end, i)), origin_rows(m, i)));
}

static void skl_limb_poses_miss(skl_limb_poses *p, skl_two_bone_tile *tile) {
    const wide reached = number(tile->how.reached);
    for (int i = 0; i < p->count; i += W(LANES)) {
        const wide error = safe_length3(sub3(row3(p->end, i), row3(p->target, i)));
        const wide miss = length3(sub3(row3(tile->end_at, i), row3(tile->d, i)));
        const wide leg = W(add)(W(load)(tile->l1 + i), W(load)(tile->l2 + i));
        W(store)(p->error + i, error);
        put_mask(p->near, i,
                 W (and)(W(le)(miss, W(mul)(reached, leg)), W(le)(error, W(mul)(reached, W(load)(p->leg + i)))));
    }
}

#undef m3

#ifndef SKL_LIMB_POSES
#define SKL_LIMB_POSES(K32_, K64_)                                                                                     \
    {                                                                                                                  \
        .load = {K32_(pose_rows_load), K64_(pose_rows_load)},                                                          \
        .carry = {K32_(pose_rows_carry), K64_(pose_rows_carry)},                                                       \
        .store = {K32_(pose_rows_store), K64_(pose_rows_store)},                                                       \
        .multiply = skl_multiply_rows,                                                                                 \
        .inside = skl_limb_poses_inside,                                                                               \
        .turn = skl_limb_poses_turn,                                                                                   \
        .carry_end = skl_limb_poses_carry_end,                                                                         \
        .miss = skl_limb_poses_miss,                                                                                   \
    }
#endif
