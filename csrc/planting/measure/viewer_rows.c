/* SPDX-License-Identifier: MIT */
#include "viewer_rows.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "measure_constants.h"
#include "planting/curves/median.h"
#include "planting/motion/fit_foot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 2 }; /* of a foot: ankle, and toe where there is one */

/* Joints of one leg, num_frames x 3, and the knee's flexion, num_frames. */
typedef struct seen_leg {
    const double *hip, *ankle, *toe, *flexion; /* toe: NULL where there is none */
} seen_leg;

/* A job and its legs as they are looked at. */
typedef struct looked_at {
    skl_viewer_job *job;
    const seen_leg *before, *after;
    int64_t num_frames, num_legs;
    skl_arena *arena;
    double length, fps;
} looked_at;

static int64_t frames_of(const looked_at *v, double seconds) {
    const double frames = ceil(seconds * v->fps - 1e-6);
    return frames<1.0 ? 1 : frames>(double) v->num_frames ? v->num_frames : (int64_t)frames;
}

static void note(const looked_at *v, skl_viewer_row row, double value, int64_t leg, int64_t frame, skl_span about) {
    skl_seen *const seen = &v->job->seen[row];
    if (value > SEEN_ALIKE * seen->value) *seen = (skl_seen){value, leg, frame, about.first, about.last};
}

static const double *part_of(const seen_leg *leg, int part) { return part ? leg->toe : leg->ankle; }

/* The height of a point in a frame, in legs. */
static double height_of(const looked_at *v, const double *points, int64_t f) {
    return skl_v3_dot(points + 3 * f, v->job->up) / v->length;
}

static double *heights_of(const looked_at *v, const double *points) {
    double *const out = SKL_TAKE(v->arena, double, v->num_frames);
    for (int64_t f = 0; out && f < v->num_frames; f++) out[f] = height_of(v, points, f);
    return out;
}

/* A quantile of values that stay in their order; NaN where memory failed. */
static double quantile_of(const looked_at *v, const double *values, int64_t count, double part) {
    const skl_arena mark = *v->arena;
    double *const own = SKL_TAKE(v->arena, double, count);
    if (!own) return NAN;
    memcpy(own, values, (size_t)count * sizeof *own);
    const double found = skl_quantile(own, count, part);
    skl_arena_back(v->arena, mark);
    return found;
}

/* The greatest value that so many frames in a row hold, or all where there are fewer; and the first of them. */
static double greatest_held(const looked_at *v, const double *values, int64_t count, int64_t held, int64_t *first) {
    const skl_arena mark = *v->arena;
    int64_t *const queue = SKL_TAKE(v->arena, int64_t, count), head = 0, tail = 0;
    double most = -INFINITY;
    held = skl_fewer(held, count);
    *first = 0;
    for (int64_t f = 0; queue && f < count; f++) { /* frames whose values rise, the least of the window in front */
        while (tail > head && values[queue[tail - 1]] >= values[f]) tail--;
        queue[tail++] = f;
        if (queue[head] <= f - held) head++;
        if (f + 1 < held || !(values[queue[head]] > (most > 0 ? SEEN_ALIKE * most : most))) continue;
        most = values[queue[head]];
        *first = f + 1 - held;
    }
    skl_arena_back(v->arena, mark);
    return most;
}

/* How far the hips are moved on average, in legs. */
static double *body_shift(const looked_at *v) {
    double *const out = SKL_ZEROS(v->arena, double, 3 * v->num_frames);
    const double by = 1.0 / (v->length * (double)v->num_legs);
    for (int64_t k = 0; out && k < v->num_legs; k++)
        for (int64_t i = 0; i < 3 * v->num_frames; i++) out[i] += by * (v->after[k].hip[i] - v->before[k].hip[i]);
    return out;
}

static double step_of(const looked_at *v) { return fmax(DIFFERENCE, 1.0 / v->fps); }

/* The size of a difference of packed values (num_frames x columns) over fixed steps around each frame, in that of
 * steps of 1/30 s; 0 where it would reach past an end. */
