/* SPDX-License-Identifier: MIT */
/* Contacts, cut to where there is ground to stand on. */
#include <math.h>

#include "ground_constants.h"
#include "read_footholds.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"

int skl_ground_below_soles(const skl_ground *ground, const skl_standing_foot *feet, int64_t num, skl_arena *arena,
                           skl_sole_ground *out) {
    int64_t all = 0;
    for (int64_t k = 0; k < num; k++) all += 3 * out[k].count;
    double *points = SKL_TAKE(arena, double, 3 * all), *heights = SKL_TAKE(arena, double, all);
    double *normals = SKL_TAKE(arena, double, 3 * all);
    int64_t *frames = SKL_TAKE(arena, int64_t, all), n = 0;
    if (arena->failed) return 0;
    for (int64_t k = 0; k < num; k++) {
        const skl_track *track = feet[k].track;
        const skl_arena mark = *arena;
        double *ankle = SKL_TAKE(arena, double, 3 * track->num_frames);
        double *outline = SKL_TAKE(arena, double, 9 * track->num_frames);
        if (arena->failed || !skl_standing_sole(&feet[k], ground->up, arena, ankle, outline)) return 0;
        out[k].heights = heights + n;
        out[k].normals = normals + 3 * n;
        for (int p = 0; p < 3; p++)
            for (int64_t i = 0; i < out[k].count; i++, n++) {
                const int64_t f = out[k].frames[i];
                const double height = skl_v3_dot(track->ankle + 3 * f, ground->up);
                frames[n] = f;
                for (int c = 0; c < 3; c++)
                    points[3 * n + c] =
                        ankle[3 * f + c] + height * ground->up[c] + outline[3 * (p * track->num_frames + f) + c];
            }
        skl_arena_back(arena, mark);
    }
    return !skl_ground_below(ground, all, points, frames, &(skl_footing){.heights = heights, .normals = normals});
}

/* The frames of spans. */
static int64_t *frames_of(skl_spans spans, skl_arena *arena, int64_t *count) {
    *count = skl_spans_frames(spans);
    int64_t *out = SKL_TAKE(arena, int64_t, *count), n = 0;
    for (int64_t i = 0; out && i < spans.count; i++)
        for (int64_t f = spans.at[i].first; f <= spans.at[i].last; f++) out[n++] = f;
    return out;
}

/* Whether there is ground below some point of a sole, and whether such that is gentle enough. */
static void looked_at(const skl_footholds_job *job, const skl_sole_ground *below, int64_t i, int *hit, int *gentle) {
    *hit = *gentle = 0;
    for (int p = 0; p < 3; p++) {
        const int64_t n = p * below->count + i;
        if (!isfinite(below->heights[n])) continue;
        *hit = 1;
        *gentle |= skl_v3_dot(below->normals + 3 * n, job->ground->up) >= job->steepest;
    }
}

/* Cut the contacts of one foot; sets whether there was something to cut. */
static int cut_foot(skl_footholds_job *job, skl_foothold_leg *leg, const skl_sole_ground *below, skl_arena *arena,
                    int *cut) {
    uint8_t *left = SKL_ZEROS(arena, uint8_t, job->num_frames);
    skl_span *kept = SKL_TAKE(arena, skl_span, job->num_frames + 1);
    if (arena->failed) return 0;
    *cut = 0;
    for (int64_t i = 0; i < below->count; i++) {
        int hit, gentle;
        looked_at(job, below, i, &hit, &gentle);
        left[below->frames[i]] = (uint8_t)gentle;
        *cut |= !gentle;
        job->holes += !hit;
        job->steep += hit && !gentle;
    }
    if (*cut) leg->contacts = (skl_spans){kept, skl_runs_within(leg->contacts, left, kept)};
    return 1;
}

/* Whether some foot has ground below its ankle in some frame. */
static int check_somewhere(skl_footholds_job *job, skl_arena *arena) {
    int64_t *frames = SKL_TAKE(arena, int64_t, job->num_frames);
    double *heights = SKL_TAKE(arena, double, job->num_frames);
    if (arena->failed) return 0;
    for (int64_t f = 0; f < job->num_frames; f++) frames[f] = f;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const double *ankle = job->legs[k].track->ankle;
        if (skl_ground_below(job->ground, job->num_frames, ankle, frames, &(skl_footing){.heights = heights})) return 0;
        for (int64_t f = 0; f < job->num_frames; f++)
            if (isfinite(heights[f])) return 1;
    }
    job->nowhere = 1;
    return 1;
}

int skl_keep_standable(skl_footholds_job *job, skl_arena *arena, skl_sole_ground *known) {
    const int64_t num = job->num_legs;
    int64_t *uncertain = SKL_TAKE(arena, int64_t, num), count = num, left = 0;
    skl_standing_foot *feet = SKL_TAKE(arena, skl_standing_foot, num);
    skl_sole_ground *below = SKL_TAKE(arena, skl_sole_ground, num);
    if (arena->failed) return 0;
    for (int64_t k = 0; k < num; k++) {
        uncertain[k] = k;
        known[k].count = -1;
    }
    for (int round = 0; round < CUT_ROUNDS && count && !skl_stopped(); round++) {
        int64_t queried = 0;
        for (int64_t i = 0; i < count; i++) {
            const skl_foothold_leg *leg = &job->legs[uncertain[i]];
            below[queried].frames = frames_of(leg->contacts, arena, &below[queried].count);
            if (!below[queried].frames) return 0;
            feet[queried] = (skl_standing_foot){.track = leg->track,
                                                .sole = &leg->model->sole,
                                                .contacts = leg->contacts,
                                                .pinned = job->pin && !job->ground->moves};
            if (below[queried].count) uncertain[queried++] = uncertain[i];
        }
        if (!skl_ground_below_soles(job->ground, feet, queried, arena, below)) return 0;
        count = 0;
        for (int64_t i = 0; i < queried; i++) {
            const int64_t k = uncertain[i];
            int cut;
            if (!cut_foot(job, &job->legs[k], &below[i], arena, &cut)) return 0;
            if (cut)
                uncertain[count++] = k;
            else if (!job->ground->moves)
                known[k] = below[i];
        }
    }
    for (int64_t k = 0; k < num; k++) left += job->legs[k].contacts.count;
    return !job->holes || left || check_somewhere(job, arena);
}
