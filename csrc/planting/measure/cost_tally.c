/* SPDX-License-Identifier: MIT */
#include "cost_tally.h"

#include "cost.h"
#include "measure_constants.h"
#include "planting/curves/median.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>
#include <string.h>

static skl_leg_motion leg_of(const skl_legs_motion *legs, int64_t count, int64_t k) {
    const int64_t at = 3 * k * count;
    return (skl_leg_motion){count, legs->hip + at, legs->knee + at, legs->ankle + at};
}

static skl_leg_jumps_rows rows_in(double *scratch, int64_t count) {
    return (skl_leg_jumps_rows){scratch, scratch + count, scratch + 2 * count, scratch + 3 * count,
                                scratch + 4 * count};
}

/* Jumps of the original beyond which the capture itself jumps: many times what nearly all of them are. */
static void glitch_limits(const skl_leg_jumps_rows *jumps, int64_t num_frames, double length, double *inner,
                          double out[3]) {
    const double *const rows[] = {jumps->hip, jumps->ankle, jumps->flexion};
    const int64_t count = num_frames - 2;
    for (int i = 0; i < 3; i++) {
        double most = 0;
        out[i] = LEAST_GLITCH[i] * (i < 2 ? length : 1);
        for (int64_t f = 0; f < count; f++) most = fmax(most, inner[f] = rows[i][f + 1]);
        if (most > out[i]) out[i] = fmax(out[i], GLITCH * skl_quantile(inner, count, NEARLY_ALL));
    }
}

/* Set 1 in the frames that are near no glitch of the capture; `jumps` are those of the original, leg after leg. */
static void find_calm(const skl_cost_job *b, double *jumps, double *scratch, uint8_t *calm) {
    enum { WILD = 1, BESIDE = 2 };
    const int64_t count = b->num_frames;
    const int64_t near = (int64_t)fmin(rint(AROUND_GLITCH * b->fps), (double)count);
    memset(calm, 0, (size_t)count);
    for (int64_t k = 0; k < b->num_legs; k++) {
        const skl_leg_jumps_rows own = rows_in(jumps + 5 * k * count, count);
        double most[3];
        glitch_limits(&own, count, b->length, scratch, most);
        for (int64_t f = 0; f < count; f++)
            calm[f] |= own.hip[f] > most[0] || own.ankle[f] > most[1] || own.flexion[f] > most[2];
    }
    for (int64_t f = 0; b->alone && f < b->num_alone; f++)
        for (int64_t by = -1; by <= 1; by++)
            if (f + by >= 0 && f + by < b->num_alone && b->alone[f + by]) calm[f] |= WILD;
    for (int64_t f = 0, reach = -1; f < count; f++) {
        if (calm[f] & WILD) reach = f + near;
        if (f <= reach) calm[f] |= BESIDE;
    }
    for (int64_t f = count - 1, reach = count; f >= 0; f--) {
        if (calm[f] & WILD) reach = f - near;
        calm[f] = !((calm[f] & BESIDE) || f >= reach);
    }
}

/* Count the rows in which so many times the value is above a bound; where to look is the first that was not before. */
static void count_above(const skl_cost_job *b, const double *before, const double *after, double scale, double bound,
                        int64_t counts[2], int64_t *frame) {
    for (int64_t f = b->low; f < b->high; f++) {
        const int old = scale * before[f] > bound, new = scale * after[f] > bound;
        counts[0] += old;
        counts[1] += new;
        if (new && !old && *frame < 0) *frame = f;
    }
}

/* Keep what is highest of so many times the values below row `end`, where it is calm (NULL: anywhere), and its frame,
 * where that is wanted; behind the last frame of a loop comes its beginning again. */
static void keep_highest(const skl_cost_job *b, const double *values, const uint8_t *calm, double scale, int64_t end,
                         double *highest, int64_t *frame) {
    const double known = *highest;
    double most = known;
    for (int64_t f = b->low; f < end; f++)
        if ((!calm || calm[f]) && scale * values[f] > most) most = scale * values[f];
    if (!(most > known)) return;
    *highest = most;
    if (!frame || !(most > (1 + FIGURES_ALIKE) * known)) return;
    int64_t at = b->low;
    while ((calm && !calm[at]) || scale * values[at] < (1 - FIGURES_ALIKE) * most) at++;
    *frame = at >= b->num ? at - (b->num - 1) : at;
}

/* Add flexions, and how they are changed; `change` is for a number per frame. */
static void add_flexions(const skl_cost_job *b, int64_t k, double *change, skl_leg_tally *out) {
    const double *was = b->before.flexion + k * b->num_frames, *now = b->after.flexion + k * b->num_frames;
    const double *const both[] = {was, now};
    for (int64_t f = b->low; f < b->high; f++) {
        for (int when = 0; when < 2; when++) {
            double *const range = out->flexion[when];
            range[0] = fmin(range[0], both[when][f]);
            range[1] = fmax(range[1], both[when][f]);
        }
        if (now[f] < fmin(was[f], 0) - BENT_BACKWARD) {
            if (out->frames[SKL_BACKWARD] < 0) out->frames[SKL_BACKWARD] = f;
            out->backward++;
        }
        change[f] = fabs(fmax(now[f], LEAST_FLEXION) - fmax(was[f], LEAST_FLEXION));
        out->changed += change[f] > FLEXION_CHANGED;
        out->change_square += change[f] * change[f];
    }
    keep_highest(b, change, NULL, 1, b->high, &out->change_worst, &out->frames[SKL_CHANGED]);
}

