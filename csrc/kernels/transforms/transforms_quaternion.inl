/* SPDX-License-Identifier: MIT */
/* Quaternions w x y z, from lanes to lanes. Where one has no direction its lane is returned as broken. */

#include "transforms_trigonometry.inl"

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

/* sin(share * angle) / angle, angle in 0 .. pi / 2. */
SKL_INLINE W(t) K(slerp_weight)(W(t) share, W(t) angle) {
    const W(t) x = W(mul)(share, angle), weight = W(mul)(share, K(sine_ratio)(x));
    const W(m) inside = W(le)(W(abs)(x), W(set1)((real)1.5708));
    if (W(all)(inside)) return weight;
    W(t) sine, cosine;
    K(sine_cosine)(x, &sine, &cosine);
    return W(select)(inside, weight, W(div)(sine, angle));
}

SKL_INLINE W(m) K(slerp_lanes)(const W(t) * in, W(t) * out) {
    W(t) p[4] = {in[0], in[1], in[2], in[3]}, q[4] = {in[4], in[5], in[6], in[7]}, apart[4], together[4];
    const W(t) t = in[8], one = W(set1)(1);
    const W(m) bad = K(either)(K(either)(K(unit)(p, 4), K(unit)(q, 4)), K(endless)(&in[8], 1));
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

SKL_INLINE W(m) K(from_axis_angle_lanes)(const W(t) * in, W(t) * out) {
    W(t) axis[3] = {in[0], in[1], in[2]}, sine;
    const W(m) bad = K(unit)(axis, 3);
    K(sine_cosine)(W(mul)(in[3], W(set1)((real)0.5)), &sine, &out[0]);
    for (int i = 0; i < 3; i++) out[1 + i] = W(mul)(axis[i], sine);
    return bad;
}

SKL_INLINE W(m) K(to_axis_angle_lanes)(const W(t) * in, W(t) * out) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) q[4] = {in[0], in[1], in[2], in[3]};
    const W(m) bad = K(unit)(q, 4);
    const W(t) length = W(sqrt)(K(dot3)(q + 1, q + 1));
    const W(m) none = W(eq)(length, zero);
    const W(t) sign = W(select)(W(lt)(q[0], zero), W(set1)(-1), one);
    K(scale_by)(q + 1, 3, W(div)(sign, W(select)(none, one, length)));
    for (int i = 0; i < 3; i++) out[i] = W(select)(none, i == 0 ? one : zero, q[1 + i]);
    out[3] = K(twice_angle)(length, W(abs)(q[0]));
    return bad;
}

/* The length is that of the vector by its largest part, whose squares neither overflow nor vanish; of next to nothing
 * the sine is the half angle itself. */
SKL_INLINE W(m) K(from_rotation_vector_lanes)(const W(t) * in, W(t) * out) {
    const W(t) one = W(set1)(1), half = W(set1)((real)0.5);
    const W(t) largest = W(max)(W(abs)(in[0]), W(max)(W(abs)(in[1]), W(abs)(in[2])));
    const W(t) unit = W(select)(W(lt)(W(set1)(0), largest), largest, one);
    W(t) part[3], sine;
    for (int i = 0; i < 3; i++) part[i] = W(div)(in[i], unit);
    const W(t) length = W(mul)(unit, W(sqrt)(K(dot3)(part, part)));
    K(sine_cosine)(W(mul)(length, half), &sine, &out[0]);
    const W(m) little = W(lt)(length, W(set1)((real)1e-10));
    const W(t) factor = W(select)(little, half, W(div)(sine, W(select)(little, one, length)));
    for (int i = 0; i < 3; i++) out[1 + i] = W(mul)(in[i], factor);
    return K(endless)(in, 3);
}

SKL_INLINE W(m) K(to_rotation_vector_lanes)(const W(t) * in, W(t) * out) {
    const W(t) zero = W(set1)(0), one = W(set1)(1), two = W(set1)(2);
    W(t) q[4] = {in[0], in[1], in[2], in[3]};
    const W(m) bad = K(unit)(q, 4);
    const W(t) length = W(sqrt)(K(dot3)(q + 1, q + 1));
    const W(m) none = W(eq)(length, zero);
    const W(t) angle = K(twice_angle)(length, W(abs)(q[0]));
    const W(t) factor = W(select)(none, two, W(div)(angle, W(select)(none, one, length)));
    const W(t) signed_factor = W(select)(W(lt)(q[0], zero), W(neg)(factor), factor);
    for (int i = 0; i < 3; i++) out[i] = W(mul)(q[1 + i], signed_factor);
    return bad;
}

/* The twist keeps w and the part of the vector along the axis; across the axis of a half turn there is none of either,
 * and no twist. */
