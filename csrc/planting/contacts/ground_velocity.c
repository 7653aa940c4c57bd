/* SPDX-License-Identifier: MIT */
/* The velocity of the ground below a cycle in place: that of the feet where they are lowest. */
#include <math.h>
#include <string.h>

#include "contact_constants.h"
#include "core/transforms/vector3.h"
#include "find_standing.h"
#include "planting/curves/filters.h"
#include "planting/curves/median.h"

void skl_leg_velocity(const skl_standing_job *job, int64_t leg, double out[3]) {
    const double part = skl_mean_length(job->tracks, job->num_legs) / job->tracks[leg].length;
    for (int i = 0; i < 3; i++) out[i] = part * job->limits.ground_velocity[i];
}

void skl_leg_speeds(const skl_standing_job *job, int64_t leg, const skl_foot_signal *signal, double *out) {
    double velocity[3];
    skl_leg_velocity(job, leg, velocity);
    skl_signal_speeds(signal, velocity, out);
}

/* The velocities of feet that are low and neither rise nor fall; returns their number. */
static int64_t pool_low(const skl_standing_job *job, const skl_foot_signal *signals, double *pooled) {
    const int64_t num = job->tracks->num_frames;
    const skl_arena mark = *job->arena;
    const double mean = skl_mean_length(job->tracks, job->num_legs);
    double *lowest = SKL_TAKE(job->arena, double, num);
    int64_t count = 0;
    for (int64_t k = 0; lowest && k < job->num_legs; k++) {
        const skl_foot_signal *s = &signals[k];
        const double part = job->tracks[k].length / mean;
        skl_running_min(s->height, num, skl_envelope_frames(job->fps), job->arena, lowest);
        for (int64_t f = 0; f < num; f++) {
            if (!(s->height[f] - lowest[f] < LOW && fabs(s->climb[f]) < PUSHES_CLIMB)) continue;
            for (int i = 0; i < 3; i++) pooled[3 * count + i] = part * s->velocity[3 * f + i];
            count++;
        }
    }
    skl_arena_back(job->arena, mark);
    return count;
}

double skl_pace(const skl_standing_job *job) {
    const int64_t last = job->tracks->num_frames - 1;
    double travelled[3] = {0};
    if (last < 1) return 0.0;
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int i = 0; i < 3; i++) travelled[i] += job->tracks[k].hip[3 * last + i] - job->tracks[k].hip[i];
    const double seconds = (double)last / job->fps;
    const double legs = (double)job->num_legs * skl_mean_length(job->tracks, job->num_legs);
    for (int i = 0; i < 3; i++) travelled[i] = travelled[i] / (legs * seconds) - job->limits.ground_velocity[i];
    return skl_v3_length(travelled);
}

/* The medians of these velocities; their median distance from it. */
static double steady_of(const double *pooled, int64_t count, double *scratch, double steady[3]) {
    for (int i = 0; i < 3; i++) {
        for (int64_t n = 0; n < count; n++) scratch[n] = pooled[3 * n + i];
        steady[i] = skl_median(scratch, count);
    }
    for (int64_t n = 0; n < count; n++) scratch[n] = skl_v3_distance(pooled + 3 * n, steady);
    return skl_median(scratch, count);
}

/* Whether the feet of a cycle in place go so. */
static int is_treadmill(const skl_standing_job *job, const double *pooled, int64_t count, double *scratch,
                        double steady[3]) {
    const double frames = (double)(job->tracks->num_frames * job->num_legs);
    if ((double)count < fmax((double)FEWEST_PUSHING, PUSHING_PART * frames)) return 0;
    const double spread = steady_of(pooled, count, scratch, steady), speed = skl_v3_length(steady);
    return !(speed < BELT_SPEED || spread > BELT_SPREAD * speed || skl_pace(job) > BELT_DRIFT * speed);
}

void skl_find_treadmill(skl_standing_job *job, const skl_foot_signal *signals) {
    const int64_t num = job->tracks->num_frames, all = num * job->num_legs;
    if (num < FEWEST_PUSHING) return;
    const skl_arena mark = *job->arena;
    double *pooled = SKL_TAKE(job->arena, double, 3 * all), *scratch = SKL_TAKE(job->arena, double, all);
    const int64_t count = pooled && scratch ? pool_low(job, signals, pooled) : 0;
    double steady[3];
    if (is_treadmill(job, pooled, count, scratch, steady)) {
        job->limits.moves = 1;
        memcpy(job->limits.ground_velocity, steady, sizeof steady);
    }
    skl_arena_back(job->arena, mark);
}

/* --- by contacts ---------------------------------------------------------------------------------------------------
 */

/* One foot as velocities are read from it. */
typedef struct foot_steps {
    const double *steps, *heights; /* level steps of the pivot; heights of the sole's lower point; in leg lengths */
    int64_t num;
} foot_steps;

