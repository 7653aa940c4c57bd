/* SPDX-License-Identifier: MIT */
#include "foot_signal.h"

#include <math.h>
#include <string.h>

#include "contact_constants.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/filters.h"
#include "planting/curves/median.h"
#include "planting/motion/cuts.h"
#include "planting/motion/fit_foot.h"

static double between(double value, double low, double high) { return fmin(fmax(value, low), high); }

int64_t skl_envelope_frames(double fps) { return (int64_t)fmax(1.0, rint(ENVELOPE * fps)); }

/* The deviation of white noise from the lengths of its third differences in an even path. */
static double deviation(double *jerks, int64_t count) {
    return skl_quantile(jerks, count, EVEN_PART) / (EVEN_JERK_OF_NOISE * JERK_OF_NOISE);
}

/* Differences of differences of rows, `count` - 2 of them. */
static void second_differences(const double *rows, int64_t count, double *out) {
    for (int64_t i = 0; i < 3 * (count - 2); i++) out[i] = (rows[i + 6] - rows[i + 3]) - (rows[i + 3] - rows[i]);
}

static void differences(const double *rows, int64_t count, double *out) {
    for (int64_t i = 0; i < 3 * (count - 1); i++) out[i] = rows[i + 3] - rows[i];
}

static void lengths(const double *vectors, int64_t count, double *out) {
    for (int64_t i = 0; i < count; i++) out[i] = skl_v3_length(vectors + 3 * i);
}

static double smoothing_of(const double *path, int64_t num, double fps, double *smooth, double *rate, double *sizes,
                           skl_arena *arena) {
    differences(path, num, smooth);
    second_differences(smooth, num - 1, rate);
    lengths(rate, num - 3, sizes);
    const double jitter = deviation(sizes, num - 3);
    skl_low_pass(path, num, 3, LEAST_SMOOTHING * fps, arena, smooth);
    skl_rate(smooth, num, 3, fps, rate);
    for (int i = 0; i < 3; i++) {
        const double travel = (path[3 * (num - 1) + i] - path[i]) * fps / (double)(num - 1);
        for (int64_t f = 0; f < num; f++) rate[3 * f + i] -= travel;
    }
    lengths(rate, num, sizes);
    const double calm = between(JITTER_PART * skl_quantile(sizes, num, FAST), LEAST_JITTER, MOST_JITTER);
    const double needed = pow(jitter * jitter / (4.0 * sqrt(SKL_PI) * fps * calm * calm), 1.0 / 3.0);
    return between(needed, LEAST_SMOOTHING, MOST_SMOOTHING);
}

double skl_path_smoothing(const skl_track *track, double fps, skl_arena *arena) {
    const int64_t num = track->num_frames;
    if (num < FEWEST_FRAMES) return LEAST_SMOOTHING;
    const skl_arena mark = *arena;
    double *path = SKL_TAKE(arena, double, 3 * num), *smooth = SKL_TAKE(arena, double, 3 * num);
    double *rate = SKL_TAKE(arena, double, 3 * num), *sizes = SKL_TAKE(arena, double, num);
    double found = LEAST_SMOOTHING;
    if (path && smooth && rate && sizes) {
        skl_ball_path(track, path);
        for (int64_t i = 0; i < 3 * num; i++) path[i] /= track->length;
        found = smoothing_of(path, num, fps, smooth, rate, sizes, arena);
    }
    skl_arena_back(arena, mark);
    return found;
}

/* What is looked at of one joint after the other. */
typedef struct heights {
    double *raw, *smooth, *rate, *lowest, *total; /* num_frames each */
} heights;

static void leave_calm(const skl_track *track, const double up[3], double fps, double smoothing, const double *joint,
                       const heights *h, skl_arena *arena, uint8_t *calm) {
    const int64_t num = track->num_frames;
    for (int64_t f = 0; f < num; f++) h->raw[f] = skl_v3_dot(joint + 3 * f, up);
    skl_low_pass(h->raw, num, 1, smoothing * fps, arena, h->smooth);
    for (int64_t f = 0; f < num; f++) h->smooth[f] /= track->length;
    skl_rate(h->smooth, num, 1, fps, h->rate);
    skl_running_min(h->smooth, num, skl_envelope_frames(fps), arena, h->lowest);
    for (int64_t f = 0; f < num; f++) {
        calm[f] &= fabs(h->rate[f]) < CALM_CLIMB && h->smooth[f] - h->lowest[f] < CALM_HEIGHT;
        h->total[f] += h->smooth[f];
    }
}