static double *differences(const looked_at *v, const double *values, int64_t columns, int order) {
    static const double signs[2][4] = {{1, -2, 1}, {-1, 3, -3, 1}};
    const int64_t count = v->num_frames, last = count - 1;
    const double step = step_of(v) * v->fps;
    double *const out = SKL_ZEROS(v->arena, double, count);
    for (int64_t f = 0; out && f < count; f++) {
        const double low = (double)f - 0.5 * order * step, high = (double)f + 0.5 * order * step;
        if (low < -1e-9 || high > (double)last + 1e-9) continue;
        double square = 0;
        for (int64_t c = 0; c < columns; c++) {
            double sum = 0;
            for (int k = 0; k <= order; k++) {
                const double at = fmin(fmax(low + k * step, 0.0), (double)last);
                const int64_t from = skl_fewer((int64_t)at, last), to = skl_fewer(from + 1, last);
                const double part = at - (double)from, one = values[from * columns + c];
                sum += signs[order - 2][k] * (one + part * (values[to * columns + c] - one));
            }
            square += sum * sum;
        }
        out[f] = sqrt(square);
    }
    return out;
}

static int64_t greatest(const double *values, int64_t count) {
    int64_t most = 0;
    for (int64_t f = 1; f < count; f++)
        if (values[f] > SEEN_ALIKE * values[most]) most = f;
    return most;
}

static skl_span around(int64_t frame) { return (skl_span){frame, frame}; }

static void see_throws(const looked_at *v, const double *shift) {
    for (int n = 0; n < 2; n++) {
        const int64_t step = skl_fewer(frames_of(v, THROWN_WITHIN[n]), v->num_frames - 1);
        for (int64_t f = 0; step > 0 && f + step < v->num_frames; f++)
            note(v, SKL_THROW, skl_v3_distance(shift + 3 * f, shift + 3 * (f + step)), -1, f + step / 2,
                 (skl_span){f, f + step});
    }
}

/* The lower of a foot's ankle and toe, each above a level of its own; or NULL. */
static double *lower_of(const looked_at *v, const seen_leg *leg, const double *levels) {
    double *const out = SKL_TAKE(v->arena, double, v->num_frames);
    for (int64_t f = 0; out && f < v->num_frames; f++) {
        out[f] = INFINITY;
        for (int part = 0; part < PARTS; part++)
            if (part_of(leg, part)) out[f] = fmin(out[f], height_of(v, part_of(leg, part), f) - levels[part]);
    }
    return out;
}

/* The levels of ankles and toes: a quantile of their heights, over so many legs. */
static void levels_of(const looked_at *v, const seen_leg *legs, int64_t num_legs, double quantile,
                      double levels[PARTS]) {
    for (int part = 0; part < PARTS; part++) {
        const skl_arena mark = *v->arena;
        double *const all = SKL_TAKE(v->arena, double, num_legs * v->num_frames);
        int64_t count = 0;
        for (int64_t k = 0; all && k < num_legs; k++)
            for (int64_t f = 0; part_of(&legs[k], part) && f < v->num_frames; f++)
                all[count++] = height_of(v, part_of(&legs[k], part), f);
        levels[part] = count ? skl_quantile(all, count, quantile) : 0.0;
        skl_arena_back(v->arena, mark);
    }
}

static void see_lifts(const looked_at *v, int64_t k) {
    double levels[2][PARTS], *heights[2];
    uint8_t *const lifted = SKL_TAKE(v->arena, uint8_t, v->num_frames);
    for (int n = 0; n < 2; n++) {
        const seen_leg *leg = n ? &v->after[k] : &v->before[k];
        levels_of(v, leg, 1, LOWEST_IN_CLIP, levels[n]);
        heights[n] = lower_of(v, leg, levels[n]);
    }
    if (v->arena->failed) return;
    const int64_t held = frames_of(v, LIFT_LASTS);
    skl_span run;
    for (int64_t f = 0; f < v->num_frames; f++) lifted[f] = heights[0][f] > LIFT_HEIGHT;
    for (int64_t from = 0; skl_next_run(lifted, v->num_frames, from, &run); from = run.last + 1) {
        const int64_t count = skl_span_frames(run);
        int64_t first;
        if (count < held) continue;
        const double peak = greatest_held(v, heights[0] + run.first, count, held, &first);
        const double left = greatest_held(v, heights[1] + run.first, count, held, &first);
        if (peak > LIFT_PEAK)
            note(v, SKL_LIFT, 100.0 * (1.0 - left / peak), k, run.first + greatest(heights[0] + run.first, count), run);
    }
}