/* Where the body (leg -1) is moved to in a frame, or an ankle beside it, in legs. */
static void place_of(const skl_cost_job *b, int64_t leg, int64_t f, double out[3]) {
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int64_t k = 0; k < b->num_legs; k++) {
            const int64_t at = 3 * (k * b->num_frames + f) + i;
            sum += (b->after.hip[at] - b->before.hip[at]) / b->length;
        }
        out[i] = sum / (double)b->num_legs;
        if (leg < 0) continue;
        const int64_t at = 3 * (leg * b->num_frames + f) + i;
        out[i] = (b->after.ankle[at] - b->before.ankle[at]) / b->length - out[i];
    }
}

/* The square of the acceleration that planting adds to it. */
static double added_to(const skl_cost_job *b, int64_t leg, int64_t f) {
    double p[3][3], bend[3];
    for (int n = 0; n < 3; n++) place_of(b, leg, f - 1 + n, p[n]);
    for (int i = 0; i < 3; i++) bend[i] = b->fps * b->fps * (p[0][i] - 2 * p[1][i] + p[2][i]);
    return skl_v3_dot(bend, bend);
}

/* Add how far the body is moved, and what that and the legs add to accelerations. */
static void add_correction(const skl_cost_job *b, skl_body_tally *out) {
    for (int64_t f = b->low; f < b->high && skl_goes_on(f); f++) {
        double body[3], legs = 0;
        place_of(b, -1, f, body);
        const double far = skl_v3_length(body);
        out->square += far * far;
        if (far > out->worst) {
            out->worst = far;
            out->frame = f;
        }
        if (f < 1 || f >= b->num - 1) continue;
        for (int64_t k = 0; k < b->num_legs; k++) legs += added_to(b, k, f);
        out->body_added += added_to(b, -1, f);
        out->leg_added += legs;
        out->inner++;
    }
}

int skl_planting_cost(skl_cost_job *b) {
    const int64_t count = b->num_frames, behind = b->closes ? b->high + 2 : b->high,
                  end = behind < count ? behind : count;
    double *const scratch = SKL_TAKE(b->arena, double, (5 * b->num_legs + 6) * count);
    uint8_t *const calm = SKL_TAKE(b->arena, uint8_t, count);
    b->legs = SKL_ZEROS(b->arena, skl_leg_tally, b->num_legs);
    b->body = (skl_body_tally){0};
    if (b->arena->failed) return 0;
    double *const now = scratch + 5 * b->num_legs * count, *const change = now + 5 * count;
    const skl_leg_jumps_rows after = rows_in(now, count);
    for (int64_t k = 0; k < b->num_legs && !skl_stopped(); k++) {
        const skl_leg_motion leg = leg_of(&b->before, count, k);
        const skl_leg_jumps_rows before = rows_in(scratch + 5 * k * count, count);
        skl_leg_jumps(&leg, b->before.flexion + k * count, &before);
    }
    if (skl_cut()) return 1;
    find_calm(b, scratch, now, calm);
    for (int64_t f = b->low; f < b->high; f++) b->body.hidden += !calm[f];
    for (int64_t k = 0; k < b->num_legs && !skl_stopped(); k++) {
        const skl_leg_motion leg = leg_of(&b->after, count, k);
        skl_leg_jumps(&leg, b->after.flexion + k * count, &after);
        if (skl_cut()) return 1;
        const skl_leg_jumps_rows before = rows_in(scratch + 5 * k * count, count);
        skl_leg_tally *const out = b->legs + k;
        for (int when = 0; when < 2; when++) memcpy(out->flexion[when], (double[2]){INFINITY, -INFINITY}, 16);
        for (int i = 0; i < SKL_LEG_FIGURES; i++) out->frames[i] = -1;
        const double rate2 = b->fps * b->fps;
        count_above(b, before.overturned, after.overturned, 1, 0, out->overturned, &out->frames[SKL_OVERTURNED]);
        count_above(b, before.flexion, after.flexion, rate2, KNEE_POPS, out->pops, &out->frames[SKL_POPS]);
        const double rate3 = rate2 * b->fps, shorter = 1 / b->length;
        keep_highest(b, before.flexion_jerk, calm, rate3, end, out->jerk, NULL);
        keep_highest(b, after.flexion_jerk, calm, rate3, end, out->jerk + 1, &out->frames[SKL_JERK]);
        keep_highest(b, before.ankle, calm, shorter, end, out->jump, NULL);
        keep_highest(b, after.ankle, calm, shorter, end, out->jump + 1, &out->frames[SKL_JUMP]);
        add_flexions(b, k, change, out);
    }
    if (!skl_stopped()) add_correction(b, &b->body);
    return 1;
}
