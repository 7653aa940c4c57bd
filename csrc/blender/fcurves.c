/* SPDX-License-Identifier: MIT */
/* Values of F-curves: the search for the keys around a frame, what lies between and beyond them, and the cycles. */
#include <float.h>
#include <math.h>

#include "../core/parallel.h"
#include "../core/status.h"
#include "cubic_root.h"
#include "easing.h"

/* A frame this close to a key is the key's. */
#define SAME_FRAME 0.0001f
/* Curves side by side: their values on a frame fill a cache line of the output. */
#define BLOCK 16

typedef struct fcurve {
    const skl_fcurve_key *keys;
    const uint8_t *interpolation, *easing;
    int64_t count;
    int linear, rounds;
    const skl_fcurve_cycles *cycles;
    int64_t next; /* key after the frame that was searched last: most often still right */
} fcurve;

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

static float bezier(const skl_fcurve_key *from, const skl_fcurve_key *to, float frame) {
    float right[2], left[2], c[4];
    const float span = to->time - from->time;
    if (flat(from->value, to->value) && flat(from->right[1], to->left[1]) && flat(to->left[1], to->value))
        return from->value;
    shortened(from, from->right, span, right);
    shortened(to, to->left, span, left);
    bezier_coefficients(from->time, right[0], left[0], to->time, c);
    c[0] -= frame;
    const float u = (float)skl_rising_root(c);
    bezier_coefficients(from->value, right[1], left[1], to->value, c);
    return c[0] + u * c[1] + u * u * c[2] + u * u * u * c[3];
}

static float between(const fcurve *curve, int64_t next, float frame) {
    const skl_fcurve_key *from = &curve->keys[next - 1], *to = &curve->keys[next];
    const skl_interpolation interpolation = (skl_interpolation)curve->interpolation[next - 1];
    const float duration = to->time - from->time;
    if (interpolation == SKL_CONSTANT || duration == 0.0f) return from->value;
    if (interpolation == SKL_BEZIER) return bezier(from, to, frame);
    return skl_fcurve_ease(interpolation, (skl_easing)curve->easing[next - 1], from, frame - from->time,
                           to->value - from->value, duration);
}

/* Value before the first key, or after the last one. */
static float beyond(const fcurve *curve, int after, float frame) {
    const int64_t end = after ? curve->count - 1 : 0;
    const skl_fcurve_key *key = &curve->keys[end];
    const skl_interpolation interpolation = (skl_interpolation)curve->interpolation[end];
    if (!curve->linear || interpolation == SKL_CONSTANT) return key->value;
    const float *handle = after ? key->right : key->left;
    float time = handle[0], value = handle[1];
    if (interpolation == SKL_LINEAR_KEYS) {
        if (curve->count == 1) return key->value;
        time = curve->keys[after ? end - 1 : 1].time;
        value = curve->keys[after ? end - 1 : 1].value;
    }
    if (time == key->time) return key->value;
    return key->value - (value - key->value) / (time - key->time) * (key->time - frame);
}

static float keyed(fcurve *curve, float frame) {
    const skl_fcurve_key *keys = curve->keys;
    const int64_t last = curve->count - 1, next = curve->next;
    if (next > 0 && frame - keys[next - 1].time >= SAME_FRAME && keys[next].time - frame >= SAME_FRAME)
        return between(curve, next, frame);
    if (last < 0) return 0.0f;
    if (frame <= keys[0].time) return beyond(curve, 0, frame);
    if (frame >= keys[last].time) return beyond(curve, 1, frame);
    if (frame - keys[0].time < SAME_FRAME) return keys[0].value;
    if (keys[last].time - frame < SAME_FRAME) return keys[last].value;
    int64_t low = 0, high = last + 1; /* just these bounds pick Blender's of several keys on one frame */
    while (low <= high) {
        const int64_t middle = low + (high - low) / 2;
        if (fabsf(frame - keys[middle].time) < SAME_FRAME) return keys[middle].value;
        if (frame > keys[middle].time)
            low = middle + 1;
        else
            high = middle - 1;
    }
    curve->next = low;
    return between(curve, low, frame);
}

