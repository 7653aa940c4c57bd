/* SPDX-License-Identifier: MIT */
#include "find_standing.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/filters.h"
#include "planting/curves/median.h"
#include "planting/motion/fit_foot.h"

/* leg/s: bounds of the speed at which a contact may begin; between them it is this part of the clip's fast feet (95th
 * percentile). */
static const double LEAST_SLOW = 0.25, MOST_SLOW = 0.6, SLOW_PART = 0.1, FAST = 0.95;
/* 1/s: where noise shakes the path, of its deviation: that speed is at least this multiple of it, but for this part of
 * the clip's fast feet; */
static const double SHAKEN = 40.0, SHAKEN_PART = 0.2;
/* and this part of the speed of a ground that moves. */
static const double GROUND_PART = 0.35;
/* The part of the frames in which a foot is at its lowest. */
static const double LOWEST_PART = 0.05;
/* leg: feet that stand on one ground do not differ by more. */
static const double UNEVEN = 0.06;

/* Of a cycle in place. leg, leg/s: feet that are near to their low envelope, and neither rise nor fall, stand, */
static const double LOW = 0.05, CLIMBS = 0.8;
/* in at least so many of all frames, and in so many frames; */
static const double STANDING_PART = 0.15;
static const int64_t FEWEST = 4;
/* leg/s: they go at this speed at least, with this part of it as spread, while the body goes at this part of it. */
static const double SLIDES = 0.4, SPREAD_PART = 0.35, DRIFT_PART = 0.25;

static skl_code ended(skl_standing_job *job) {
    if (job->arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "core", "");
    return skl_done(&job->status);
}

/* The velocities of feet that are low and neither rise nor fall; returns their number. */
static int64_t pool_low(const skl_standing_job *job, const skl_foot_signal *signals, double *pooled) {
    const int64_t num = job->tracks->num_frames;
    const skl_arena mark = *job->arena;
    double *lowest = SKL_TAKE(job->arena, double, num);
    int64_t count = 0;
    for (int64_t k = 0; lowest && k < job->num_legs; k++) {
        const skl_foot_signal *s = &signals[k];
        skl_running_min(s->height, num, skl_envelope_frames(job->fps), job->arena, lowest);
        for (int64_t f = 0; f < num; f++)
            if (s->height[f] - lowest[f] < LOW && fabs(s->climb[f]) < CLIMBS)
                memcpy(pooled + 3 * count++, s->velocity + 3 * f, 3 * sizeof *pooled);
    }
    skl_arena_back(job->arena, mark);
    return count;
}

/* How fast the body goes from its first to its last frame, in leg lengths per second. */
static double drift(const skl_standing_job *job) {
    const int64_t last = job->tracks->num_frames - 1;
    double way[3] = {0};
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int i = 0; i < 3; i++) way[i] += job->tracks[k].hip[3 * last + i] - job->tracks[k].hip[i];
    return skl_v3_length(way) / (double)job->num_legs / skl_mean_length(job->tracks, job->num_legs) * job->fps /
           (double)last;
}

/* The median of these velocities, if the feet of a cycle in place go so. */
static int is_treadmill(const skl_standing_job *job, const double *pooled, int64_t count, double *scratch,
                        double steady[3]) {
    for (int i = 0; i < 3; i++) {
        for (int64_t n = 0; n < count; n++) scratch[n] = pooled[3 * n + i];
        steady[i] = skl_median(scratch, count);
    }
    for (int64_t n = 0; n < count; n++) {
        double apart[3];
        skl_v3_minus(pooled + 3 * n, steady, apart);
        scratch[n] = skl_v3_length(apart);
    }
    const double speed = skl_v3_length(steady), spread = skl_median(scratch, count);
    return !(speed < SLIDES || spread > SPREAD_PART * speed || drift(job) > DRIFT_PART * speed);
}

static void find_treadmill(skl_standing_job *job, const skl_foot_signal *signals) {
    const int64_t num = job->tracks->num_frames, all = num * job->num_legs;
    if (num < FEWEST) return;
    const skl_arena mark = *job->arena;
    double *pooled = SKL_TAKE(job->arena, double, 3 * all), *scratch = SKL_TAKE(job->arena, double, all);
    const int64_t count = pooled && scratch ? pool_low(job, signals, pooled) : 0;
    double steady[3];
    if ((double)count >= fmax((double)FEWEST, STANDING_PART * (double)all) &&
        is_treadmill(job, pooled, count, scratch, steady)) {
        job->limits.moves = 1;
        memcpy(job->limits.ground_velocity, steady, sizeof steady);
    }
    skl_arena_back(job->arena, mark);
}

/* The speed below which contacts begin. */
static double speed_to_enter(const skl_standing_job *job, const skl_foot_signal *signals, double *speeds) {
    const int64_t num = job->tracks->num_frames;
    double shake = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        skl_signal_speeds(&signals[k], job->limits.ground_velocity, speeds + k * num);
        shake = fmax(shake, skl_shake(&signals[k], job->arena));
    }
    const double fast = skl_quantile(speeds, num * job->num_legs, FAST);
    double enter = fmin(fmax(SLOW_PART * fast, LEAST_SLOW), MOST_SLOW);
    enter = fmax(enter, fmin(SHAKEN * shake, SHAKEN_PART * fast));
    return job->limits.moves ? fmax(enter, GROUND_PART * skl_v3_length(job->limits.ground_velocity)) : enter;
}

