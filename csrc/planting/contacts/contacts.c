/* SPDX-License-Identifier: MIT */
/* When a foot stands: hysteresis from cores, ends cut to where the foot is quiet, short gaps closed. */
#include <math.h>

#include "contacts.h"
#include "contact_constants.h"
#include "planting/curves/arena.h"
#include "planting/curves/median.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"

/* The running job. */
typedef struct search {
    skl_contacts_job *job;
    double *scratch;   /* num_frames: for medians */
    skl_span *planted; /* where the pivot rests for long enough; rising */
    int64_t num_planted;
    int rolls[2]; /* whether contacts continue before, and after, the pivot rests */
} search;

static int is_shorter(skl_span span, double frames) { return (double)skl_span_frames(span) < frames; }

/* Mean velocity in a span. */
static void mean_velocity(const search *s, skl_span span, double mean[3]) {
    double sum[3] = {0};
    for (int64_t f = span.first; f <= span.last; f++)
        for (int k = 0; k < 3; k++) sum[k] += s->job->velocity[3 * f + k];
    for (int k = 0; k < 3; k++) mean[k] = sum[k] / (double)skl_span_frames(span);
}

/* Between frames, so that the last frame of a contact does not see the first step out of it. */
static double slip(const search *s, const double steady[3], int64_t f) {
    return skl_v3_distance(s->job->slips + 3 * f, steady);
}

static double climb(const search *s, const double steady[3], int64_t f) {
    (void)steady;
    return fabs(s->job->height[f + 1] - s->job->height[f]);
}

static double rise(const search *s, const double steady[3], int64_t f) {
    (void)steady;
    return s->job->rises[f];
}

typedef double curve(const search *, const double[3], int64_t);

/* What a curve is in a core, and how far it may go at the ends of a contact. */
typedef struct bounds {
    double usual, most;
} bounds;

/* A limit, or more where the core itself is noisy. */
static bounds bounds_of(const search *s, curve *of, skl_span core, const double steady[3], double limit) {
    const int64_t count = core.last - core.first;
    if (count < 1) return (bounds){0.0, limit};
    for (int64_t i = 0; i < count; i++) s->scratch[i] = of(s, steady, core.first + i);
    const double usual = skl_median(s->scratch, count);
    return (bounds){usual, fmax(limit, s->job->limits.noise * usual)};
}

static int stays(const search *s, const double steady[3], double level, int64_t f) {
    const skl_contacts_job *job = s->job;
    return job->core[f] || (job->leave[f] && skl_v3_distance(job->velocity + 3 * f, steady) < job->limits.steady &&
                            fabs(job->height[f] - level) < job->limits.stay);
}

/* Extend a core in both directions for as long as the foot stays. */
static skl_span stay(const search *s, skl_span core, const double steady[3]) {
    const double level = skl_median_of(s->job->height + core.first, skl_span_frames(core), s->scratch);
    skl_span span = core;
    while (span.first > 0 && stays(s, steady, level, span.first - 1)) span.first--;
    while (span.last + 1 < s->job->num_frames && stays(s, steady, level, span.last + 1)) span.last++;
    return span;
}

/* How many frames before the step `edge`, the first in which it departs, a foot has set off: its speed, which
 * grows evenly from where it stands by more than `sets_off` a frame, is followed back to what is near the usual.
 * `direction` is 1 at the end of a contact, -1 at its beginning, in which the foot comes to rest. */
static int64_t departing_frames(const search *s, curve *of, const double steady[3], double usual, double sets_off,
                                int64_t edge, int direction) {
    const int64_t next = edge + direction, last = s->job->num_frames - 2;
    if (edge < 0 || edge > last || next < 0 || next > last) return 0;
    const double rest = SETS_OFF_FROM * usual, near = of(s, steady, edge), more = of(s, steady, next) - near;
    if (!(more > sets_off) || near <= rest) return 0;
    const double frames = floor((near - rest) / more - 0.5);
    return (int64_t)fmin(fmax(frames, 0.0), s->job->limits.departing);
}

/* Which curves show that a foot is moving away. */
typedef enum departure { BY_SLIP, BY_SLIP_AND_RISE } departure;

/* Cut the ends of a contact in which the foot is already, or still, moving. */
static skl_span quiet_part(const search *s, skl_span span, skl_span core, const double steady[3], departure by) {
    const skl_contact_limits *limits = &s->job->limits;
    const bounds slips = bounds_of(s, slip, core, steady, limits->quiet);
    const bounds climbs = bounds_of(s, climb, core, steady, limits->lift);
    skl_span quiet = {-1, -1};
    for (int64_t f = span.first; f < span.last; f++) {
        if (!(slip(s, steady, f) <= slips.most && climb(s, steady, f) <= climbs.most)) continue;
        if (quiet.first < 0) quiet.first = f;
        quiet.last = f + 1;
    }
    if (quiet.first < 0) return core;
    /* A foot that is hardly at rest says nothing about when it set off. */
    if (slips.usual > AT_REST * limits->quiet || climbs.usual > AT_REST * limits->lift) return quiet;
    int64_t cut[2] = {0, 0};
    for (int end = 0; end < 2; end++) {
        const int64_t edge = end ? quiet.last : quiet.first - 1;
        const int direction = end ? 1 : -1;
        const int64_t level = departing_frames(s, slip, steady, slips.usual, limits->sets_off, edge, direction);
        const int64_t up =
            by == BY_SLIP ? 0 : departing_frames(s, rise, steady, climbs.usual, limits->rises_off, edge, direction);
        cut[end] = level > up ? level : up;
    }
    const skl_span rest = {quiet.first + cut[0], quiet.last - cut[1]};
    return is_shorter(rest, limits->shortest) ? quiet : rest;
}

