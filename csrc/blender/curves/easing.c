/* SPDX-License-Identifier: MIT */
/* Easing equations: R. Penner, "Motion, Tweening, and Easing", chapter 7 of Programming Macromedia Flash MX (2002), in
 * the order of operations that gives Blender's float32 results. `t` counts from the key, `b` is where the curve
 * begins, `c` what it gains over the duration `d`. */
#include "easing.h"

#include <math.h>
#include "core/transforms/vector3.h"

static float power(float x, int exponent) {
    float product = x;
    for (int i = 1; i < exponent; i++) product *= x;
    return product;
}

static float scaled_power(float c, float x, int exponent) {
    for (int i = 0; i < exponent; i++) c *= x;
    return c;
}

static float polynomial(skl_easing easing, int n, float t, float b, float c, float d) {
    if (easing == SKL_EASE_IN) return scaled_power(c, t / d, n) + b;
    if (easing == SKL_EASE_OUT) {
        const float u = t / d, v = u - 1.0f;
        if (n == 2) return -c * u * (u - 2.0f) + b;
        return n % 2 ? c * (power(v, n) + 1.0f) + b : -c * (power(v, n) - 1.0f) + b;
    }
    const float u = t / (d / 2.0f), v = u - 2.0f, w = u - 1.0f;
    if (u < 1.0f) return scaled_power(c / 2.0f, u, n) + b;
    if (n == 2) return -c / 2.0f * (w * (w - 2.0f) - 1.0f) + b;
    return n % 2 ? c / 2.0f * (power(v, n) + 2.0f) + b : -c / 2.0f * (power(v, n) - 2.0f) + b;
}

static float sinusoidal(skl_easing easing, float t, float b, float c, float d) {
    if (easing == SKL_EASE_IN) return -c * cosf(t / d * (float)(SKL_PI / 2.0)) + c + b;
    if (easing == SKL_EASE_OUT) return c * sinf(t / d * (float)(SKL_PI / 2.0)) + b;
    return -c / 2.0f * (cosf((float)SKL_PI * t / d) - 1.0f) + b;
}

static float circular(skl_easing easing, float t, float b, float c, float d) {
    if (easing == SKL_EASE_IN) {
        const float u = t / d;
        return -c * (sqrtf(1.0f - u * u) - 1.0f) + b;
    }
    if (easing == SKL_EASE_OUT) {
        const float v = t / d - 1.0f;
        return c * sqrtf(1.0f - v * v) + b;
    }
    const float u = t / (d / 2.0f), v = u - 2.0f;
    if (u < 1.0f) return -c / 2.0f * (sqrtf(1.0f - u * u) - 1.0f) + b;
    return c / 2.0f * (sqrtf(1.0f - v * v) + 1.0f) + b;
}

static float back(skl_easing easing, float t, float b, float c, float d, float s) {
    if (easing == SKL_EASE_IN) {
        const float u = t / d;
        return c * u * u * ((s + 1.0f) * u - s) + b;
    }
    if (easing == SKL_EASE_OUT) {
        const float v = t / d - 1.0f;
        return c * (v * v * ((s + 1.0f) * v + s) + 1.0f) + b;
    }
    const float u = t / (d / 2.0f), v = u - 2.0f;
    s *= 1.525f;
    if (u < 1.0f) return c / 2.0f * (u * u * ((s + 1.0f) * u - s)) + b;
    return c / 2.0f * (v * v * ((s + 1.0f) * v + s) + 2.0f) + b;
}

static float bounce_out(float t, float b, float c, float d) {
    float u = t / d, rest = 0.0f;
    if (u >= (float)(2.5 / 2.75)) {
        u -= 2.625f / 2.75f;
        rest = 0.984375f;
    } else if (u >= (float)(2.0 / 2.75)) {
        u -= 2.25f / 2.75f;
        rest = 0.9375f;
    } else if (u >= (float)(1.0 / 2.75)) {
        u -= 1.5f / 2.75f;
        rest = 0.75f;
    }
    return c * (7.5625f * u * u + rest) + b;
}

static float bounce_in(float t, float b, float c, float d) { return c - bounce_out(d - t, 0.0f, c, d) + b; }

static float bounce(skl_easing easing, float t, float b, float c, float d) {
    if (easing == SKL_EASE_IN) return bounce_in(t, b, c, d);
    if (easing == SKL_EASE_OUT) return bounce_out(t, b, c, d);
    if (t < d / 2.0f) return bounce_in(t * 2.0f, 0.0f, c, d) * 0.5f + b;
    return bounce_out(t * 2.0f - d, 0.0f, c, d) * 0.5f + c * 0.5f + b;
}

