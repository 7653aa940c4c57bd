/* SPDX-License-Identifier: MIT */
/* Soles that are thicker than their fellows: how much higher than the others each foot stands throughout a clip. On a
 * floor that shows in how high soles are in contacts around the same time, and believed as far as these agree. */
#include <math.h>
#include <string.h>

#include "ground_constants.h"
#include "level_places.h"
#include "levels.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "planting/curves/median.h"

/* Of every contact of all feet, leg by leg, the sole's height and what it counts; per leg the height of all. */
typedef struct heights {
    double *each, *weights, *legs;
} heights;

static double weight_of(skl_span span) { return (double)skl_span_frames(span) * (double)skl_span_frames(span); }

static int take_heights(const skl_feet *feet, skl_arena *arena, heights *out) {
    int64_t count = skl_num_contacts(feet);
    out->each = SKL_TAKE(arena, double, count);
    out->weights = SKL_TAKE(arena, double, count);
    out->legs = SKL_TAKE(arena, double, feet->num_legs);
    if (arena->failed) return 0;
    count = 0;
    for (int64_t k = 0; k < feet->num_legs; k++)
        for (int64_t i = 0; i < feet->contacts[k].count; i++)
            out->weights[count++] = weight_of(feet->contacts[k].at[i]);
    return 1;
}

/* The height of each leg's contacts together, and how far these are from it, in the mean. */
static int join(const skl_feet *feet, skl_arena *arena, heights *h, double *spread) {
    double away = 0.0, total = 0.0;
    int64_t n = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) {
        const int64_t count = feet->contacts[k].count;
        h->legs[k] = NAN;
        if (count && !skl_stance_level(h->each + n, h->weights + n, count, arena, &h->legs[k])) return 0;
        for (int64_t i = 0; i < count; i++, n++) {
            away += h->weights[n] * fabs(h->each[n] - h->legs[k]);
            total += h->weights[n];
        }
    }
    *spread = total > 0.0 ? away / total : 0.0;
    return 1;
}

/* A contact: how high its sole is, and how high beside the other feet's around it, in leg lengths; what it counts. */
typedef struct stance {
    int64_t leg;
    skl_span span;
    double height, noise, weight, beside;
} stance;

/* Every contact that counts. */
static int read_stances(const skl_feet *feet, double fps, skl_arena *arena, stance *out, int64_t *count) {
    const double length = skl_mean_length(feet->tracks, feet->num_legs);
    *count = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) {
        const skl_arena mark = *arena;
        double *lowest = SKL_TAKE(arena, double, feet->num_frames);
        double *scratch = SKL_TAKE(arena, double, feet->num_frames);
        if (arena->failed || !skl_sole_heights(&feet->tracks[k], &feet->models[k].sole, feet->up, arena, lowest))
            return 0;
        for (int64_t i = 0; i < feet->contacts[k].count; i++) {
            const skl_span span = feet->contacts[k].at[i];
            const double long_for = (double)skl_span_frames(span) / fps;
            if (long_for < STANCE_BRIEF) continue;
            stance *const own = &out[(*count)++];
            *own = (stance){.leg = k, .span = span, .weight = fmin(long_for, STANCE_LONG)};
            own->height = skl_median_of(lowest + span.first, skl_span_frames(span), scratch) / length;
            const double above = skl_quantile(scratch, skl_span_frames(span), HIGH_QUANTILE);
            own->noise = 0.5 * (above - skl_quantile(scratch, skl_span_frames(span), LOW_QUANTILE)) / length;
        }
        skl_arena_back(arena, mark);
    }
    return 1;
}

/* How high another foot's sole is while a contact lasts: for most of that time, so that one moment in which the other
 * one is held up counts for nothing; or in its nearest one, and NaN where that is too long before or after. Legs'
 * heights drift together, and cancel in the difference. */
static int height_meanwhile(const stance *all, int64_t count, const stance *own, int64_t leg, double most,
                            skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    double *levels = SKL_TAKE(arena, double, count), *frames = SKL_TAKE(arena, double, count), nearest = most;
    int64_t known = 0;
    *out = NAN;
    if (arena->failed) return 0;
    for (int64_t i = 0; i < count; i++) {
        if (all[i].leg != leg) continue;
        const double first = (double)skl_more(all[i].span.first, own->span.first);
        const double shared = (double)skl_fewer(all[i].span.last, own->span.last) - first + 1.0;
        if (shared > 0.0) {
            levels[known] = all[i].height;
            frames[known++] = shared;
        } else if (-shared <= nearest) {
            nearest = -shared;
            *out = all[i].height;
        }
    }
    const int done = !known || skl_stance_level(levels, frames, known, arena, out);
    skl_arena_back(arena, mark);
    return done;
}

