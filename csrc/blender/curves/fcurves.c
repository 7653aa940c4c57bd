/* SPDX-License-Identifier: MIT */
/* Values of F-curves: the search for the keys around a frame, what lies between and beyond them, and the cycles. */
#include <math.h>

#include "bezier_frames.h"
#include "easing.h"
#include "core/base/parallel.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"

/* A frame this close to a key is the key's. */
#define SAME_FRAME 0.0001f
/* Curves side by side: their values on a frame fill a cache line of the output. */
#define BLOCK 16
/* Frames of a curve at a time. */
#define FRAMES SKL_CUBICS
/* Keys to step over before a search is quicker. */
#define STEPS 8

typedef struct fcurve {
    const skl_fcurve_key *keys;
    const uint8_t *interpolation, *easing;
    int64_t count;
    int linear, rounds;
    const skl_fcurve_cycles *cycles;
    int64_t next; /* key after, or on, the frame that was looked for last; at least 1 */
} fcurve;

/* Write the value between a key and the one before, or note to do so. */
static void between(const fcurve *curve, int64_t next, float frame, skl_bezier_frames *later, float *value) {
    const skl_fcurve_key *from = &curve->keys[next - 1], *to = &curve->keys[next];
    const skl_interpolation interpolation = (skl_interpolation)curve->interpolation[next - 1];
    const float duration = to->time - from->time;
    if (interpolation == SKL_CONSTANT || duration == 0.0f)
        *value = from->value;
    else if (interpolation == SKL_BEZIER)
        skl_bezier_add(later, from, to, frame, value);
    else
        *value = skl_fcurve_ease(interpolation, (skl_easing)curve->easing[next - 1], from, frame - from->time,
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

/* Walk on from the frame before, since frames most often rise; whether that has led to the place of this one. It has
 * not on frames of more keys than one, and on the first and last key and beyond. */
static int walked(fcurve *curve, float frame, skl_bezier_frames *later, float *value) {
    const skl_fcurve_key *keys = curve->keys;
    const int64_t last = curve->count - 1;
    int64_t next = curve->next;
    if (next > last || !(frame - keys[next - 1].time >= SAME_FRAME)) return 0;
    for (int i = 0; i < STEPS && next < last && frame - keys[next].time >= SAME_FRAME; i++) next++;
    curve->next = next;
    if (keys[next].time - frame >= SAME_FRAME) {
        between(curve, next, frame, later, value);
        return 1;
    }
    if (next == last || frame - keys[next].time >= SAME_FRAME || !(keys[next + 1].time - frame >= SAME_FRAME)) return 0;
    *value = keys[next].value;
    return 1;
}

/* Write the value of the keys on a frame, or note to do so. */
static void keyed(fcurve *curve, float frame, skl_bezier_frames *later, float *value) {
    const skl_fcurve_key *keys = curve->keys;
    const int64_t last = curve->count - 1;
    if (walked(curve, frame, later, value)) return;
    if (last < 0 || !(frame > keys[0].time) || frame >= keys[last].time) {
        *value = last < 0 ? 0.0f : beyond(curve, frame > keys[0].time, frame);
        return;
    }
    if (frame - keys[0].time < SAME_FRAME || keys[last].time - frame < SAME_FRAME) {
        *value = frame - keys[0].time < SAME_FRAME ? keys[0].value : keys[last].value;
        return;
    }
    int64_t low = 0, high = last + 1; /* just these bounds pick Blender's of several keys on one frame */
    while (low <= high) {
        const int64_t middle = low + (high - low) / 2;
        if (fabsf(frame - keys[middle].time) < SAME_FRAME) {
            curve->next = middle;
            *value = keys[middle].value;
            return;
        }
        if (frame > keys[middle].time)
            low = middle + 1;
        else
            high = middle - 1;
    }
    curve->next = low;
    between(curve, low, frame, later, value);
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

/* The frames on which the keys are looked up in place of those, and what the modifier makes of the values there. */
typedef struct cycled_frames {
    int counts[FRAMES]; /* whether it does anything */
    float at[FRAMES], gain[FRAMES], influence[FRAMES];
} cycled_frames;

static void cycle_frames(const fcurve *curve, const float *frames, int count, cycled_frames *to) {
    for (int i = 0; i < count; i++) {
        const float influence = influence_on(curve->cycles, frames[i]);
        to->counts[i] = influence != 0.0f;
        to->at[i] = frames[i];
        if (!to->counts[i]) continue;
        to->at[i] = mixed(frames[i], cycled(curve, frames[i], &to->gain[i]), influence);
        to->influence[i] = influence_on(curve->cycles, to->at[i]); /* of the frame that it is now */
    }
}

static void evaluate(fcurve *curve, const float *frames, int count, cycled_frames *of, skl_bezier_frames *later,
                     float *values) {
    const int cycles = curve->count > 0 && curve->cycles->influence != 0.0f;
    if (cycles) cycle_frames(curve, frames, count, of);
    for (int i = 0; i < count; i++) keyed(curve, cycles ? of->at[i] : frames[i], later, values + i);
    skl_bezier_run(later);
    for (int i = 0; i < count && cycles; i++)
        if (of->counts[i]) values[i] = mixed(values[i], values[i] + of->gain[i], of->influence[i]);
}

static fcurve curve_of(const skl_evaluate_fcurves_job *job, int64_t c) {
    const int64_t start = job->starts[c];
    return (fcurve){.keys = job->keys + start,
                    .interpolation = job->interpolation + start,
                    .easing = job->easing + start,
                    .count = job->starts[c + 1] - start,
                    .linear = job->linear[c] != 0,
                    .rounds = job->rounds,
                    .next = 1,
                    .cycles = job->cycles + c};
}

static void evaluate_block(void *context, int64_t begin, int64_t end, int worker) {
    const skl_evaluate_fcurves_job *job = context;
    fcurve block[BLOCK];
    cycled_frames cycled_to;
    skl_bezier_frames later;
    float values[FRAMES];
    later.count = later.num_segments = 0;
    for (int64_t c = begin; c < end; c++) block[c - begin] = curve_of(job, c);
    for (int64_t first = 0; first < job->num_frames; first += FRAMES) {
        if (first / FRAMES % 16 == 15 && skl_worker_stopped(worker)) return;
        const int64_t left = job->num_frames - first;
        const int count = left < FRAMES ? (int)left : FRAMES;
        for (int64_t c = begin; c < end; c++) {
            evaluate(&block[c - begin], job->frames + first, count, &cycled_to, &later, values);
            for (int i = 0; i < count; i++) job->out[(first + i) * job->num_curves + c] = values[i];
        }
    }
}

skl_code skl_evaluate_fcurves_run(skl_evaluate_fcurves_job *job) {
    const skl_pointer pointers[] = {
        {job->starts, "starts"}, {job->keys, "keys"},     {job->interpolation, "interpolation"},
        {job->easing, "easing"}, {job->linear, "linear"}, {job->cycles, "cycles"},
        {job->frames, "frames"}, {job->out, "out"}};
    if (SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK) return job->status.code;
    for (int64_t i = 0; i < job->num_frames; i++) {
        if (!isfinite(job->frames[i]))
            return skl_fail_at(&job->status, "frames", i, (double)job->frames[i], "it must be finite");
    }
    (void)skl_parallel_for(job->num_curves, BLOCK, skl_parallel_workers(job->num_curves, BLOCK), evaluate_block, job);
    return skl_done(&job->status);
}
