/* SPDX-License-Identifier: MIT */
#include "levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ground_constants.h"
#include "core/base/smoothstep.h"
#include "core/transforms/vector3.h"
#include "planting/curves/median.h"

int skl_sole_heights(const skl_track *track, const skl_sole *sole, const double up[3], skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    const int64_t num = track->num_frames;
    double *outline = SKL_TAKE(arena, double, 9 * num);
    if (!outline) return 0;
    skl_sole_outline(sole, up, num, track->foot, outline);
    for (int64_t f = 0; f < num; f++) {
        double least = INFINITY;
        for (int p = 0; p < 3; p++) least = fmin(least, skl_v3_dot(outline + 3 * (p * num + f), up));
        out[f] = skl_v3_dot(track->ankle + 3 * f, up) + least;
    }
    skl_arena_back(arena, mark);
    return 1;
}

double skl_level_rise(const skl_levels *levels, double height) {
    const double off = height - levels->level;
    if (levels->given) return off > ABOVE_GROUND * levels->length ? off : 0.0;
    const double own = off * skl_smoothstep((fabs(off) - levels->near) / (LEVEL_EDGE * levels->near));
    return own + levels->uneven * (off - own) + levels->level - levels->ground;
}

typedef struct weighed {
    double height, weight;
} weighed;

static int by_height(const void *a, const void *b) {
    const double x = ((const weighed *)a)->height, y = ((const weighed *)b)->height;
    return (x > y) - (x < y);
}

int skl_stance_level(const double *heights, const double *weights, int64_t count, skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    weighed *rising = SKL_TAKE(arena, weighed, count);
    if (!rising) return 0;
    double total = 0.0, sum = 0.0;
    for (int64_t i = 0; i < count; i++) rising[i] = (weighed){heights[i], weights[i]};
    qsort(rising, (size_t)count, sizeof *rising, by_height);
    for (int64_t i = 0; i < count; i++) total += rising[i].weight;
    for (int64_t i = 0; i < count; i++) {
        sum += rising[i].weight;
        *out = rising[i].height;
        if (sum >= 0.5 * total) break;
    }
    skl_arena_back(arena, mark);
    return 1;
}

/* All contacts of all feet. */
typedef struct stances {
    int64_t count;
    double *heights, *weights, *frames; /* the sole's median height, frames squared, frames */
    double inside;                      /* what soles move up and down inside of them, in the mean */
    double lowest;                      /* of all soles in all frames */
} stances;

int64_t skl_num_contacts(const skl_feet *feet) {
    int64_t count = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) count += feet->contacts[k].count;
    return count;
}

static int read_stances(const skl_feet *feet, skl_arena *arena, stances *out) {
    const int64_t most = skl_num_contacts(feet), num = feet->num_frames;
    double *heights = SKL_TAKE(arena, double, num), *scratch = SKL_TAKE(arena, double, num), total = 0.0;
    *out = (stances){
        0, SKL_TAKE(arena, double, most), SKL_TAKE(arena, double, most), SKL_TAKE(arena, double, most), 0.0, INFINITY};
    if (arena->failed) return 0;
    for (int64_t k = 0; k < feet->num_legs; k++) {
        const skl_spans spans = feet->contacts[k];
        if (!skl_sole_heights(&feet->tracks[k], &feet->models[k].sole, feet->up, arena, heights)) return 0;
        skl_span_medians(heights, spans.count, (const int64_t *)spans.at, scratch, out->heights + out->count);
        for (int64_t f = 0; f < num; f++) out->lowest = fmin(out->lowest, heights[f]);
        for (int64_t i = 0; i < spans.count; i++, out->count++) {
            const double frames = (double)skl_span_frames(spans.at[i]);
            double away = 0.0;
            for (int64_t f = spans.at[i].first; f <= spans.at[i].last; f++)
                away += fabs(heights[f] - out->heights[out->count]);
            /* Squared: one long stance says more about the ground than many short touches. */
            out->weights[out->count] = frames * frames;
            out->frames[out->count] = frames;
            out->inside += away;
            total += frames;
        }
    }
    out->inside /= total;
    return 1;
}