/* Join a span to the one before if the gap is short and the foot has stayed at its place. */
static int joined(const search *s, skl_span *before, skl_span span) {
    const skl_contact_limits *limits = &s->job->limits;
    const double frames = (double)(span.first - before->last);
    if (frames - 1 > limits->gap) return 0;
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = s->job->place[3 * before->last + k] + limits->ground_step[k] * frames;
    if (skl_v3_distance(s->job->place + 3 * span.first, at) > limits->same_place) return 0;
    before->last = span.last;
    return 1;
}

/* Add the contact around a core. */
static void add_around(const search *s, skl_span core) {
    skl_contacts_job *job = s->job;
    double steady[3];
    mean_velocity(s, core, steady);
    skl_span span = quiet_part(s, stay(s, core, steady), core, steady, BY_SLIP_AND_RISE);
    if (job->num_spans) {
        skl_span *before = &job->spans[job->num_spans - 1];
        if (span.first <= before->last) span.first = before->last + 1;
        if (joined(s, before, span)) return;
    }
    job->spans[job->num_spans++] = span;
}

/* A contact in which the pivot rests, and on to where the foot is quiet around it: what rises in a roll still stands.
 */
static skl_span quiet_around(const search *s, skl_span rest) {
    double steady[3];
    mean_velocity(s, rest, steady);
    return quiet_part(s, stay(s, rest, steady), rest, steady, BY_SLIP);
}

/* Whether most feet are quiet for longer before they rest than those that come to rest, and after it than those that
 * set off. Then they roll there, about a point of the sole that is not known to rounding. */
static void see_rolls(search *s) {
    const double brief = s->job->limits.brief;
    int64_t before = 0, after = 0;
    for (int64_t i = 0; i < s->num_planted && !skl_stopped(); i++) {
        const skl_span rest = s->planted[i], quiet = quiet_around(s, rest);
        before += (double)(rest.first - quiet.first) > brief ? 1 : -1;
        after += (double)(quiet.last - rest.last) > brief ? 1 : -1;
    }
    s->rolls[0] = before > 0;
    s->rolls[1] = after > 0;
}

/* The contact of a foot whose pivot rests: with its rolls, between two others. */
static skl_span rest_and_rolls(const search *s, skl_span rest, int64_t from, int64_t to) {
    if (!s->rolls[0] && !s->rolls[1]) return rest;
    const skl_span quiet = quiet_around(s, rest);
    skl_span span = rest;
    if (s->rolls[0] && quiet.first < rest.first) span.first = quiet.first > from ? quiet.first : from;
    if (s->rolls[1] && quiet.last > rest.last) span.last = quiet.last < to ? quiet.last : to;
    return span;
}

/* Add the contacts that meet a core and in which the pivot rests; returns whether there are any. */
static int add_planted(const search *s, skl_span core, int64_t *next) {
    skl_contacts_job *job = s->job;
    const int64_t known = job->num_spans;
    while (*next < s->num_planted && s->planted[*next].last < core.first) ++*next;
    for (int64_t i = *next; i < s->num_planted && s->planted[i].first <= core.last; i++) {
        const int64_t from = job->num_spans ? job->spans[job->num_spans - 1].last + 1 : 0;
        const int64_t to = i + 1 < s->num_planted ? s->planted[i + 1].first - 1 : job->num_frames - 1;
        if (s->planted[i].first >= from) job->spans[job->num_spans++] = rest_and_rolls(s, s->planted[i], from, to);
    }
    return job->num_spans > known;
}

/* Of a contact that the motion's first or last frame cuts, a part is seen. */
static double shortest_of(const skl_contacts_job *job, skl_span span) {
    const double shortest = job->limits.shortest;
    const int cut = (span.first == 0) != (span.last == job->num_frames - 1);
    return cut ? fmax(0.5 * shortest, fmin(LEAST_CONTACT, shortest)) : shortest;
}

static void find(search *s) {
    skl_contacts_job *job = s->job;
    const skl_contact_limits *limits = &job->limits;
    skl_span run;
    for (int64_t from = 0; skl_next_run(job->rests, job->num_frames, from, &run); from = run.last + 1)
        if (!is_shorter(run, limits->shortest_rest)) s->planted[s->num_planted++] = run;
    see_rolls(s);
    int64_t next = 0;
    job->num_spans = 0;
    for (int64_t from = 0; skl_next_run(job->core, job->num_frames, from, &run); from = run.last + 1) {
        if (skl_stopped()) return;
        if (is_shorter(run, limits->shortest_core)) continue;
        if (job->num_spans && run.last <= job->spans[job->num_spans - 1].last) continue;
        if (!add_planted(s, run, &next)) add_around(s, run);
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < job->num_spans; i++)
        if (!is_shorter(job->spans[i], shortest_of(job, job->spans[i]))) job->spans[kept++] = job->spans[i];
    job->num_spans = kept;
}

skl_code skl_contacts_run(skl_contacts_job *job) {
    skl_arena arena = {0};
    search s = {.job = job,
                .scratch = SKL_TAKE(&arena, double, job->num_frames + 1),
                .planted = SKL_TAKE(&arena, skl_span, skl_most_runs(job->num_frames) + 1)};
    job->status.code = SKL_OK;
    if (!arena.failed) find(&s);
    const skl_code code = arena.failed ? skl_fail(&job->status, SKL_NO_MEMORY, "core", "") : skl_done(&job->status);
    skl_arena_free(&arena);
    return code;
}