/* How far a point of a foot strays from the middle of its places on the ground, in legs. */
static double strays(const looked_at *v, const double *points, skl_span span) {
    const skl_arena mark = *v->arena;
    const int64_t count = skl_span_frames(span);
    double *const level = SKL_TAKE(v->arena, double, 3 * count), *const column = SKL_TAKE(v->arena, double, count);
    double middle[3], most = 0;
    for (int64_t n = 0; !v->arena->failed && n < count; n++) {
        const double *const at = points + 3 * (span.first + n);
        for (int i = 0; i < 3; i++) level[3 * n + i] = at[i] - (double)n * v->job->ground_step[i];
        skl_v3_flatten(v->job->up, level + 3 * n);
    }
    for (int i = 0; !v->arena->failed && i < 3; i++) {
        for (int64_t n = 0; n < count; n++) column[n] = level[3 * n + i];
        middle[i] = skl_median(column, count);
    }
    for (int64_t n = 0; !v->arena->failed && n < count; n++) {
        double away[3];
        skl_v3_minus(level + 3 * n, middle, away);
        most = fmax(most, skl_v3_dot(away, away));
    }
    skl_arena_back(v->arena, mark);
    return sqrt(most) / v->length;
}

static double calmest(const looked_at *v, const seen_leg *leg, skl_span span) {
    const double ankle = strays(v, leg->ankle, span);
    return leg->toe ? fmin(ankle, strays(v, leg->toe, span)) : ankle;
}

static double height_range(const looked_at *v, const double *points, skl_span span) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t f = span.first; f <= span.last; f++) {
        const double own = height_of(v, points, f);
        low = fmin(low, own);
        high = fmax(high, own);
    }
    return high - low;
}

static void see_contacts(const looked_at *v, int64_t k) {
    const seen_leg *before = &v->before[k], *after = &v->after[k];
    for (int64_t n = 0; n < v->job->contacts[k].count; n++) {
        const skl_span span = v->job->contacts[k].at[n];
        const int64_t middle = (span.first + span.last) / 2;
        const double now = calmest(v, after, span);
        if (now > SLIDES) note(v, SKL_SLIDE, now - calmest(v, before, span), k, middle, span);
        if (skl_span_frames(span) < frames_of(v, HEEL_SEEN)) continue;
        note(v, SKL_HEEL, height_range(v, after->ankle, span) - height_range(v, before->ankle, span), k, middle, span);
    }
}

/* A contact and the heights of its toes before and after. */
typedef struct standing {
    double before, after;
    int64_t leg;
    skl_span span;
} standing;

static int by_height(const void *one, const void *other) {
    const standing *a = one, *b = other;
    if (a->before != b->before) return a->before < b->before ? -1 : 1;
    if (a->after != b->after) return a->after < b->after ? -1 : 1;
    return a->leg != b->leg ? (a->leg < b->leg ? -1 : 1)
                            : (a->span.first > b->span.first) - (a->span.first < b->span.first);
}

static double median_height(const looked_at *v, const seen_leg *leg, skl_span span) {
    const skl_arena mark = *v->arena;
    const int64_t count = skl_span_frames(span);
    double *const own = SKL_TAKE(v->arena, double, count);
    for (int64_t n = 0; own && n < count; n++) own[n] = height_of(v, leg->toe ? leg->toe : leg->ankle, span.first + n);
    const double found = own ? skl_median(own, count) : 0.0;
    skl_arena_back(v->arena, mark);
    return found;
}