void skl_standing_frames(const skl_track *track, const double up[3], double fps, double smoothing, skl_arena *arena,
                         uint8_t *out) {
    const int64_t num = track->num_frames;
    const skl_arena mark = *arena;
    const heights h = {SKL_TAKE(arena, double, num), SKL_TAKE(arena, double, num), SKL_TAKE(arena, double, num),
                       SKL_TAKE(arena, double, num), SKL_ZEROS(arena, double, num)};
    double *ball = SKL_TAKE(arena, double, 3 * num);
    memset(out, 1, (size_t)num);
    if (!arena->failed) {
        leave_calm(track, up, fps, smoothing, track->ankle, &h, arena, out);
        if (track->has_ball) {
            skl_ball_path(track, ball);
            leave_calm(track, up, fps, smoothing, ball, &h, arena, out);
        }
        if (!memchr(out, 1, (size_t)num)) {
            memcpy(h.raw, h.total, (size_t)num * sizeof *h.raw);
            const double low = skl_quantile(h.raw, num, LOWEST_FRAMES);
            for (int64_t f = 0; f < num; f++) out[f] = h.total[f] <= low;
        }
    }
    skl_arena_back(arena, mark);
}

void skl_pivot_steps(const skl_track *track, const skl_foot_model *model, const double up[3], skl_arena *arena,
                     double *steps, double *back, double *ball) {
    const int64_t num = track->num_frames;
    const skl_arena mark = *arena;
    double *outline = SKL_TAKE(arena, double, 9 * num), *paths = SKL_TAKE(arena, double, 6 * num);
    if (outline && paths) {
        if (!back) back = paths;
        if (!ball) ball = paths + 3 * num;
        skl_sole_outline(&model->sole, up, num, track->foot, outline);
        for (int64_t i = 0; i < 3 * num; i++) {
            ball[i] = track->ankle[i] + outline[3 * num + i];
            back[i] = track->ankle[i] + outline[6 * num + i];
        }
        skl_rolling_steps(up, num, back, ball, steps);
    }
    skl_arena_back(arena, mark);
}

/* The lower of two points. */
static double lower_height(const double *a, const double *b, const double up[3]) {
    return fmin(skl_v3_dot(a, up), skl_v3_dot(b, up));
}

/* Of the smoothed sole: where its pivot is, and how fast that goes. */
static void read_pivot(const skl_track *track, const double up[3], const double *heel, const double *ball,
                       const uint8_t *on_heel, const double *const rates[2], skl_foot_signal *out) {
    for (int64_t f = 0; f < out->num_frames && skl_goes_on(f); f++) {
        const double *rate = rates[!on_heel[f]] + 3 * f, *place = (on_heel[f] ? heel : ball) + 3 * f;
        for (int i = 0; i < 3; i++) out->velocity[3 * f + i] = rate[i] / track->length;
        skl_v3_flatten(up, out->velocity + 3 * f);
        memcpy(out->place + 3 * f, place, 3 * sizeof *place);
        out->height[f] = lower_height(heel + 3 * f, ball + 3 * f, up) / track->length;
        out->above_hips[f] = out->height[f] - skl_v3_dot(track->hip + 3 * f, up) / track->length;
    }
}

/* Room of a signal; 0 where there is none. */
static int take_signal(int64_t num, skl_arena *arena, skl_foot_signal *out) {
    double **const single[4] = {&out->height, &out->climb, &out->above_hips, &out->rises};
    double **const vectors[4] = {&out->velocity, &out->place, &out->slips, &out->raw};
    out->num_frames = num;
    for (int i = 0; i < 4; i++) {
        *single[i] = SKL_TAKE(arena, double, num);
        *vectors[i] = SKL_TAKE(arena, double, 3 * num);
    }
    return !arena->failed;
}

