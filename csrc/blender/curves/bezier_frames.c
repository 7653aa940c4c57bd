/* SPDX-License-Identifier: MIT */
/* Values of Bezier segments: what depends on the keys only is computed once per segment. */
#include "bezier_frames.h"

#include <float.h>
#include <math.h>

/* A cubic Bezier segment as a polynomial of 0...1. */
static void bezier_coefficients(float q0, float q1, float q2, float q3, float c[4]) {
    c[0] = q0;
    c[1] = 3.0f * (q1 - q0);
    c[2] = 3.0f * (q0 - 2.0f * q1 + q2);
    c[3] = q3 - q0 + 3.0f * (q1 - q2);
}

/* A handle that reaches beyond the other key in time is shortened to reach just there. */
static void shortened(const skl_fcurve_key *key, const float handle[2], float span, float into[2]) {
    const float x = key->time - handle[0], y = key->value - handle[1], length = fabsf(x);
    into[0] = handle[0];
    into[1] = handle[1];
    if (length > span) {
        const float factor = span / length;
        into[0] = key->time - factor * x;
        into[1] = key->value - factor * y;
    }
}

static int flat(float a, float b) { return fabsf(a - b) < FLT_EPSILON; }

static void make_segment(skl_bezier *segment, const skl_fcurve_key *from, const skl_fcurve_key *to) {
    float right[2], left[2], c[4];
    const float span = to->time - from->time;
    segment->to = to;
    segment->value[0] = from->value;
    segment->constant =
        flat(from->value, to->value) && flat(from->right[1], to->left[1]) && flat(to->left[1], to->value);
    if (segment->constant) return;
    shortened(from, from->right, span, right);
    shortened(to, to->left, span, left);
    bezier_coefficients(from->time, right[0], left[0], to->time, c);
    segment->time = c[0];
    segment->frames = skl_cubic_of(c);
    bezier_coefficients(from->value, right[1], left[1], to->value, segment->value);
}

void skl_bezier_add(skl_bezier_frames *some, const skl_fcurve_key *from, const skl_fcurve_key *to, float frame,
                    float *into) {
    skl_bezier *segment = some->segments + some->num_segments - 1;
    if (some->num_segments == 0 || segment->to != to) {
        segment = some->segments + some->num_segments++;
        make_segment(segment, from, to);
    }
    if (segment->constant) {
        *into = segment->value[0];
        return;
    }
    const int i = some->count++;
    some->cubics[i] = &segment->frames;
    some->values[i] = segment->value;
    some->constants[i] = segment->time - frame;
    some->into[i] = into;
}

void skl_bezier_run(skl_bezier_frames *some) {
    float roots[SKL_CUBICS];
    skl_rising_roots(some->cubics, some->constants, some->count, roots);
    for (int i = 0; i < some->count; i++) {
        const float u = roots[i], *c = some->values[i];
        *some->into[i] = c[0] + u * c[1] + u * u * c[2] + u * u * u * c[3];
    }
    some->count = some->num_segments = 0;
}