/* The median of a leg's heights among contacts, each counted by its frames; and its longest contact. 0: it has none. */
static int leg_height(const looked_at *v, const standing *own, int64_t count, int64_t leg, double heights[2],
                      skl_span *longest) {
    int64_t frames = 0;
    for (int64_t n = 0; n < count; n++)
        if (own[n].leg == leg) frames += skl_span_frames(own[n].span);
    if (!frames) return 0;
    const skl_arena mark = *v->arena;
    double *const all = SKL_TAKE(v->arena, double, frames);
    *longest = (skl_span){0, -1};
    for (int when = 0; all && when < 2; when++) {
        int64_t at = 0;
        for (int64_t n = 0; n < count; n++) {
            if (own[n].leg != leg) continue;
            if (skl_span_frames(own[n].span) > skl_span_frames(*longest)) *longest = own[n].span;
            for (int64_t f = 0; f < skl_span_frames(own[n].span); f++) all[at++] = when ? own[n].after : own[n].before;
        }
        heights[when] = skl_median(all, frames);
    }
    skl_arena_back(v->arena, mark);
    return all != NULL;
}

/* Pairs of legs among contacts on one level. */
static void see_pairs(const looked_at *v, const standing *own, int64_t count) {
    for (int64_t a = 0; a < v->num_legs; a++)
        for (int64_t b = a + 1; b < v->num_legs; b++) {
            double one[2], other[2];
            skl_span spans[2];
            if (!leg_height(v, own, count, a, one, &spans[0]) || !leg_height(v, own, count, b, other, &spans[1]))
                continue;
            const double was = one[0] - other[0], now = one[1] - other[1];
            const int raised = now < was; /* which of the two, beside the other */
            note(v, SKL_LEVEL, fabs(now) - fabs(was), raised ? b : a, (spans[raised].first + spans[raised].last) / 2,
                 spans[raised]);
        }
}

static void see_levels(const looked_at *v) {
    int64_t count = 0;
    for (int64_t k = 0; k < v->num_legs; k++) count += v->job->contacts[k].count;
    standing *const all = SKL_TAKE(v->arena, standing, count);
    int64_t at = 0;
    for (int64_t k = 0; all && k < v->num_legs; k++)
        for (int64_t n = 0; n < v->job->contacts[k].count; n++) {
            const skl_span span = v->job->contacts[k].at[n];
            const double before = median_height(v, &v->before[k], span);
            all[at++] = (standing){before, median_height(v, &v->after[k], span), k, span};
        }
    if (!all || v->arena->failed) return;
    qsort(all, (size_t)count, sizeof *all, by_height);
    for (int64_t start = 0, stop; start < count; start = stop) {
        for (stop = start + 1; stop < count && all[stop].before - all[stop - 1].before <= LEVELS_APART;) stop++;
        see_pairs(v, all + start, stop - start);
    }
}

static void see_floats(const looked_at *v) {
    double levels[2][PARTS];
    levels_of(v, v->before, v->num_legs, LOWEST_ON_GROUND, levels[0]);
    levels_of(v, v->after, v->num_legs, LOWEST_ON_GROUND, levels[1]);
    const int64_t held = frames_of(v, FLOATS_FOR);
    for (int64_t k = 0; k < v->num_legs; k++) {
        const skl_arena mark = *v->arena;
        const double *const was = lower_of(v, &v->before[k], levels[0]);
        double *const now = lower_of(v, &v->after[k], levels[1]);
        if (v->arena->failed) return;
        /* A foot that was below its ground and is raised to it does not float. */
        for (int64_t f = 0; f < v->num_frames; f++) now[f] = was[f] < STANDS ? now[f] - fmax(was[f], 0.0) : -INFINITY;
        int64_t first;
        const double most = greatest_held(v, now, v->num_frames, held, &first);
        note(v, SKL_FLOAT, most, k, first + held / 2, (skl_span){first, first + held - 1});
        skl_arena_back(v->arena, mark);
    }
}

static double *lowest_of(const looked_at *v, const seen_leg *legs) {
    static const double none[PARTS] = {0};
    double *const out = SKL_TAKE(v->arena, double, v->num_frames);
    for (int64_t k = 0; out && k < v->num_legs; k++) {
        const skl_arena mark = *v->arena;
        const double *const own = lower_of(v, &legs[k], none);
        for (int64_t f = 0; own && f < v->num_frames; f++) out[f] = k ? fmin(out[f], own[f]) : own[f];
        skl_arena_back(v->arena, mark);
    }
    return out;
}

