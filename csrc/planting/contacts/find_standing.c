/* SPDX-License-Identifier: MIT */
#include "find_standing.h"

#include <math.h>

#include "contact_constants.h"
#include "planting/curves/median.h"
#include "planting/motion/fit_foot.h"

/* The speed below which contacts begin. */
static double speed_to_enter(const skl_standing_job *job, const skl_foot_signal *signals, double *speeds) {
    const int64_t num = job->tracks->num_frames;
    double shake = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        skl_leg_speeds(job, k, &signals[k], speeds + k * num);
        shake = fmax(shake, skl_shake(&signals[k], job->arena));
    }
    const double fast = skl_quantile(speeds, num * job->num_legs, FAST);
    const double enter = fmin(fmax(SLOW_PART * fast, LEAST_SLOW), MOST_SLOW);
    return fmax(enter, fmin(SHAKEN * shake, SHAKEN_PART * fast));
}

/* Each foot's height above its own lowest: soles and retargeting differ from side to side, but not by much. */
static void read_lowest(const skl_standing_job *job, const skl_foot_signal *signals, double *scratch) {
    const int64_t num = job->tracks->num_frames;
    const double mean = skl_mean_length(job->tracks, job->num_legs);
    double *lowest = job->limits.lowest, most = INFINITY;
    for (int64_t k = 0; k < job->num_legs; k++) {
        for (int64_t f = 0; f < num; f++) scratch[f] = signals[k].height[f] * (job->tracks[k].length / mean);
        lowest[k] = skl_quantile(scratch, num, LOWEST_PART);
        most = fmin(most, lowest[k] + SOLES_DIFFER);
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

/* Whether a foot stands for longer than one frame. */
static int stands(const skl_standing_job *job) {
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t n = 0; n < job->contacts[k].count; n++)
            if (skl_span_frames(job->contacts[k].at[n]) > 1) return 1;
    return 0;
}

/* Contacts by limits that do not know how fast the body goes, unless a foot then stands for much less long than by
 * looser ones: feet of a run, or of a cycle made in place, do not go with the ground so closely. */
static skl_code detect(skl_standing_job *job, const skl_foot_signal *signals, int given) {
    const int measure = job->limits.moves && !given;
    read_limits(job, signals);
    const double enter = job->limits.enter, loose_enter = fmax(enter, PACE_PART * skl_pace(job));
    job->limits.enter = loose_enter;
    if (skl_detect_contacts(job, signals) != SKL_OK) return job->status.code;
    if (loose_enter == enter && !measure) return SKL_OK;
    if (measure && stands(job) && skl_stance_velocity(job) != SKL_OK) return job->status.code;
    const skl_spans *const loose = job->contacts;
    if (!(job->contacts = SKL_ZEROS(job->arena, skl_spans, job->num_legs))) return skl_standing_done(job);
    read_limits(job, signals);
    if (skl_detect_contacts(job, signals) != SKL_OK) return job->status.code;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const double frames = (double)skl_spans_frames(job->contacts[k]);
        if (frames >= MUCH_LONGER * (double)skl_spans_frames(loose[k])) continue;
        job->limits.enter = loose_enter;
        return skl_detect_contacts(job, signals);
    }
    return SKL_OK;
}

skl_code skl_find_standing(skl_standing_job *job, const double *clearance, int search, uint8_t *const *still) {
    const int64_t legs = job->num_legs;
    job->status.code = SKL_OK;
    job->limits.lowest = SKL_ZEROS(job->arena, double, legs);
    job->limits.smoothing = SKL_ZEROS(job->arena, double, legs);
    job->models = SKL_ZEROS(job->arena, skl_foot_model, legs);
    job->contacts = SKL_ZEROS(job->arena, skl_spans, legs);
    job->lifts = SKL_ZEROS(job->arena, skl_spans, legs);
    if (job->arena->failed) return skl_standing_done(job);
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
    if (!search && job->limits.moves) return skl_standing_done(job);
    const skl_foot_signal *signals = read_signals(job);
    if (!signals) return skl_standing_done(job);
    const int given = job->limits.moves;
    if (!given) skl_find_treadmill(job, signals);
    if (!search) return skl_standing_done(job);
    return detect(job, signals, given);
}

skl_code skl_find_again(skl_standing_job *job) {
    job->status.code = SKL_OK;
    job->contacts = SKL_ZEROS(job->arena, skl_spans, job->num_legs);
    job->lifts = SKL_ZEROS(job->arena, skl_spans, job->num_legs);
    const skl_foot_signal *signals = job->arena->failed ? NULL : read_signals(job);
    return signals ? skl_detect_contacts(job, signals) : skl_standing_done(job);
}