static int is_near(const double *step, const double velocity[3], double part) {
    return skl_v3_distance(step, velocity) <= part * skl_v3_length(velocity);
}

/* Where between two frames a foot is at a height. */
static double crossing(double from, double to, double height) { return (height - from) / (to - from); }

/* How far a foot goes, and in how many frames, from some height above its lowest place in a contact down and up to
 * there again: it pushes the ground back while it lands, and goes forward on it while it leaves. */
static double roll_over(const foot_steps *foot, skl_span span, const double step[3], double travelled[3]) {
    int64_t low = span.first;
    for (int64_t f = span.first; f <= span.last; f++)
        if (foot->heights[f] < foot->heights[low]) low = f;
    const double top = foot->heights[low] + ROLL_HEIGHT;
    double frames = 0;
    for (int back = 0; back < 2; back++) {
        for (int64_t f = low, next; f >= 0 && f < foot->num; f = next) {
            next = back ? f - 1 : f + 1;
            const double *own = foot->steps + 3 * (back ? next : f);
            if (next < 0 || next >= foot->num || !is_near(own, step, ROLL_SPREAD)) break;
            const int last = foot->heights[next] > top;
            const double part = last ? crossing(foot->heights[f], foot->heights[next], top) : 1.0;
            for (int i = 0; i < 3; i++) travelled[i] += part * own[i];
            frames += part;
            if (last) break;
        }
    }
    return frames;
}

/* The steps inside of all contacts of a foot, in mean leg lengths per frame; returns their number. */
static int64_t pool_inside(const foot_steps *foot, skl_spans contacts, double *pooled) {
    int64_t count = 0;
    for (int64_t n = 0; n < contacts.count; n++) {
        const skl_span span = contacts.at[n];
        const int64_t edge = (span.last - span.first) / EDGE_PART;
        for (int64_t f = span.first + edge; f < span.last - edge; f++, count++)
            for (int i = 0; i < 3; i++) pooled[3 * count + i] = foot->steps[3 * f + i];
    }
    return count;
}

static int read_steps(const skl_standing_job *job, int64_t leg, foot_steps *out) {
    const skl_track *track = &job->tracks[leg];
    const double part = track->length / skl_mean_length(job->tracks, job->num_legs);
    skl_foot_signal signal;
    skl_read_signal(track, &job->models[leg], job->up, job->fps, job->limits.smoothing[leg], job->arena, &signal);
    if (job->arena->failed) return 0;
    for (int64_t i = 0; i < 3 * (track->num_frames - 1); i++) signal.slips[i] *= part / job->fps;
    for (int64_t f = 0; f < track->num_frames; f++) signal.height[f] *= part;
    *out = (foot_steps){.steps = signal.slips, .heights = signal.height, .num = track->num_frames};
    return 1;
}

/* Of contacts that last so many frames in the middle. */
static double middle_length(const skl_standing_job *job, double *scratch) {
    int64_t count = 0;
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t n = 0; n < job->contacts[k].count; n++)
            scratch[count++] = (double)skl_span_frames(job->contacts[k].at[n]);
    return skl_median(scratch, count);
}

/* Over how the feet of a run roll, where they have no time to rest; `step` is then that of the ground. */
static void roll_all_over(const skl_standing_job *job, const foot_steps *feet, double step[3]) {
    double travelled[3] = {0}, frames = 0;
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t n = 0; n < job->contacts[k].count; n++)
            frames += roll_over(&feet[k], job->contacts[k].at[n], step, travelled);
    for (int i = 0; frames > 0 && i < 3; i++) step[i] = travelled[i] / frames;
}

skl_code skl_stance_velocity(skl_standing_job *job) {
    const int64_t all = job->tracks->num_frames * job->num_legs;
    const skl_arena mark = *job->arena;
    foot_steps *feet = SKL_TAKE(job->arena, foot_steps, job->num_legs);
    double *pooled = SKL_TAKE(job->arena, double, 3 * all), *scratch = SKL_TAKE(job->arena, double, all);
    int64_t count = 0;
    job->status.code = SKL_OK;
    for (int64_t k = 0; k < job->num_legs && !job->arena->failed && read_steps(job, k, &feet[k]); k++)
        count += pool_inside(&feet[k], job->contacts[k], pooled + 3 * count);
    if (job->arena->failed) return skl_standing_done(job);
    double step[3] = {0};
    if (count) {
        const double spread = steady_of(pooled, count, scratch, step);
        job->limits.briefly = middle_length(job, scratch) < BRIEF * job->fps;
        if (spread > (job->limits.briefly ? RESTS_BRIEFLY : RESTS_ON_BELT) * skl_v3_length(step))
            roll_all_over(job, feet, step);
    }
    job->limits.moves = count > 0;
    for (int i = 0; i < 3; i++) job->limits.ground_velocity[i] = step[i] * job->fps;
    skl_arena_back(job->arena, mark);
    return skl_standing_done(job);
}