static void see_sinking(const looked_at *v, const double *shift) {
    double *const was = lowest_of(v, v->before), *const now = lowest_of(v, v->after);
    double *const raised = heights_of(v, shift);
    if (v->arena->failed) return;
    const double ground = quantile_of(v, was, v->num_frames, LOWEST_IN_CLIP);
    /* `shift` is in legs already. */
    const double moved = v->job->ground_given ? v->length * quantile_of(v, raised, v->num_frames, 0.5) : 0.0;
    for (int64_t f = 0; f < v->num_frames; f++)
        now[f] = fmax(0.0, ground - (now[f] - moved)) - fmax(0.0, ground - was[f]);
    const int64_t held = frames_of(v, SINKS_FOR);
    int64_t first, leg = 0;
    const double most = greatest_held(v, now, v->num_frames, held, &first);
    if (v->arena->failed) return;
    double low = INFINITY;
    for (int64_t k = 0; k < v->num_legs; k++)
        for (int part = 0; part < PARTS; part++)
            if (part_of(&v->after[k], part) && height_of(v, part_of(&v->after[k], part), first) < low) {
                low = height_of(v, part_of(&v->after[k], part), first);
                leg = k;
            }
    note(v, SKL_SINK, most, leg, first, (skl_span){first, first + held - 1});
}

static void see_flexions(const looked_at *v, int64_t k) {
    const double *const was = v->before[k].flexion, *const now = v->after[k].flexion;
    double *const changed = SKL_TAKE(v->arena, double, v->num_frames);
    int64_t count = 0;
    for (int64_t f = 0; changed && f < v->num_frames; f++) {
        changed[f] = fabs(fmax(now[f], LEAST_FLEXION) - fmax(was[f], LEAST_FLEXION));
        count += changed[f] > FLEXION_CHANGED;
    }
    if (!changed) return;
    const int64_t most = greatest(changed, v->num_frames);
    note(v, SKL_KNEE, 100.0 * (double)count / (double)v->num_frames, k, most, around(most));
}

static void see_pops(const looked_at *v, int64_t k) {
    const double *const old = differences(v, v->before[k].flexion, 1, 2);
    const double *const new = differences(v, v->after[k].flexion, 1, 2);
    uint8_t *const pops = SKL_TAKE(v->arena, uint8_t, v->num_frames);
    if (v->arena->failed) return;
    const double step2 = step_of(v) * step_of(v);
    for (int64_t f = 0; f < v->num_frames; f++) pops[f] = new[f] > KNEE_POPS * step2 && old[f] < KNEE_CALM * step2;
    const int64_t apart = frames_of(v, DIFFERENCE);
    int64_t events = 0, last = 0;
    skl_span run, all = {0, 0};
    for (int64_t from = 0; skl_next_run(pops, v->num_frames, from, &run); from = run.last + 1) {
        if (!events) all.first = run.first;
        events += !events || run.first - last > apart;
        last = all.last = run.last;
    }
    note(v, SKL_POPS, (double)events, k, all.first, all);
}

static void see_jerks(const looked_at *v, int64_t k) {
    double most[2];
    int64_t frame = 0;
    for (int when = 0; when < 2; when++) {
        const double *const flexion = when ? v->after[k].flexion : v->before[k].flexion;
        double *const floored = SKL_TAKE(v->arena, double, v->num_frames);
        for (int64_t f = 0; floored && f < v->num_frames; f++) floored[f] = fmax(flexion[f], LEAST_FLEXION);
        const double *const third = floored ? differences(v, floored, 1, 3) : NULL;
        if (!third) return;
        frame = greatest(third, v->num_frames);
        most[when] = third[frame];
    }
    const double step = step_of(v);
    if (most[1] > JERKS * most[0]) note(v, SKL_JERK, 1e-3 * most[1] / (step * step * step), k, frame, around(frame));
}