/* How high each contact is beside all other feet; NaN where none of them stands near to it. */
static int compare_stances(stance *all, int64_t count, int64_t legs, double fps, skl_arena *arena) {
    for (int64_t i = 0; i < count; i++) {
        double sum = 0.0;
        int64_t known = 0;
        for (int64_t k = 0; k < legs; k++) {
            double other;
            if (k == all[i].leg) continue;
            if (!height_meanwhile(all, count, &all[i], k, STANCES_BESIDE * fps, arena, &other)) return 0;
            if (isnan(other)) continue;
            sum += all[i].height - other;
            known++;
        }
        all[i].beside = known ? sum / (double)known : NAN;
    }
    return 1;
}

/* How much higher than all other feet one stands, and the variance of that; NaN where nothing says it. */
static int stands_beside(const stance *all, int64_t count, int64_t leg, skl_arena *arena, double out[2]) {
    const skl_arena mark = *arena;
    double *higher = SKL_TAKE(arena, double, count), *weights = SKL_TAKE(arena, double, count), spread;
    double noise = 0.0, seconds = 0.0;
    int64_t own = 0;
    out[0] = out[1] = NAN;
    if (arena->failed) return 0;
    for (int64_t i = 0; i < count; i++) {
        if (all[i].leg != leg || isnan(all[i].beside)) continue;
        higher[own] = all[i].beside;
        weights[own++] = all[i].weight;
        seconds += all[i].weight;
        noise += all[i].weight * all[i].noise;
    }
    if (own) {
        if (!skl_stance_level(higher, weights, own, arena, &out[0])) return 0;
        for (int64_t i = 0; i < own; i++) higher[i] = fabs(higher[i] - out[0]);
        if (!skl_stance_level(higher, weights, own, arena, &spread)) return 0;
        spread *= DEVIATION_OF_MEDIAN;
        noise /= seconds;
        out[1] = (spread * spread + noise * noise) / fmin(seconds / COUNTS_MORE, 2.0 * (double)own);
    }
    skl_arena_back(arena, mark);
    return 1;
}

/* How much higher than the mean of all feet each stands on a floor, as far as that is believed, in leg lengths, and the
 * most that is seen. */
static int raised_on_floor(const skl_feet *feet, double fps, skl_arena *arena, double *out, double *most) {
    const int64_t legs = feet->num_legs;
    const double part = (double)(legs - 1) / (double)legs; /* of how much higher than the others' mean */
    int64_t count = skl_num_contacts(feet);
    stance *all = SKL_TAKE(arena, stance, count);
    if (!all || !read_stances(feet, fps, arena, all, &count)) return 0;
    if (!compare_stances(all, count, legs, fps, arena)) return 0;
    double sum = 0.0;
    int64_t known = 0;
    *most = 0.0;
    for (int64_t k = 0; k < legs; k++) {
        double beside[2];
        if (!stands_beside(all, count, k, arena, beside)) return 0;
        const double off = isnan(beside[0]) ? 0.0 : part * beside[0];
        *most = fmax(*most, fabs(off));
        out[k] = off * TYPICAL * TYPICAL / (TYPICAL * TYPICAL + fmax(0.0, beside[1] - SURE * SURE));
        if (isnan(beside[0])) out[k] = NAN;
        sum += isnan(out[k]) ? 0.0 : out[k];
        known += !isnan(out[k]);
    }
    for (int64_t k = 0; k < legs; k++) out[k] = isnan(out[k]) ? 0.0 : out[k] - sum / (double)known;
    return 1;
}

static int contact_heights(const skl_feet *feet, skl_arena *arena, heights *out) {
    double *own = SKL_TAKE(arena, double, feet->num_frames), *scratch = SKL_TAKE(arena, double, feet->num_frames);
    if (arena->failed || !take_heights(feet, arena, out)) return 0;
    for (int64_t k = 0, n = 0; k < feet->num_legs; n += feet->contacts[k++].count) {
        const skl_spans spans = feet->contacts[k];
        if (!skl_sole_heights(&feet->tracks[k], &feet->models[k].sole, feet->up, arena, own)) return 0;
        skl_span_medians(own, spans.count, (const int64_t *)spans.at, scratch, out->each + n);
    }
    return 1;
}