void skl_read_signal(const skl_track *track, const skl_foot_model *model, const double up[3], double fps,
                     double smoothing, skl_arena *arena, skl_foot_signal *out) {
    const int64_t num = track->num_frames;
    if (!take_signal(num, arena, out)) return;
    const skl_arena mark = *arena;
    double *paths = SKL_TAKE(arena, double, 12 * num);
    uint8_t *on_heel = SKL_TAKE(arena, uint8_t, num);
    if (paths && on_heel) {
        double *const back = paths, *const front = back + 3 * num, *const heel = front + 3 * num;
        double *const ball = heel + 3 * num;
        skl_pivot_steps(track, model, up, arena, out->raw, back, front);
        for (int64_t i = 0; i < 3 * (num - 1); i++) out->raw[i] /= track->length;
        for (int64_t f = 0; f + 1 < num; f++)
            out->rises[f] = (lower_height(back + 3 * f + 3, front + 3 * f + 3, up) -
                             lower_height(back + 3 * f, front + 3 * f, up)) /
                            track->length;
        const double torn = skl_tear(track->length, fps);
        skl_low_pass_between(back, num, torn, smoothing * fps, arena, heel);
        skl_low_pass_between(front, num, torn, smoothing * fps, arena, ball);
        skl_rolls_on_heel(up, num, heel, ball, on_heel);
        const double *const rates[2] = {back, front};
        skl_rate_between(heel, num, torn, fps, back);
        skl_rate_between(ball, num, torn, fps, front);
        read_pivot(track, up, heel, ball, on_heel, rates, out);
        skl_rolling_steps(up, num, heel, ball, out->slips);
        for (int64_t i = 0; i < 3 * (num - 1); i++) out->slips[i] *= fps / track->length;
        skl_rate(out->height, num, 1, fps, out->climb);
    }
    skl_arena_back(arena, mark);
}

/* Whether there is no step, to rounding, into a frame or out of it; one frame more than steps. */
static void without_steps(const double *steps, int64_t count, double *scratch, uint8_t *small, uint8_t *out) {
    skl_span run;
    memset(out, 0, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++) small[i] = steps[i] < ROUNDED;
    /* As a whole or not at all: in pieces, jitter would make many contacts of one. */
    for (int64_t from = 0; skl_next_run(small, count, from, &run); from = run.last + 1)
        if (skl_median_of(steps + run.first, skl_span_frames(run), scratch) < RESTS)
            memset(out + run.first, 1, (size_t)skl_span_frames(run) + 1);
    for (int64_t i = 0; i < count; i++) small[i] = steps[i] < NEARLY_RESTS;
    for (int64_t from = 0; skl_next_run(small, count, from, &run); from = run.last + 1)
        if (memchr(out + run.first, 1, (size_t)skl_span_frames(run) + 1))
            memset(out + run.first, 1, (size_t)skl_span_frames(run) + 1);
}

void skl_fixed_frames(const skl_foot_signal *signal, double lift, const double ground_step[3], skl_arena *arena,
                      uint8_t *out) {
    const int64_t count = signal->num_frames - 1;
    const skl_arena mark = *arena;
    double *steps = SKL_TAKE(arena, double, count), *scratch = SKL_TAKE(arena, double, count);
    uint8_t *small = SKL_TAKE(arena, uint8_t, count);
    if (steps && scratch && small) {
        for (int64_t i = 0; i < count; i++)
            steps[i] = fabs(signal->rises[i]) > lift ? INFINITY : skl_v3_distance(signal->raw + 3 * i, ground_step);
        without_steps(steps, count, scratch, small, out);
    }
    skl_arena_back(arena, mark);
}

double skl_shake(const skl_foot_signal *signal, skl_arena *arena) {
    const int64_t count = signal->num_frames - 3;
    if (count < FEWEST_JERKS) return 0;
    const skl_arena mark = *arena;
    double *jerks = SKL_TAKE(arena, double, 3 * count), *sizes = SKL_TAKE(arena, double, count);
    double *turns = SKL_TAKE(arena, double, count), shake = 0;
    if (jerks && sizes && turns) {
        second_differences(signal->raw, count + 2, jerks);
        lengths(jerks, count, sizes);
        for (int64_t i = 0; i + 1 < count; i++)
            turns[i] = skl_v3_dot(jerks + 3 * i + 3, jerks + 3 * i) / fmax(sizes[i + 1] * sizes[i], SKL_TINY);
        if (skl_median(turns, count - 1) < TURNS_BACK) shake = deviation(sizes, count);
    }
    skl_arena_back(arena, mark);
    return shake;
}

void skl_signal_speeds(const skl_foot_signal *signal, const double ground_velocity[3], double *out) {
    for (int64_t f = 0; f < signal->num_frames; f++)
        out[f] = skl_v3_distance(signal->velocity + 3 * f, ground_velocity);
}