SKL_INLINE W(m) K(swing_twist_lanes)(const W(t) * in, W(t) * out) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) q[4] = {in[0], in[1], in[2], in[3]}, axis[3] = {in[4], in[5], in[6]}, across[3];
    W(t) *swing = out, *twist = out + 4;
    const W(m) bad = K(either)(K(unit)(q, 4), K(unit)(axis, 3));
    K(scale_by)(q, 4, W(select)(W(lt)(q[0], zero), W(set1)(-1), one));
    const W(t) along = K(dot3)(q + 1, axis), length = W(sqrt)(W(fma)(along, along, W(mul)(q[0], q[0])));
    const W(m) none = W(eq)(length, zero);
    const W(t) inverse = W(div)(one, W(select)(none, one, length));
    twist[0] = W(select)(none, one, W(mul)(q[0], inverse));
    for (int i = 0; i < 3; i++) twist[1 + i] = W(mul)(axis[i], W(mul)(along, inverse));
    K(cross3)(q + 1, twist + 1, across);
    swing[0] = length;
    for (int i = 0; i < 3; i++)
        swing[1 + i] = W(sub)(W(fnma)(q[0], twist[1 + i], W(mul)(twist[0], q[1 + i])), across[i]);
    (void)K(unit)(twist, 4);
    (void)K(unit)(swing, 4);
    return bad;
}

/* The half-angle formulas; `in` are the angles in order of application, `sign` that of the permutation of X Y Z. */
SKL_INLINE W(m) K(from_euler_any)(const W(t) * in, W(t) sign, W(t) * out) {
    W(t) s[3], c[3];
    for (int i = 0; i < 3; i++) K(sine_cosine)(W(mul)(in[i], W(set1)((real)0.5)), &s[i], &c[i]);
    const W(t) cc = W(mul)(c[2], c[1]), cs = W(mul)(c[2], s[1]), sc = W(mul)(s[2], c[1]), ss = W(mul)(s[2], s[1]);
    out[0] = W(fma)(sign, W(mul)(ss, s[0]), W(mul)(cc, c[0]));
    out[1] = W(fnma)(sign, W(mul)(ss, c[0]), W(mul)(cc, s[0]));
    out[2] = W(fma)(sign, W(mul)(sc, s[0]), W(mul)(cs, c[0]));
    out[3] = W(fnma)(sign, W(mul)(cs, s[0]), W(mul)(sc, c[0]));
    return K(never)();
}

SKL_INLINE W(m) K(from_euler_even_lanes)(const W(t) * in, W(t) * out) { return K(from_euler_any)(in, W(set1)(1), out); }
SKL_INLINE W(m) K(from_euler_odd_lanes)(const W(t) * in, W(t) * out) { return K(from_euler_any)(in, W(set1)(-1), out); }

/* An angle within -2 pi .. 2 pi as one within -pi .. pi. */
SKL_INLINE W(t) K(wrapped)(W(t) angle) {
    const W(t) pi = W(set1)(K(pi)), turn = W(set1)(2 * K(pi));
    const W(t) lower = W(select)(W(lt)(pi, angle), W(sub)(angle, turn), angle);
    return W(select)(W(lt)(lower, W(neg)(pi)), W(add)(lower, turn), lower);
}

/* Half the sum and half the difference of the first and last angle are taken by two arctangents, which keeps all digits
 * next to gimbal lock, after E. Bernardes and S. Viollet, "Quaternion to Euler angles conversion" (PLOS ONE, 2022). */
SKL_INLINE W(m) K(to_euler_any)(const W(t) * in, W(t) sign, W(t) * out) {
    W(t) q[4] = {in[0], in[1], in[2], in[3]};
    const W(m) bad = K(unit)(q, 4);
    const W(t) pi = W(set1)(K(pi)), middle = W(mul)(sign, q[2]), tiny = W(set1)(16 * K(epsilon));
    const W(t) plus[2] = {W(add)(q[1], q[3]), W(sub)(q[0], middle)};
    const W(t) minus[2] = {W(sub)(q[1], q[3]), W(add)(q[0], middle)};
    const W(t) low = W(sqrt)(K(square)(plus, 2)), high = W(sqrt)(K(square)(minus, 2));
    W(t) sum = K(arctangent2)(plus[0], plus[1]), difference = K(arctangent2)(minus[0], minus[1]);
    /* At gimbal lock the angle that is applied last is 0. */
    sum = W(select)(W(lt)(low, tiny), difference, sum);
    difference = W(select)(W(lt)(high, tiny), sum, difference);
    const W(t) a = K(wrapped)(W(add)(sum, difference)), c = K(wrapped)(W(sub)(sum, difference));
    const W(t) b = W(mul)(sign, W(sub)(K(twice_angle)(high, low), W(mul)(pi, W(set1)((real)0.5))));
    /* The other solution is half a turn further in the first and the last, and b seen from the other side. */
    const W(t) size = W(add)(W(add)(W(abs)(a), W(abs)(b)), W(abs)(c));
    const W(m) other = W(lt)(W(mul)(pi, W(set1)((real)1.5)), size);
    out[0] = W(select)(other, W(sub)(a, W(copysign)(pi, a)), a);
    out[1] = W(select)(other, W(sub)(W(copysign)(pi, b), b), b);
    out[2] = W(select)(other, W(sub)(c, W(copysign)(pi, c)), c);
    return bad;
}

SKL_INLINE W(m) K(to_euler_even_lanes)(const W(t) * in, W(t) * out) { return K(to_euler_any)(in, W(set1)(1), out); }
SKL_INLINE W(m) K(to_euler_odd_lanes)(const W(t) * in, W(t) * out) { return K(to_euler_any)(in, W(set1)(-1), out); }
