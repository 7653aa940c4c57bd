/* SPDX-License-Identifier: MIT */
#include "cuts.h"

#include <math.h>
#include <string.h>

#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "planting/curves/filters.h"

/* Mark the jumps of a path, num_frames x 3, in units of which a leg has `length`. */
static int mark_jumps(const double *path, int64_t num_frames, double length, double fps, skl_arena *arena,
                      uint8_t *out) {
    const int64_t around = (int64_t)fmin(fmax(ceil(CUT_AROUND * fps), 2.0), (double)num_frames);
    const skl_arena mark = *arena;
    double *steps = SKL_ZEROS(arena, double, num_frames);
    if (!steps) return 0;
    memset(out, 0, (size_t)num_frames);
    for (int64_t f = 1; f < num_frames; f++) steps[f] = skl_v3_distance(path + 3 * f, path + 3 * (f - 1));
    for (int64_t f = 1; f < num_frames; f++) {
        if (!(steps[f] > CUT_LENGTH * length)) continue;
        double most = 0.0;
        for (int64_t g = f > around ? f - around : 1; g <= f + around && g < num_frames; g++)
            if (g != f) most = fmax(most, steps[g]);
        out[f] = steps[f] > CUT_TIMES * most;
    }
    skl_arena_back(arena, mark);
    return 1;
}

int skl_body_cuts(int64_t num_legs, const skl_track *const *tracks, double fps, skl_arena *arena, uint8_t *out) {
    const skl_arena mark = *arena;
    const int64_t count = num_legs ? 3 * tracks[0]->num_frames : 0;
    double length = 0.0, *middle = SKL_ZEROS(arena, double, count);
    if (!middle) return 0;
    for (int64_t k = 0; k < num_legs; k++) {
        for (int64_t i = 0; i < count; i++) middle[i] += tracks[k]->hip[i] / (double)num_legs;
        length += tracks[k]->length / (double)num_legs;
    }
    const int done = mark_jumps(middle, count / 3, length, fps, arena, out);
    skl_arena_back(arena, mark);
    return done;
}

void skl_calm_line(const skl_track *track, double fps, skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    const int64_t num = track->num_frames, half = (int64_t)fmin(floor(LINE_REACH * fps), (double)num);
    double *line = SKL_TAKE(arena, double, 3 * num), *bell = SKL_TAKE(arena, double, half + 1);
    uint8_t *jumps = SKL_TAKE(arena, uint8_t, num);
    if (arena->failed) return;
    for (int64_t i = 0; i < 3 * num; i++) line[i] = track->hip[i] - track->ankle[i];
    for (int64_t s = 0; s <= half; s++) {
        const double x = (double)s / fps / LINE_BELL;
        bell[s] = exp(-0.5 * x * x);
    }
    if (!mark_jumps(line, num, track->length, fps, arena, jumps)) return;
    for (int64_t f = 0; f < num; f++) {
        double sum[3] = {line[3 * f], line[3 * f + 1], line[3 * f + 2]}, all = 1.0;
        for (int direction = -1; direction <= 1; direction += 2)
            for (int64_t s = 1; s <= half; s++) {
                const int64_t g = f + direction * s;
                if (g < 0 || g >= num || jumps[direction < 0 ? g + 1 : g]) break;
                for (int c = 0; c < 3; c++) sum[c] += bell[s] * line[3 * g + c];
                all += bell[s];
            }
        for (int c = 0; c < 3; c++) out[3 * f + c] = sum[c] / all;
    }
    skl_arena_back(arena, mark);
}

double skl_tear(double length, double fps) { return length * fmax(TORN, TORN_SPEED / fps); }

/* The frame behind the last one that a path goes to from `first` without a longer step. */
static int64_t whole_until(const double *path, int64_t num_frames, double torn, int64_t first) {
    int64_t f = first + 1;
    while (f < num_frames && !(skl_v3_distance(path + 3 * f, path + 3 * (f - 1)) > torn)) f++;
    return f;
}

void skl_low_pass_between(const double *path, int64_t num_frames, double torn, double sigma, skl_arena *arena,
                          double *out) {
    for (int64_t first = 0, next; first < num_frames; first = next) {
        next = whole_until(path, num_frames, torn, first);
        skl_low_pass(path + 3 * first, next - first, 3, sigma, arena, out + 3 * first);
    }
}

void skl_rate_between(const double *path, int64_t num_frames, double torn, double fps, double *out) {
    for (int64_t first = 0, next; first < num_frames; first = next) {
        next = whole_until(path, num_frames, torn, first);
        skl_rate(path + 3 * first, next - first, 3, fps, out + 3 * first);
    }
}

/* Mark the frames to which a joint of the legs has not moved from the one before. */
static void mark_tears(int64_t num_legs, const skl_track *tracks, double fps, uint8_t *out) {
    const int64_t num = tracks->num_frames;
    memset(out, 0, (size_t)num);
    for (int64_t k = 0; k < num_legs; k++) {
        const double *const paths[3] = {tracks[k].hip, tracks[k].knee, tracks[k].ankle};
        const double most = skl_tear(tracks[k].length, fps);
        for (int joint = 0; joint < 3; joint++)
            for (int64_t f = 1; f < num; f++)
                out[f] |= skl_v3_distance(paths[joint] + 3 * f, paths[joint] + 3 * (f - 1)) > most;
    }
}

int skl_break_at_tears(int64_t num_legs, const skl_track *tracks, double fps, skl_arena *arena, skl_spans *contacts) {
    const int64_t num = tracks->num_frames, shortest = (int64_t)fmax(2.0, rint(LEFT_OF_CONTACT * fps));
    uint8_t *torn = SKL_TAKE(arena, uint8_t, num);
    int64_t tears = 0;
    if (!torn) return 0;
    mark_tears(num_legs, tracks, fps, torn);
    for (int64_t f = 0; f < num; f++) tears += torn[f];
    for (int64_t k = 0; tears && k < num_legs; k++) {
        skl_spans *own = &contacts[k], broken = {SKL_TAKE(arena, skl_span, own->count + tears), 0};
        if (!broken.at) return 0;
        for (int64_t i = 0; i < own->count; i++) {
            int64_t first = own->at[i].first;
            for (int64_t f = first + 1; f <= own->at[i].last + 1; f++) {
                if (f <= own->at[i].last && !torn[f]) continue;
                const int whole = first == own->at[i].first && f > own->at[i].last;
                if (whole || f - first >= shortest) broken.at[broken.count++] = (skl_span){first, f - 1};
                first = f;
            }
        }
        *own = broken;
    }
    return 1;
}
