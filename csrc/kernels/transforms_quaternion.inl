/* SPDX-License-Identifier: MIT */
/* Quaternions w x y z, from lanes to lanes. Where one has no direction its lane is returned as broken. */

SKL_INLINE W(m) K(multiply_quaternions_lanes)(const W(t) * in, W(t) * out) {
    W(t) p[4] = {in[0], in[1], in[2], in[3]}, q[4] = {in[4], in[5], in[6], in[7]}, square;
    const W(m) bad = K(either)(K(tame)(p, &square), K(tame)(q, &square));
    out[0] = W(fnma)(p[3], q[3], W(fnma)(p[2], q[2], W(fnma)(p[1], q[1], W(mul)(p[0], q[0]))));
    for (int i = 0; i < 3; i++) {
        const int a = 1 + i, b = 1 + (i + 1) % 3, c = 1 + (i + 2) % 3;
        out[a] = W(fnma)(p[c], q[b], W(fma)(p[b], q[c], W(fma)(p[a], q[0], W(mul)(p[0], q[a]))));
    }
    (void)K(unit)(out, 4);
    return bad;
}

SKL_INLINE W(m) K(rotate_lanes)(const W(t) * in, W(t) * out) {
    W(t) q[4] = {in[0], in[1], in[2], in[3]}, square, once[3], twice[3];
    const W(t) *v = in + 4;
    const W(m) bad = K(tame)(q, &square);
    K(cross3)(q + 1, v, once);
    K(scale_by)(once, 3, W(div)(W(set1)(2), square));
    K(cross3)(q + 1, once, twice);
    for (int i = 0; i < 3; i++) out[i] = W(add)(W(fma)(q[0], once[i], v[i]), twice[i]);
    return bad;
}

SKL_INLINE W(m) K(to_matrix_lanes)(const W(t) * in, W(t) * out) {
    W(t) q[4] = {in[0], in[1], in[2], in[3]}, square;
    const W(m) bad = K(tame)(q, &square);
    K(rotation)(q, square, out);
    return bad;
}

SKL_INLINE W(m) K(from_matrix_lanes)(const W(t) * in, W(t) * out) {
    W(t) m[9], scales[3];
    for (int i = 0; i < 9; i++) m[i] = in[i];
    K(split_scale)(m, scales);
    K(quaternion_of)(m, out);
    return K(never)();
}

/* Half the sum and half the difference of the unit vectors are the cosine and the sine of half the angle; the axis is
 * taken from whichever of the two is exact: u x v = u x (v - u) = u x (u + v), of which the short one is a difference
 * without rounding. */
SKL_INLINE W(m) K(between_lanes)(const W(t) * in, W(t) * out) {
    const W(t) none = W(set1)(0), one = W(set1)(1), half = W(set1)((real)0.5);
    W(t) u[3] = {in[0], in[1], in[2]}, v[3] = {in[3], in[4], in[5]}, low[3], high[3], axis[3];
    const W(m) bad = K(either)(K(unit)(u, 3), K(unit)(v, 3)), near = W(le)(none, K(dot3)(u, v));
    for (int i = 0; i < 3; i++) {
        const W(t) sum = W(add)(u[i], v[i]), difference = W(sub)(v[i], u[i]);
        low[i] = W(select)(near, difference, sum);
        high[i] = W(select)(near, sum, difference);
    }
    K(cross3)(u, low, axis);
    W(t) sine = W(sqrt)(K(dot3)(axis, axis));
    const W(t) long_half = W(mul)(half, W(sqrt)(K(dot3)(high, high)));
    const W(t) tiny = W(set1)(4 * K(epsilon));
    const W(m) opposite = K(both)(W(not)(near), W(lt)(sine, tiny));
    if (W(any)(opposite)) {
        W(t) other[3];
        K(perpendicular)(u, other);
        K(choose)(opposite, other, axis, 3, axis);
        sine = W(select)(opposite, one, sine);
    }
    /* sin = 2 sin(half) cos(half): the long half is the cosine below a right angle and the sine above it. */
    const W(t) short_half = W(select)(opposite, none, W(div)(W(mul)(half, sine), long_half));
    out[0] = W(select)(near, long_half, short_half);
    const W(t) factor = W(div)(W(select)(near, half, long_half), W(select)(near, long_half, sine));
    for (int i = 0; i < 3; i++) out[1 + i] = W(mul)(axis[i], factor);
    (void)K(unit)(out, 4);
    return bad;
}