/* Offsets of an ankle: how they jump, and in the air how far they are from the body's. */
static void see_offsets(const looked_at *v, const double *shift, int64_t k) {
    const int64_t count = v->num_frames;
    double *const offset = SKL_TAKE(v->arena, double, 3 * count), *const far = SKL_TAKE(v->arena, double, count);
    uint8_t *const stands = SKL_TAKE(v->arena, uint8_t, count);
    if (v->arena->failed) return;
    for (int64_t i = 0; i < 3 * count; i++) offset[i] = (v->after[k].ankle[i] - v->before[k].ankle[i]) / v->length;
    const double *const bent = differences(v, offset, 3, 2);
    if (!bent) return;
    int64_t most = greatest(bent, count);
    const double part = DIFFERENCE / step_of(v);
    note(v, SKL_JUMP, bent[most] * part * part, k, most, around(most));
    skl_span_mask(v->job->contacts[k], count, stands);
    for (int64_t f = 0; f < count; f++) far[f] = stands[f] ? 0.0 : skl_v3_distance(shift + 3 * f, offset + 3 * f);
    most = greatest(far, count);
    note(v, SKL_SWING, far[most], k, most, around(most));
}

static skl_contact_demand demand_of(const looked_at *v, int64_t k, skl_span span) {
    const seen_leg *before = &v->before[k], *after = &v->after[k];
    const skl_arena mark = *v->arena;
    double *const raised = SKL_TAKE(v->arena, double, skl_span_frames(span));
    skl_contact_demand demand = {-INFINITY, 0, 0};
    for (int64_t f = span.first; raised && f <= span.last; f++) {
        const double far = skl_v3_distance(before->hip + 3 * f, after->ankle + 3 * f) - v->job->before[k].length;
        demand.beyond = fmax(demand.beyond, far / v->length);
        demand.away = fmax(demand.away, skl_v3_distance(before->ankle + 3 * f, after->ankle + 3 * f) / v->length);
        raised[f - span.first] = height_of(v, after->ankle, f) - height_of(v, before->ankle, f);
    }
    if (raised) demand.raised = skl_median(raised, skl_span_frames(span));
    skl_arena_back(v->arena, mark);
    return demand;
}

/* The legs of tracks. */
static const seen_leg *legs_of(const skl_track *tracks, int64_t num_legs, skl_arena *arena) {
    seen_leg *const out = SKL_TAKE(arena, seen_leg, num_legs);
    for (int64_t k = 0; out && k < num_legs; k++) {
        const skl_track *track = &tracks[k];
        double *toe = NULL;
        if (track->has_ball && track->bends && (toe = SKL_TAKE(arena, double, 3 * track->num_frames)))
            skl_ball_path(track, toe);
        out[k] = (seen_leg){track->hip, track->ankle, toe, track->flexion};
    }
    return out;
}

static void see_leg(const looked_at *v, const double *shift, int64_t k) {
    const skl_arena mark = *v->arena;
    see_lifts(v, k);
    see_contacts(v, k);
    see_flexions(v, k);
    see_pops(v, k);
    see_jerks(v, k);
    see_offsets(v, shift, k);
    skl_arena_back(v->arena, mark);
}

int skl_read_viewer_rows(skl_viewer_job *job) {
    const skl_arena start = *job->arena;
    const looked_at v = {.job = job,
                         .before = legs_of(job->before, job->num_legs, job->arena),
                         .after = legs_of(job->after, job->num_legs, job->arena),
                         .num_frames = job->num_frames,
                         .num_legs = job->num_legs,
                         .arena = job->arena,
                         .length = job->length,
                         .fps = job->fps};
    memset(job->seen, 0, sizeof job->seen);
    for (int n = 0; n < SKL_NUM_VIEWER_ROWS; n++) job->seen[n].leg = -1;
    const double *const shift = job->arena->failed ? NULL : body_shift(&v);
    if (shift) {
        see_throws(&v, shift);
        see_levels(&v);
        see_floats(&v);
        see_sinking(&v, shift);
        for (int64_t k = 0; k < job->num_legs && !skl_stopped(); k++) see_leg(&v, shift, k);
        for (int64_t k = 0, at = 0; k < job->num_legs; k++)
            for (int64_t n = 0; n < job->contacts[k].count; n++)
                job->demands[at++] = demand_of(&v, k, job->contacts[k].at[n]);
    }
    skl_arena_back(job->arena, start);
    return !job->arena->failed;
}
