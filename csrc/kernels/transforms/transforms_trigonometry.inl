/* SPDX-License-Identifier: MIT */
/* Sines, cosines and arctangents of wides, by minimax polynomials: exact to a few units of the last place.
 *
 * twice_arctangent arctangent2 · sine_ratio sine_cosine · whole */

static const real K(pi) = (real)3.14159265358979323846;

/* pi in three parts, of which the first two have room for a whole factor. */
static const real K(pi_first) = SKL_IS_F32 ? (real)3.140625 : (real)3.14159262180328369140625;
static const real K(pi_second) = SKL_IS_F32 ? (real)9.67502593994140625e-4 : (real)3.178650942459171346854419e-8;
static const real K(pi_third) = SKL_IS_F32 ? (real)1.509957990978376e-7 : (real)1.224646799147353177e-16;

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

/* The angle of the point (x, y), -pi .. pi; not a number for (0, 0). */
SKL_INLINE W(t) K(arctangent2)(W(t) y, W(t) x) {
    const W(t) up = W(abs)(y), along = W(abs)(x);
    const W(t) angle = W(mul)(K(twice_arctangent)(W(min)(up, along), W(max)(up, along)), W(set1)((real)0.5));
    const W(t) steep = W(select)(W(lt)(along, up), W(sub)(W(set1)(K(pi) / 2), angle), angle);
    return W(copysign)(W(select)(W(lt)(x, W(set1)(0)), W(sub)(W(set1)(K(pi)), steep), steep), y);
}

/* Twice the angle in 0 .. pi / 2 of the point (x, y), 0 <= x, 0 <= y, not both 0. */
SKL_INLINE W(t) K(twice_angle)(W(t) y, W(t) x) {
    const W(t) angle = K(twice_arctangent)(W(min)(y, x), W(max)(y, x));
    return W(select)(W(lt)(x, y), W(sub)(W(set1)(K(pi)), angle), angle);
}

/* Beyond this, quarter turns taken off in three parts would cost digits. */
static const real K(most_angle) = SKL_IS_F32 ? (real)4096 : (real)1e7;

/* The lanes beyond most_angle by the C library. */
static inline void K(far_sine_cosine)(W(t) x, W(t) * sine, W(t) * cosine) {
    real angles[W(LANES)], sines[W(LANES)], cosines[W(LANES)];
    W(store)(angles, x);
    W(store)(sines, *sine);
    W(store)(cosines, *cosine);
    for (int i = 0; i < W(LANES); i++) {
        if (angles[i] >= -K(most_angle) && angles[i] <= K(most_angle)) continue;
        sines[i] = (real)sin((double)angles[i]);
        cosines[i] = (real)cos((double)angles[i]);
    }
    *sine = W(load)(sines);
    *cosine = W(load)(cosines);
}

/* Quarter turns are taken off, pi / 2 in three parts so that the products with the first two are exact; the cosine of
 * the rest is 1 - 2 sin(rest / 2)^2. */
SKL_INLINE void K(sine_cosine)(W(t) x, W(t) * sine, W(t) * cosine) {
    const W(t) zero = W(set1)(0), one = W(set1)(1), half = W(set1)((real)0.5), two = W(set1)(2);
    const W(t) quarters = K(whole)(W(mul)(x, W(set1)((real)0.6366197723675814)));
    W(t) rest = W(fnma)(quarters, W(set1)(K(pi_first) / 2), x);
    rest = W(fnma)(quarters, W(set1)(K(pi_second) / 2), rest);
    rest = W(fnma)(quarters, W(set1)(K(pi_third) / 2), rest);
    const W(t) s = W(mul)(rest, K(sine_ratio)(rest)), h = W(mul)(rest, half);
    const W(t) of_half = W(mul)(h, K(sine_ratio)(h)), c = W(fnma)(W(mul)(two, of_half), of_half, one);
    /* -2 .. 2 quarters are left of whole turns. */
    const W(t) left = W(fnma)(W(set1)(4), K(whole)(W(mul)(quarters, W(set1)((real)0.25))), quarters);
    const W(m) odd = W(eq)(W(abs)(left), one), back = W(eq)(W(abs)(left), two);
    const W(t) first = W(select)(odd, c, s), second = W(select)(odd, s, c);
    *sine = W(select)(K(either)(back, W(eq)(left, W(neg)(one))), W(sub)(zero, first), first);
    *cosine = W(select)(K(either)(back, W(eq)(left, one)), W(sub)(zero, second), second);
    if (!W(all)(W(le)(W(abs)(x), W(set1)(K(most_angle))))) K(far_sine_cosine)(x, sine, cosine);
}
