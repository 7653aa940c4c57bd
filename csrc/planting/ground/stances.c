/* SPDX-License-Identifier: MIT */
#include "stances.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/curves.h"

/* A foot: where its ankle stands, without its height, and its sole in the frames of its contacts. */
typedef struct standing {
    double *ankle, *outline;
    int64_t begin, count; /* its frames among those of all feet */
} standing;

/* What the ground is queried with, 3 points for each frame of contact: by feet, by points, by frames. */
typedef struct query {
    double *points, *heights;
    int64_t *frames;
} query;

/* Move the ankle so that the ball stands over the point that is given for a contact. */
static void move_to_place(const double up[3], const standing *s, int64_t num, skl_span span, const double place[3]) {
    double away[3] = {0.0, 0.0, 0.0};
    for (int64_t f = span.first; f <= span.last; f++)
        for (int i = 0; i < 3; i++) away[i] += s->ankle[3 * f + i] + s->outline[3 * (num + f) + i];
    for (int i = 0; i < 3; i++) away[i] = place[i] - away[i] / (double)skl_span_frames(span);
    const double rise = skl_v3_dot(away, up);
    for (int64_t f = span.first; f <= span.last; f++)
        for (int i = 0; i < 3; i++) s->ankle[3 * f + i] += away[i] - rise * up[i];
}

static int stand(const skl_stances_job *job, skl_stance *leg, skl_arena *arena, standing *out) {
    const skl_standing_foot *foot = &leg->foot;
    const double *const up = job->ground->up;
    out->ankle = SKL_TAKE(arena, double, 3 * job->num_frames);
    out->outline = SKL_TAKE(arena, double, 9 * job->num_frames);
    if (arena->failed || !skl_standing_sole(foot, up, arena, out->ankle, out->outline)) return 0;
    if (foot->ground) return skl_whole_turn(foot->ground, foot->contacts, foot->turn, job->window, arena, leg->turn);
    memcpy(leg->turn, foot->turn, (size_t)job->num_frames * 3 * sizeof *leg->turn);
    for (int64_t i = 0; leg->places && i < foot->contacts.count; i++)
        if (!isnan(leg->places[3 * i]))
            move_to_place(up, out, job->num_frames, foot->contacts.at[i], leg->places + 3 * i);
    return 1;
}

/* The points of a sole in the frames of its contacts, at the height from which its ground is looked for: of several
 * storeys, the foot stands on the one that it is in. */
static void add_query(const skl_stances_job *job, const skl_stance *leg, const standing *s, const query *q) {
    const skl_standing_foot *foot = &leg->foot;
    const double *const up = job->ground->up;
    const double *near = foot->ground && job->ground->moves ? foot->ground->place : foot->track->ankle;
    int64_t n = 3 * s->begin;
    for (int p = 0; p < 3; p++)
        for (int64_t i = 0; i < foot->contacts.count; i++)
            for (int64_t f = foot->contacts.at[i].first; f <= foot->contacts.at[i].last; f++, n++) {
                const double height = skl_v3_dot(near + 3 * f, up);
                const double *point = s->outline + 3 * (p * job->num_frames + f);
                for (int k = 0; k < 3; k++) q->points[3 * n + k] = s->ankle[3 * f + k] + point[k] + height * up[k];
                q->frames[n] = f;
            }
}

/* How high the ankle has to be in each frame of its contacts; -infinity where there is no ground. */
static void needed_heights(const skl_stances_job *job, const skl_stance *leg, const standing *s, const query *q,
                           double *out) {
    int64_t n = 0;
    for (int64_t i = 0; i < leg->foot.contacts.count; i++)
        for (int64_t f = leg->foot.contacts.at[i].first; f <= leg->foot.contacts.at[i].last; f++, n++) {
            out[n] = -INFINITY;
            for (int p = 0; p < 3; p++) {
                const double below = q->heights[3 * s->begin + p * s->count + n];
                const double *point = s->outline + 3 * (p * job->num_frames + f);
                double sole[3];
                for (int k = 0; k < 3; k++) sole[k] = s->ankle[3 * f + k] + point[k];
                if (!isnan(below)) out[n] = fmax(out[n], below - skl_v3_dot(sole, job->ground->up));
            }
        }
}

static void settle(const skl_stances_job *job, const skl_stance *leg, const standing *s, double *heights) {
    const skl_standing_foot *foot = &leg->foot;
    const double *const up = job->ground->up;
    memset(leg->offset, 0, (size_t)job->num_frames * 3 * sizeof *leg->offset);
    for (int64_t i = 0, n = 0; i < foot->contacts.count; i++) {
        const skl_span span = foot->contacts.at[i];
        if (!skl_hold_between(heights + n, skl_span_frames(span)))
            for (int64_t f = span.first; f <= span.last; f++)
                heights[n + f - span.first] = skl_v3_dot(foot->track->ankle + 3 * f, up);
        for (int64_t f = span.first; f <= span.last; f++, n++) {
            const double height = heights[n] + leg->rises[i];
            for (int k = 0; k < 3; k++)
                leg->offset[3 * f + k] = s->ankle[3 * f + k] + height * up[k] - foot->track->ankle[3 * f + k];
        }
    }
}

static int run(skl_stances_job *job, skl_arena *arena) {
    standing *feet = SKL_TAKE(arena, standing, job->num_legs);
    int64_t all = 0;
    for (int64_t k = 0; feet && k < job->num_legs; k++) {
        feet[k].begin = all;
        all += feet[k].count = skl_spans_frames(job->legs[k].foot.contacts);
        if (!stand(job, &job->legs[k], arena, &feet[k])) return 0;
    }
    query q = {SKL_TAKE(arena, double, 9 * all), SKL_TAKE(arena, double, 3 * all), SKL_TAKE(arena, int64_t, 3 * all)};
    double *heights = SKL_TAKE(arena, double, all);
    if (arena->failed) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) add_query(job, &job->legs[k], &feet[k], &q);
    if (skl_ground_below(job->ground, 3 * all, q.points, q.frames, &(skl_footing){.heights = q.heights})) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        needed_heights(job, &job->legs[k], &feet[k], &q, heights);
        settle(job, &job->legs[k], &feet[k], heights);
    }
    return 1;
}

skl_code skl_stances_run(skl_stances_job *job) {
    skl_arena arena = {0};
    const int done = run(job, &arena), failed = arena.failed;
    skl_arena_free(&arena);
    if (failed) return skl_fail(&job->status, SKL_NO_MEMORY, "feet", "");
    job->status.code = done ? SKL_OK : SKL_STOPPED;
    return done ? skl_done(&job->status) : SKL_STOPPED;
}