/* The exponential, from 0 at x = -10 to 1 at x = 0. */
static float exponential_part(float x) {
    const float least = 0.0009765625f, scale = (float)(1.0 / (1.0 - 0.0009765625));
    return (exp2f(x) - least) * scale;
}

static float exponential(skl_easing easing, float t, float b, float c, float d) {
    if (easing == SKL_EASE_IN) {
        const float least = 0.0009765625f, scale = (float)(1.0 / (1.0 - 0.0009765625));
        return c * (exp2f(10.0f * (t / d - 1.0f)) - least) * scale + b;
    }
    if (easing == SKL_EASE_OUT) return c * (1.0f - exponential_part(-10.0f * t / d)) + b;
    if (t <= d / 2.0f) return exponential(SKL_EASE_IN, t, b, c * 0.5f, d * 0.5f);
    return exponential(SKL_EASE_OUT, t - d * 0.5f, b + c * 0.5f, c * 0.5f, d * 0.5f);
}

/* One decaying oscillation. An amplitude below the change counts as the change, but shrinks from it within the quarter
 * period next to the key where the wave is widest. */
typedef struct elastic_wave {
    float amplitude, period, shift, least;
    int blends;
} elastic_wave;

static elastic_wave elastic_wave_of(float a, float p, float c) {
    elastic_wave wave = {a, p, 0.0f, 1.0f, 0};
    if (a == 0.0f || a < fabsf(c)) {
        wave.least = c != 0.0f && a != 0.0f ? a / fabsf(c) : 0.0f;
        wave.blends = 1;
        wave.amplitude = c;
        wave.shift = p / 4.0f;
    } else {
        wave.shift = p / (float)(2.0 * SKL_PI) * asinf(c / a);
    }
    return wave;
}

/* The wave at x <= 0: as many durations from the key where it is widest. */
static float elastic_at(const elastic_wave *wave, float x, float d) {
    float factor = wave->least;
    if (wave->blends) {
        const float near = fabsf(x * d), quarter = fabsf(wave->shift);
        if (near < quarter) {
            const float part = near / quarter;
            factor = factor * part + (1.0f - part);
        }
    }
    const float angle = (x * d - wave->shift) * (float)(2.0 * SKL_PI) / wave->period;
    return factor * (wave->amplitude * exp2f(10.0f * x) * sinf(angle));
}

static float elastic(skl_easing easing, const skl_fcurve_key *key, float t, float c, float d) {
    const float b = key->value;
    const int both = easing == SKL_EASE_IN_OUT;
    if (t == 0.0f) return b;
    float u = both ? t / (d / 2.0f) : t / d;
    if (u == (both ? 2.0f : 1.0f)) return b + c;
    const float period = key->period != 0.0f ? key->period : both ? d * (0.3f * 1.5f) : d * 0.3f;
    const elastic_wave wave = elastic_wave_of(key->amplitude, period, c);
    if (easing == SKL_EASE_OUT) return elastic_at(&wave, -u, d) + c + b;
    u -= 1.0f;
    if (!both) return -elastic_at(&wave, u, d) + b;
    if (u < 0.0f) return -0.5f * elastic_at(&wave, u, d) + b;
    return 0.5f * elastic_at(&wave, -u, d) + c + b;
}

float skl_fcurve_ease(skl_interpolation interpolation, skl_easing easing, const skl_fcurve_key *from, float time,
                      float change, float duration) {
    const float t = time, b = from->value, c = change, d = duration;
    if (easing == SKL_EASE_AUTO) {
        const int dynamic = interpolation == SKL_BACK || interpolation == SKL_BOUNCE || interpolation == SKL_ELASTIC;
        easing = dynamic ? SKL_EASE_OUT : SKL_EASE_IN;
    }
    switch (interpolation) {
    case SKL_BACK:
        return back(easing, t, b, c, d, from->back);
    case SKL_BOUNCE:
        return bounce(easing, t, b, c, d);
    case SKL_CIRC:
        return circular(easing, t, b, c, d);
    case SKL_CUBIC:
        return polynomial(easing, 3, t, b, c, d);
    case SKL_ELASTIC:
        return elastic(easing, from, t, c, d);
    case SKL_EXPO:
        return exponential(easing, t, b, c, d);
    case SKL_QUAD:
        return polynomial(easing, 2, t, b, c, d);
    case SKL_QUART:
        return polynomial(easing, 4, t, b, c, d);
    case SKL_QUINT:
        return polynomial(easing, 5, t, b, c, d);
    case SKL_SINE:
        return sinusoidal(easing, t, b, c, d);
    case SKL_CONSTANT:
        return b;
    case SKL_LINEAR_KEYS:
    case SKL_BEZIER:
        break;
    }
    return c * t / d + b;
}
