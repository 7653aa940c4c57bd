/* SPDX-License-Identifier: MIT */
#include "foothold.h"

#include <math.h>
#include <string.h>

#include "ground_constants.h"
#include "level_places.h"
#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "planting/curves/curves.h"
#include "planting/motion/turns.h"

const double *skl_ground_undo(const skl_foothold *ground) { return ground->along ? ground->turn : ground->yaw; }

/* out = transposes of `turns` times `feet`. */
static void turn_back(int64_t num, const double *turns, const double *feet, double *out) {
    for (int64_t f = 0; f < num && skl_goes_on(f); f++) {
        skl_m3 back;
        skl_m3_transpose(turns + 9 * f, back);
        skl_m3_multiply(back, feet + 9 * f, out + 9 * f);
    }
}

void skl_level_feet(const skl_foothold *ground, const double *feet, double *out) {
    const double *undo = skl_ground_undo(ground);
    if (undo)
        turn_back(ground->num_frames, undo, feet, out);
    else
        memcpy(out, feet, (size_t)ground->num_frames * 9 * sizeof *out);
}

int skl_outline_on(const skl_sole *sole, const double up[3], int64_t num_frames, const double *feet,
                   const skl_foothold *ground, skl_arena *arena, double *out) {
    if (!ground || !ground->tilts) {
        skl_sole_outline(sole, up, num_frames, feet, out);
        return 1;
    }
    const skl_arena mark = *arena;
    double *level = SKL_TAKE(arena, double, 9 * num_frames), *own = SKL_TAKE(arena, double, 9 * num_frames);
    if (arena->failed) return 0;
    turn_back(num_frames, ground->lean, feet, level);
    skl_sole_outline(sole, up, num_frames, level, own);
    skl_turn_points(3, num_frames, ground->lean, 0, own, out);
    skl_arena_back(arena, mark);
    return 1;
}

int skl_roll_on(const double up[3], int64_t num_frames, const double *outline, const skl_foothold *ground,
                skl_arena *arena, int8_t *out) {
    const skl_arena mark = *arena;
    const double *ball = outline + 3 * num_frames, *back = ball + 3 * num_frames;
    uint8_t *heel_up = SKL_TAKE(arena, uint8_t, num_frames), *toes_up = SKL_TAKE(arena, uint8_t, num_frames);
    double *level = ground ? SKL_TAKE(arena, double, 6 * num_frames) : NULL;
    if (arena->failed) return 0;
    if (ground) {
        skl_turn_points(2, num_frames, ground->lean, 1, ball, level);
        ball = level;
        back = level + 3 * num_frames;
    }
    skl_rolls_on_heel(up, num_frames, back, ball, toes_up);
    skl_rolls_on_heel(up, num_frames, ball, back, heel_up);
    for (int64_t f = 0; f < num_frames; f++) out[f] = (int8_t)(toes_up[f] - heel_up[f]);
    skl_arena_back(arena, mark);
    return 1;
}

int skl_whole_turn(const skl_foothold *ground, skl_spans contacts, const double *turn, int64_t window, skl_arena *arena,
                   double *out) {
    const skl_arena mark = *arena;
    const double *undo = skl_ground_undo(ground);
    double *own = SKL_ZEROS(arena, double, 3 * ground->num_frames);
    if (!own) return 0;
    for (int64_t i = 0; i < contacts.count && !skl_stopped(); i++)
        for (int64_t f = contacts.at[i].first; f <= contacts.at[i].last; f++) {
            skl_m3 held, whole, back;
            skl_turn_matrices(1, turn + 3 * f, held);
            skl_m3_multiply(ground->turn + 9 * f, held, whole);
            if (undo) {
                skl_m3_transpose(undo + 9 * f, back);
                skl_m3_multiply(whole, back, whole);
            }
            skl_turn_vectors(1, whole, own + 3 * f);
            if (skl_v3_length(own + 3 * f) < NO_TURN) memset(own + 3 * f, 0, 3 * sizeof *own);
        }
    skl_smooth_between(&(skl_known_curves){ground->num_frames, 3, own, contacts, window}, arena, out);
    skl_arena_back(arena, mark);
    return !arena->failed;
}

/* Where ankles are whose feet roll without slipping: in the mean of a contact where they were. */
static void roll_path(const skl_standing_foot *foot, const double up[3], const double *ankle, const double *outline,
                      double *steps, double *out) {
    const int64_t num = foot->track->num_frames;
    /* The ankle moves against what the pivot moves relative to it. */
    skl_rolling_steps(up, num, outline + 6 * num, outline + 3 * num, steps);
    if (foot->ground_step && !foot->ground)
        for (int64_t f = 0; f + 1 < num; f++)
            for (int i = 0; i < 3; i++) steps[3 * f + i] -= foot->ground_step[i];
    skl_rolled_path(ankle, steps, num, (const int64_t *)foot->contacts.at, foot->contacts.count, out);
}