/* Each foot's height above its own lowest: soles and retargeting differ from side to side, but not by much. */
static void read_lowest(const skl_standing_job *job, const skl_foot_signal *signals, double *scratch) {
    const int64_t num = job->tracks->num_frames;
    const double mean = skl_mean_length(job->tracks, job->num_legs);
    double *lowest = job->limits.lowest, most = INFINITY;
    for (int64_t k = 0; k < job->num_legs; k++) {
        for (int64_t f = 0; f < num; f++) scratch[f] = signals[k].height[f] * (job->tracks[k].length / mean);
        lowest[k] = skl_quantile(scratch, num, LOWEST_PART);
        most = fmin(most, lowest[k] + UNEVEN);
    }
    for (int64_t k = 0; k < job->num_legs; k++) lowest[k] = fmin(lowest[k], most);
}

static void read_limits(skl_standing_job *job, const skl_foot_signal *signals) {
    const skl_arena mark = *job->arena;
    double *scratch = SKL_TAKE(job->arena, double, job->tracks->num_frames * job->num_legs);
    if (scratch) {
        job->limits.enter = speed_to_enter(job, signals, scratch);
        read_lowest(job, signals, scratch);
    }
    skl_arena_back(job->arena, mark);
}

static skl_foot_signal *read_signals(skl_standing_job *job) {
    skl_foot_signal *signals = SKL_ZEROS(job->arena, skl_foot_signal, job->num_legs);
    for (int64_t k = 0; signals && k < job->num_legs; k++)
        skl_read_signal(&job->tracks[k], &job->models[k], job->up, job->fps, job->limits.smoothing[k], job->arena,
                        &signals[k]);
    return job->arena->failed ? NULL : signals;
}

skl_code skl_find_standing(skl_standing_job *job, const double *clearance, int search, uint8_t *const *still) {
    const int64_t legs = job->num_legs;
    job->status.code = SKL_OK;
    job->limits.lowest = SKL_ZEROS(job->arena, double, legs);
    job->limits.smoothing = SKL_ZEROS(job->arena, double, legs);
    job->models = SKL_ZEROS(job->arena, skl_foot_model, legs);
    job->contacts = SKL_ZEROS(job->arena, skl_spans, legs);
    job->lifts = SKL_ZEROS(job->arena, skl_spans, legs);
    if (job->arena->failed) return ended(job);
    for (int64_t k = 0; k < legs; k++) {
        double *smoothing = &job->limits.smoothing[k];
        *smoothing = skl_path_smoothing(&job->tracks[k], job->fps, job->arena);
        skl_standing_frames(&job->tracks[k], job->up, job->fps, *smoothing, job->arena, still[k]);
    }
    skl_without_tiptoe(legs, job->tracks, job->up, job->fps, job->arena, still);
    for (int64_t k = 0; k < legs; k++) {
        const skl_fit_hints hints = {.clearance = clearance[k]};
        skl_fit_foot(&job->tracks[k], job->up, still[k], &hints, job->arena, &job->models[k]);
    }
    if (!search && job->limits.moves) return ended(job);
    const skl_foot_signal *signals = read_signals(job);
    if (!signals) return ended(job);
    if (!job->limits.moves) find_treadmill(job, signals);
    if (!search) return ended(job);
    read_limits(job, signals);
    return skl_detect_contacts(job, signals);
}

skl_code skl_find_again(skl_standing_job *job) {
    job->status.code = SKL_OK;
    job->contacts = SKL_ZEROS(job->arena, skl_spans, job->num_legs);
    job->lifts = SKL_ZEROS(job->arena, skl_spans, job->num_legs);
    const skl_foot_signal *signals = job->arena->failed ? NULL : read_signals(job);
    return signals ? skl_detect_contacts(job, signals) : ended(job);
}

skl_code skl_stance_velocity(skl_standing_job *job) {
    double sum[3] = {0}, *steps = SKL_TAKE(job->arena, double, 3 * job->tracks->num_frames);
    int64_t count = 0;
    job->status.code = SKL_OK;
    for (int64_t k = 0; steps && k < job->num_legs; k++) {
        const skl_track *track = &job->tracks[k];
        skl_pivot_steps(track, &job->models[k], job->up, job->arena, steps, NULL, NULL);
        for (int64_t n = 0; n < job->contacts[k].count; n++) {
            const skl_span span = job->contacts[k].at[n];
            const int64_t edge = (span.last - span.first) / 4;
            for (int64_t f = span.first + edge; f < span.last - edge; f++, count++)
                for (int i = 0; i < 3; i++) sum[i] += steps[3 * f + i] / track->length;
        }
    }
    job->limits.moves = count > 0;
    for (int i = 0; i < 3; i++) job->limits.ground_velocity[i] = count ? sum[i] / (double)count * job->fps : 0;
    return ended(job);
}