/* c[0] + c[1] z + ... */
SKL_INLINE W(t) K(polynomial)(const double *c, int count, W(t) z) {
    W(t) sum = W(set1)((real)c[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = W(fma)(sum, z, W(set1)((real)c[i]));
    return sum;
}

/* The angle in 0 .. pi / 2 whose half has the tangent a / b, 0 <= a <= b, b not 0. Minimax polynomials on
 * 0 .. tan(pi / 8), to which the rest is brought by tan(x - pi / 4) = (tan x - 1) / (tan x + 1). */
SKL_INLINE W(t) K(twice_arctangent)(W(t) a, W(t) b) {
    static const double few[5] = {-0.33333331753816968908, 0.19999538794771921465, -0.14263897112598675469,
                                  0.10743099667674570334, -0.064498352245914961484};
    static const double many[11] = {-0.33333333333333330127,  0.19999999999995479198,   -0.1428571428465789355,
                                    0.111111110145610136,     -0.090909045498846109542, 0.076921825351166482025,
                                    -0.066645022156714471047, 0.058580687568615105558,  -0.050850304928109405895,
                                    0.039219552532551295425,  -0.019162068915902575579};
    const W(m) steep = W(lt)(W(mul)(b, W(set1)((real)0.41421356237309503)), a);
    const W(t) y = W(div)(W(select)(steep, W(sub)(a, b), a), W(select)(steep, W(add)(a, b), b));
    const W(t) z = W(mul)(y, y), series = SKL_IS_F32 ? K(polynomial)(few, 5, z) : K(polynomial)(many, 11, z);
    const W(t) angle = W(fma)(W(mul)(y, z), series, y), quarter = W(set1)((real)1.5707963267948966);
    return W(select)(steep, W(fma)(angle, W(set1)(2), quarter), W(add)(angle, angle));
}

/* sin(x) / x for |x| <= pi / 2, by minimax polynomials. */
SKL_INLINE W(t) K(sine_ratio)(W(t) x) {
    static const double few[4] = {-0.16666665961027892129, 0.0083332418640741379781, -0.00019822702936780130412,
                                  2.6346380339276337736e-6};
    static const double many[8] = {-0.16666666666666666633,    0.0083333333333333157466,  -0.00019841269841254884688,
                                   2.7557319219139182201e-6,   -2.5052107613934760316e-8, 1.6058977114074673292e-10,
                                   -7.6439639659253566639e-13, 2.7313658674940167236e-15};
    const W(t) z = W(mul)(x, x), series = SKL_IS_F32 ? K(polynomial)(few, 4, z) : K(polynomial)(many, 8, z);
    return W(fma)(z, series, W(set1)(1));
}

/* The nearest whole number; |x| is below 2^22 (float32) or 2^51. */
SKL_INLINE W(t) K(whole)(W(t) x) {
    const W(t) shift = W(set1)(K(round_shift));
    return W(sub)(W(add)(x, shift), shift);
}

/* sin(share * angle) / angle, angle in 0 .. pi / 2. Beyond pi / 2 the argument is brought back by half turns, pi taken
 * in three parts so that the product with each of the first two is exact; where so many turns are left that their
 * fraction has lost its digits, the result is not a number. */
SKL_INLINE W(t) K(slerp_weight)(W(t) share, W(t) angle) {
    const W(t) x = W(mul)(share, angle), size = W(abs)(x);
    const W(m) inside = W(le)(size, W(set1)((real)1.5708));
    const W(t) weight = W(mul)(share, K(sine_ratio)(x));
    if (W(all)(inside)) return weight;
    const W(t) turns = K(whole)(W(mul)(x, W(set1)((real)0.3183098861837907)));
    W(t) rest = W(fnma)(turns, W(set1)(SKL_IS_F32 ? (real)3.140625 : (real)3.14159262180328369140625), x);
    rest =
        W(fnma)(turns, W(set1)(SKL_IS_F32 ? (real)9.67502593994140625e-4 : (real)3.178650942459171346854419e-8), rest);
    rest = W(fnma)(turns, W(set1)(SKL_IS_F32 ? (real)1.509957990978376e-7 : (real)1.224646799147353177e-16), rest);
    const W(t) odd = W(abs)(W(fnma)(W(set1)(2), K(whole)(W(mul)(turns, W(set1)((real)0.5))), turns));
    const W(t) sine = W(mul)(W(mul)(rest, K(sine_ratio)(rest)), W(fnma)(W(set1)(2), odd, W(set1)(1)));
    const W(m) known = W(le)(size, W(set1)(SKL_IS_F32 ? (real)8192 : (real)1e8));
    return W(select)(inside, weight, W(select)(known, W(div)(sine, angle), W(set1)((real)NAN)));
}

SKL_INLINE W(m) K(slerp_lanes)(const W(t) * in, W(t) * out) {
    W(t) p[4] = {in[0], in[1], in[2], in[3]}, q[4] = {in[4], in[5], in[6], in[7]}, apart[4], together[4];
    const W(t) t = in[8], one = W(set1)(1);
    const W(m) bad = K(either)(K(unit)(p, 4), K(unit)(q, 4));
    const W(t) sign = W(select)(W(lt)(W(fma)(p[3], q[3], K(dot3)(p, q)), W(set1)(0)), W(set1)(-1), one);
    for (int i = 0; i < 4; i++) {
        q[i] = W(mul)(q[i], sign);
        apart[i] = W(sub)(p[i], q[i]);
        together[i] = W(add)(p[i], q[i]);
    }
    const W(t) angle = K(twice_arctangent)(W(sqrt)(K(square4)(apart)), W(sqrt)(K(square4)(together)));
    const W(t) from = K(slerp_weight)(W(sub)(one, t), angle), to = K(slerp_weight)(t, angle);
    for (int i = 0; i < 4; i++) out[i] = W(fma)(to, q[i], W(mul)(from, p[i]));
    (void)K(unit)(out, 4);
    return bad;
}
