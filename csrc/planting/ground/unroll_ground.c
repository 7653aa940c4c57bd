/* SPDX-License-Identifier: MIT */
#include "unroll_ground.h"

#include <math.h>
#include <string.h>

#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "ground_constants.h"
#include "planting/curves/curves.h"
#include "planting/motion/fit_foot.h"
#include "planting/motion/turns.h"

/* The ground below a ball, frame by frame. */
typedef struct below {
    int64_t num_frames;
    double *ball, *heights, *normals, *turns;
    double *places;  /* on the ground, where there is any; elsewhere the ball itself, */
    double *carried; /* and where they are one frame further on */
    int64_t *surface, *frames, *after;
} below;

static int take_room(int64_t num, skl_arena *arena, below *b) {
    *b = (below){.num_frames = num};
    b->ball = SKL_TAKE(arena, double, 3 * num);
    b->heights = SKL_TAKE(arena, double, num);
    b->normals = SKL_TAKE(arena, double, 3 * num);
    b->turns = SKL_TAKE(arena, double, 9 * num);
    b->places = SKL_TAKE(arena, double, 3 * num);
    b->carried = SKL_TAKE(arena, double, 3 * num);
    b->surface = SKL_TAKE(arena, int64_t, num);
    b->frames = SKL_TAKE(arena, int64_t, num);
    b->after = SKL_TAKE(arena, int64_t, num);
    return !arena->failed;
}

/* A point moved along up to a height. */
static void move_to(const double point[3], const double up[3], double height, double *out) {
    const double by = height - skl_v3_dot(point, up);
    for (int i = 0; i < 3; i++) out[i] = point[i] + by * up[i];
}

static int query(const skl_ground *ground, const below *b) {
    const int64_t num = b->num_frames;
    for (int64_t f = 0; f < num; f++) {
        b->frames[f] = f;
        b->after[f] = f + 1;
    }
    const skl_footing footing = {b->heights, b->normals, b->surface};
    if (skl_ground_below(ground, num, b->ball, b->frames, &footing)) return 1;
    for (int64_t f = 0; f < num; f++) {
        if (isnan(b->heights[f]))
            memcpy(b->places + 3 * f, b->ball + 3 * f, 3 * sizeof *b->ball);
        else
            move_to(b->ball + 3 * f, ground->up, b->heights[f], b->places + 3 * f);
    }
    return skl_ground_carry(ground, num - 1, b->places, b->surface, b->frames, b->after, b->carried);
}

/* The shortest turns from normals to up; returns whether any is that of a slope. */
static int level_turns(const below *b, const double up[3]) {
    int slopes = 0;
    for (int64_t f = 0; f < b->num_frames; f++) {
        double vector[3];
        skl_turn_onto(b->normals + 3 * f, up, vector);
        skl_turn_matrices(1, vector, b->turns + 9 * f);
        slopes |= skl_v3_dot(b->normals + 3 * f, up) < FLOOR_SLOPE;
    }
    return slopes;
}

/* Frame by frame the leg relative to the ground below the ball, on a floor along which that continues: on a ramp all of
 * this is one turn, and what stands still does so here. */
static void put_on_floor(const skl_track *track, const double up[3], const below *b, const skl_unrolled *out) {
    double floor[3] = {0}, before[3], point[3], step[3], turned[3];
    for (int64_t f = 0; f < b->num_frames; f++) {
        move_to(b->ball + 3 * f, up, b->heights[f], point);
        for (int i = 0; f && i < 3; i++)
            step[i] = (point[i] - before[i]) - (b->carried[3 * f - 3 + i] - b->places[3 * f - 3 + i]);
        if (f) {
            skl_m3_transform(b->turns + 9 * f, step, turned);
            const double rise = skl_v3_dot(turned, up);
            for (int i = 0; i < 3; i++) floor[i] += turned[i] - rise * up[i];
        }
        memcpy(before, point, sizeof before);
        skl_v3_minus(track->ankle + 3 * f, point, step);
        skl_m3_transform(b->turns + 9 * f, step, turned);
        for (int i = 0; i < 3; i++) {
            out->hip[3 * f + i] = track->hip[3 * f + i] - point[i] + floor[i];
            out->knee[3 * f + i] = track->knee[3 * f + i] - point[i] + floor[i];
            out->ankle[3 * f + i] = turned[i] + floor[i];
        }
        skl_m3_multiply(b->turns + 9 * f, track->foot + 9 * f, out->foot + 9 * f);
    }
}

int skl_unroll_ground(const skl_track *track, const skl_ground *ground, skl_arena *arena, skl_unrolled *out) {
    const int64_t num = track->num_frames;
    double **const paths[3] = {&out->hip, &out->knee, &out->ankle};
    for (int i = 0; i < 3; i++) *paths[i] = SKL_TAKE(arena, double, 3 * num);
    out->foot = SKL_TAKE(arena, double, 9 * num);
    const skl_arena mark = *arena;
    below b;
    if (!take_room(num, arena, &b)) return 0;
    skl_ball_path(track, b.ball);
    const int failed = query(ground, &b);
    if (!failed) {
        out->known = skl_hold_between(b.heights, num);
        out->slopes = level_turns(&b, ground->up);
        if (out->known) put_on_floor(track, ground->up, &b, out);
    }
    skl_arena_back(arena, mark);
    return failed;
}