int skl_read_levels(const skl_feet *feet, int given, skl_arena *arena, skl_levels *out) {
    const skl_arena mark = *arena;
    stances s;
    double level;
    if (!read_stances(feet, arena, &s) || !skl_stance_level(s.heights, s.weights, s.count, arena, &level)) return 0;
    const double length = skl_mean_length(feet->tracks, feet->num_legs);
    const double near = fmin(fmax(LEVEL_NOISE * s.inside / length, LEAST_LEVEL), MOST_LEVEL);
    double low = INFINITY, high = -INFINITY, off = 0.0, total = 0.0;
    for (int64_t i = 0; i < s.count; i++) {
        low = fmin(low, s.heights[i]);
        high = fmax(high, s.heights[i]);
    }
    *out = (skl_levels){level, level, length * near, 0.0, high - low, length, given};
    if (!given) {
        for (int64_t i = 0; i < s.count; i++) {
            const double kept = fabs(skl_level_rise(out, s.heights[i])) / fmax(fabs(s.heights[i] - level), SKL_TINY);
            off += s.frames[i] * (1.0 - kept);
            total += s.frames[i];
        }
        out->uneven = skl_smoothstep((MANY_ON_LEVEL - off / total) / (MANY_ON_LEVEL - FEW_ON_LEVEL));
        out->ground = level + out->uneven * fmin(0.0, s.lowest - level);
    }
    skl_arena_back(arena, mark);
    return 1;
}

int skl_contact_rises(const skl_feet *feet, int64_t leg, const skl_levels *levels, skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    const skl_spans spans = feet->contacts[leg];
    double *heights = SKL_TAKE(arena, double, feet->num_frames), *scratch = SKL_TAKE(arena, double, feet->num_frames);
    if (arena->failed || !skl_sole_heights(&feet->tracks[leg], &feet->models[leg].sole, feet->up, arena, heights))
        return 0;
    skl_span_medians(heights, spans.count, (const int64_t *)spans.at, scratch, out);
    for (int64_t i = 0; i < spans.count; i++) out[i] = skl_level_rise(levels, out[i]);
    skl_arena_back(arena, mark);
    return 1;
}

/* --- the whole motion ----------------------------------------------------------------------------------------------
 */

/* 1 where all of the ground below standing feet has one height, 0 where it is uneven. */
static int level_part(const skl_feet *feet, const skl_ground *ground, int64_t count, skl_arena *arena, double *out) {
    double *points = SKL_TAKE(arena, double, 3 * count), *above = SKL_TAKE(arena, double, count);
    int64_t *frames = SKL_TAKE(arena, int64_t, count), n = 0;
    if (arena->failed) return 0;
    for (int64_t k = 0; k < feet->num_legs; k++)
        for (int64_t i = 0; i < feet->contacts[k].count; i++)
            for (int64_t f = feet->contacts[k].at[i].first; f <= feet->contacts[k].at[i].last; f++, n++) {
                memcpy(points + 3 * n, feet->tracks[k].ankle + 3 * f, 3 * sizeof *points);
                frames[n] = f;
            }
    if (skl_ground_above(ground, n, points, frames, above)) return 0;
    double low = INFINITY, high = -INFINITY;
    for (n = 0; n < count; n++) {
        const double below = skl_v3_dot(points + 3 * n, feet->up) - above[n];
        low = fmin(low, below);
        high = fmax(high, below);
    }
    const double spread = high - low;
    *out = isfinite(spread) ? fmax(0.0, 1.0 - spread / (NOT_LEVEL * feet->tracks[0].length)) : 0.0;
    return 1;
}

int skl_whole_rise(const skl_feet *feet, const double *const *offsets, const skl_ground *ground, int jumps,
                   skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    int64_t count = 0;
    for (int64_t k = 0; k < feet->num_legs; k++) count += skl_spans_frames(feet->contacts[k]);
    *out = 0.0;
    if (!count) return 1;
    double *heights = SKL_TAKE(arena, double, count), part = 1.0;
    int64_t n = 0;
    if (!heights) return 0;
    for (int64_t k = 0; k < feet->num_legs; k++)
        for (int64_t i = 0; i < feet->contacts[k].count; i++)
            for (int64_t f = feet->contacts[k].at[i].first; f <= feet->contacts[k].at[i].last; f++)
                heights[n++] = skl_v3_dot(offsets[k] + 3 * f, feet->up);
    const double length = skl_mean_length(feet->tracks, feet->num_legs);
    *out = skl_median(heights, count);
    if (jumps) *out *= skl_smoothstep(fabs(*out) / (LED_THERE * length) - 1.0);
    if (!ground->is_level && fabs(*out) <= FAR_OFF * length && !level_part(feet, ground, count, arena, &part)) return 0;
    *out *= part;
    skl_arena_back(arena, mark);
    return 1;
}