/* How much of the modifier counts on a frame. */
static float influence_on(const skl_fcurve_cycles *cycles, float frame) {
    if (cycles->restricted == 0.0f) return cycles->influence;
    if (frame < cycles->start || frame > cycles->end) return 0.0f;
    if (cycles->blend_in != 0.0f && frame <= cycles->start + cycles->blend_in)
        return cycles->influence * (frame - cycles->start) / cycles->blend_in;
    if (cycles->blend_out != 0.0f && frame >= cycles->end - cycles->blend_out)
        return cycles->influence * (cycles->end - frame) / cycles->blend_out;
    return cycles->influence;
}

/* The frame within the keys that stands for `frame`, and what the value there gains. */
static float cycled(const fcurve *curve, float frame, float *gain) {
    const skl_fcurve_cycles *cycles = curve->cycles;
    const skl_fcurve_key *first = &curve->keys[0], *last = &curve->keys[curve->count - 1];
    const int after = frame > last->time;
    *gain = 0.0f;
    if (!after && !(frame < first->time)) return frame;
    const int mode = (int)cycles->mode[after];
    const float origin = after ? last->time : first->time, span = last->time - first->time;
    if (mode == SKL_CYCLE_NONE || span == 0.0f) return frame;
    const double cycle = ((double)frame - (double)origin) / (double)span;
    const float phase = fmodf(frame - origin, span), rounded = (frame - origin) / span;
    if (cycles->count[after] != 0.0f && fabs(cycle) > (double)cycles->count[after]) return frame;
    if (mode == SKL_REPEAT_OFFSET) *gain = (after ? ceilf(rounded) : floorf(rounded)) * (last->value - first->value);
    const int odd = fmod(trunc(fabs(curve->rounds ? (double)rounded : cycle)), 2.0) != 0.0;
    if (phase == 0.0f) return (mode == SKL_MIRROR && odd) == after ? first->time : last->time;
    if (mode == SKL_MIRROR && !odd) return phase < 0.0f ? first->time - phase : last->time - phase;
    return phase < 0.0f ? first->time + phase + span : first->time + phase;
}

static float mixed(float a, float b, float part) { return part * b + (1.0f - part) * a; }

static float evaluated(fcurve *curve, float frame) {
    float gain = 0.0f;
    float influence = curve->count == 0 ? 0.0f : influence_on(curve->cycles, frame);
    if (influence == 0.0f) return keyed(curve, frame);
    frame = mixed(frame, cycled(curve, frame, &gain), influence);
    const float value = keyed(curve, frame);
    influence = influence_on(curve->cycles, frame); /* of the frame that it is now */
    return mixed(value, value + gain, influence);
}

static fcurve curve_of(const skl_evaluate_fcurves_job *job, int64_t c) {
    const int64_t start = job->starts[c];
    return (fcurve){.keys = job->keys + start,
                    .interpolation = job->interpolation + start,
                    .easing = job->easing + start,
                    .count = job->starts[c + 1] - start,
                    .linear = job->linear[c] != 0,
                    .rounds = job->rounds,
                    .cycles = job->cycles + c};
}

static void evaluate_block(void *context, int64_t begin, int64_t end, int worker) {
    const skl_evaluate_fcurves_job *job = context;
    fcurve block[BLOCK];
    (void)worker;
    for (int64_t c = begin; c < end; c++) block[c - begin] = curve_of(job, c);
    for (int64_t i = 0; i < job->num_frames; i++) {
        float *out = job->out + i * job->num_curves;
        for (int64_t c = begin; c < end; c++) out[c] = evaluated(&block[c - begin], job->frames[i]);
    }
}

skl_code skl_evaluate_fcurves_run(skl_evaluate_fcurves_job *job) {
    for (int64_t i = 0; i < job->num_frames; i++) {
        if (!isfinite(job->frames[i]))
            return skl_fail_at(&job->status, "frames", i, (double)job->frames[i], "it must be finite");
    }
    skl_parallel_for(job->num_curves, BLOCK, skl_parallel_workers(job->num_curves, BLOCK), evaluate_block, job);
    return SKL_OK;
}