static double least_of(const double up[3], const double *outline, int64_t num, int64_t frame) {
    double least = INFINITY;
    for (int p = 0; p < 3; p++) least = fmin(least, skl_v3_dot(outline + 3 * (p * num + frame), up));
    return least;
}

/* The pinned ankle on ground that slopes or moves: rolled in the contacts' own space. */
static int pin_on_ground(const skl_standing_foot *foot, const double up[3], skl_arena *arena, const double *outline,
                         double *ankle) {
    const int64_t num = foot->track->num_frames;
    double *rises = SKL_TAKE(arena, double, num), *level = SKL_TAKE(arena, double, 3 * num);
    double *rolled = SKL_TAKE(arena, double, 3 * num), *steps = SKL_TAKE(arena, double, 3 * num);
    if (arena->failed) return 0;
    skl_level_space hold = {foot->ground->place, foot->ground->turn, {up[0], up[1], up[2]}, num};
    for (int64_t f = 0; f < num; f++) rises[f] = -least_of(up, outline, num, f);
    skl_level_places(&hold, foot->track->ankle, rises, level);
    roll_path(foot, up, level, outline, steps, rolled);
    skl_world_places(&hold, rolled, rises, ankle);
    return 1;
}

int skl_standing_sole(const skl_standing_foot *foot, const double up[3], skl_arena *arena, double *ankle,
                      double *outline) {
    const skl_arena mark = *arena;
    const skl_track *track = foot->track;
    const int64_t num = track->num_frames;
    const double *feet = track->foot;
    double *level = foot->ground ? SKL_TAKE(arena, double, 9 * num) : NULL;
    double *turned = foot->turn ? SKL_TAKE(arena, double, 9 * num) : NULL;
    double *own = SKL_TAKE(arena, double, 9 * num), *flat = SKL_TAKE(arena, double, 3 * num);
    if (arena->failed) return 0;
    if (foot->ground) {
        skl_level_feet(foot->ground, feet, level);
        feet = level;
    }
    if (foot->turn) {
        skl_turn_feet(num, foot->turn, feet, turned);
        feet = turned;
    }
    skl_sole_outline(foot->sole, up, num, feet, own);
    memcpy(flat, track->ankle, (size_t)num * 3 * sizeof *flat);
    for (int64_t f = 0; f < num; f++) skl_v3_flatten(up, flat + 3 * f);
    int done = 1;
    if (!foot->pinned)
        memcpy(ankle, flat, (size_t)num * 3 * sizeof *ankle);
    else if (foot->ground)
        done = pin_on_ground(foot, up, arena, own, ankle);
    else
        roll_path(foot, up, flat, own, turned ? turned : outline, ankle); /* either has room for the steps */
    if (foot->ground)
        skl_turn_points(3, num, foot->ground->turn, 0, own, outline);
    else
        memcpy(outline, own, (size_t)num * 9 * sizeof *outline);
    if (done) skl_arena_back(arena, mark);
    return done;
}

int skl_carried_steps(const skl_ground *ground, int64_t num_points, int64_t num_frames, const double *paths,
                      skl_arena *arena, double *out) {
    const int64_t steps = num_frames > 0 ? num_frames - 1 : 0, num = num_points * steps;
    memset(out, 0, (size_t)num * 3 * sizeof *out);
    if (!ground->moves) return 1;
    const skl_arena mark = *arena;
    double *start = SKL_TAKE(arena, double, 3 * num), *heights = SKL_TAKE(arena, double, num);
    double *normals = SKL_TAKE(arena, double, 3 * num);
    int64_t *from = SKL_TAKE(arena, int64_t, num), *to = SKL_TAKE(arena, int64_t, num);
    int64_t *surface = SKL_TAKE(arena, int64_t, num);
    if (arena->failed) return 0;
    for (int64_t p = 0; p < num_points; p++)
        for (int64_t f = 0; f < steps; f++) {
            memcpy(start + 3 * (p * steps + f), paths + 3 * (p * num_frames + f), 3 * sizeof *start);
            from[p * steps + f] = f;
            to[p * steps + f] = f + 1;
        }
    if (skl_ground_below(ground, num, start, from, &(skl_footing){heights, normals, surface})) return 0;
    for (int64_t n = 0; n < num; n++) {
        const double off = heights[n] - skl_v3_dot(start + 3 * n, ground->up);
        for (int i = 0; i < 3; i++) start[3 * n + i] += isnan(off) ? 0.0 : off * ground->up[i];
    }
    if (skl_ground_carry(ground, num, start, surface, from, to, out)) return 0;
    for (int64_t n = 0; n < 3 * num; n++) out[n] -= start[n];
    skl_arena_back(arena, mark);
    return 1;
}