/* The points of soles in the frames of contacts: by feet, by points, by frames. */
static int64_t sole_points(const skl_feet *feet, int64_t leg, const skl_foothold *hold, double *outline, double *turned,
                           double *points, int64_t *frames) {
    const int64_t num = feet->num_frames;
    const skl_track *track = &feet->tracks[leg];
    skl_sole_outline(&feet->models[leg].sole, feet->up, num, track->foot, outline);
    if (hold) {
        skl_turn_points(3, num, hold->turn, 0, outline, turned);
        outline = turned;
    }
    int64_t n = 0;
    for (int p = 0; p < 3; p++)
        for (int64_t i = 0; i < feet->contacts[leg].count; i++)
            for (int64_t f = feet->contacts[leg].at[i].first; f <= feet->contacts[leg].at[i].last; f++, n++) {
                for (int c = 0; c < 3; c++)
                    points[3 * n + c] = track->ankle[3 * f + c] + outline[3 * (p * num + f) + c];
                frames[n] = f;
            }
    return n / 3;
}

/* The height of a sole above the ground, soles being thick square to it; 0 where there is no ground. */
static double height_above(const skl_feet *feet, const skl_foothold *hold, const double *above, int64_t count,
                           int64_t i, int64_t frame) {
    double lowest = fmin(fmin(above[i], above[count + i]), above[2 * count + i]);
    if (hold) {
        double normal[3];
        skl_m3_transform(hold->lean + 9 * frame, feet->up, normal);
        lowest *= skl_v3_dot(normal, feet->up);
    }
    return isfinite(lowest) ? lowest : 0.0;
}

/* The median height of the sole above the ground in every contact. */
static int heights_above(const skl_feet *feet, const skl_ground *ground, const skl_foothold *const *holds,
                         skl_arena *arena, heights *out) {
    const int64_t num = feet->num_frames;
    int64_t all = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) all += 3 * skl_spans_frames(feet->contacts[k]);
    double *outline = SKL_TAKE(arena, double, 9 * num), *turned = SKL_TAKE(arena, double, 9 * num);
    double *points = SKL_TAKE(arena, double, 3 * all), *above = SKL_TAKE(arena, double, all);
    double *own = SKL_TAKE(arena, double, num);
    int64_t *frames = SKL_TAKE(arena, int64_t, all), *counts = SKL_TAKE(arena, int64_t, feet->num_legs), begin = 0;
    if (arena->failed || !take_heights(feet, arena, out)) return 0;
    for (int64_t k = 0; k < feet->num_legs; k++) {
        counts[k] = sole_points(feet, k, holds[k], outline, turned, points + 3 * begin, frames + begin);
        begin += 3 * counts[k];
    }
    if (skl_ground_above(ground, all, points, frames, above)) return 0;
    begin = 0;
    for (int64_t k = 0, n = 0; k < feet->num_legs; begin += 3 * counts[k++])
        for (int64_t i = 0, at = 0; i < feet->contacts[k].count; i++, n++) {
            const skl_span span = feet->contacts[k].at[i];
            for (int64_t f = span.first; f <= span.last; f++, at++)
                own[f - span.first] = height_above(feet, holds[k], above + begin, counts[k], at, f);
            out->each[n] = skl_median(own, skl_span_frames(span));
        }
    return 1;
}

/* How much higher than the mean of all feet each stands, in leg lengths; returns the most. */
static double raised(const skl_feet *feet, const heights *h, double leg, double *out) {
    double sum = 0.0, most = 0.0;
    int64_t known = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) {
        if (isnan(h->legs[k])) continue;
        sum += h->legs[k];
        known++;
    }
    for (int64_t k = 0; k < feet->num_legs; k++) {
        out[k] = isnan(h->legs[k]) ? 0.0 : (h->legs[k] - sum / (double)known) / leg;
        most = fmax(most, fabs(out[k]));
    }
    return most;
}

int skl_uneven_soles(const skl_feet *feet, double fps, const skl_ground *ground, const skl_foothold *const *holds,
                     skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    const double leg = skl_mean_length(feet->tracks, feet->num_legs);
    double *own = SKL_TAKE(arena, double, feet->num_legs), spread[2], most;
    heights level, above;
    if (!own || !raised_on_floor(feet, fps, arena, out, &most)) return 0;
    if (ground) {
        if (!contact_heights(feet, arena, &level) || !join(feet, arena, &level, &spread[0])) return 0;
        most = raised(feet, &level, leg, out);
        if (!heights_above(feet, ground, holds, arena, &above) || !join(feet, arena, &above, &spread[1])) return 0;
        /* Where both are as steady, as on a stair that is walked along, soles are rather alike. */
        const double better = spread[0] - spread[1], highest = raised(feet, &above, leg, own);
        if (fabs(better) < LEVELS_BETTER * leg ? highest < most : better > 0.0) {
            memcpy(out, own, (size_t)feet->num_legs * sizeof *out);
            most = highest;
        }
    }
    for (int64_t k = 0; k < feet->num_legs; k++) {
        if (most >= SOLES_UNEVEN) out[k] = 0.0;
        out[k] *= leg / feet->tracks[k].length;
    }
    skl_arena_back(arena, mark);
    return 1;
}
