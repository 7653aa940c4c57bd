/* SPDX-License-Identifier: MIT */
#include "skelkin_soles.h"

#include "vectors.h"

#include <math.h>
#include <string.h>

/* The sine of the angle by which a foot's toes are up for certain, and of that below which it is flat again. */
static const double TOES_UP = 0.04, TOES_LEVEL = 0.002;
/* A foot whose direction changes by less from frame to frame is held, and does not roll. */
static const double STILL = 1e-7;

/* Which way a foot points in each frame: from `back` to `ball`, or `along` turned by `feet`. */
typedef struct pointing {
    const double *up, *back, *ball, *feet, *along;
    int64_t num_frames;
} pointing;

static void unit_at(const pointing *p, int64_t frame, double out[3]) {
    if (p->feet)
        skl_m3_transform(p->feet + 9 * frame, p->along, out);
    else
        skl_v3_minus(p->ball + 3 * frame, p->back + 3 * frame, out);
    const double length = sqrt(skl_v3_dot(out, out));
    for (int i = 0; i < 3; i++) out[i] /= length > 1e-300 ? length : 1e-300;
}

/* A walk over the frames: the next one, which way the foot points there, and whether as in the frame before. */
typedef struct walk {
    int64_t frame;
    double unit[3];
    int same;
} walk;

static walk begin(const pointing *p) {
    walk w = {.frame = 0};
    if (p->num_frames > 0) unit_at(p, 0, w.unit);
    return w;
}

/* Whether the toes are up in the walk's frame, seen by itself, and how far; goes on to the next. */
static int step(const pointing *p, walk *w, double *rise) {
    double next[3] = {0};
    int same = 0;
    if (++w->frame < p->num_frames) {
        unit_at(p, w->frame, next);
        same = fabs(next[0] - w->unit[0]) < STILL && fabs(next[1] - w->unit[1]) < STILL &&
               fabs(next[2] - w->unit[2]) < STILL;
    }
    *rise = skl_v3_dot(w->unit, p->up);
    const int raised = *rise > TOES_LEVEL && !((same || w->same) && *rise < TOES_UP);
    memcpy(w->unit, next, sizeof next);
    w->same = same;
    return raised;
}

/* The next run of frames, *first to *end - 1, whose highest toes are clearly up; 0 if there is none. */
static int next_run(const pointing *p, walk *w, int64_t *first, int64_t *end) {
    double highest = 0;
    int inside = 0;
    while (w->frame < p->num_frames) {
        const int64_t frame = w->frame;
        double rise;
        if (!step(p, w, &rise)) {
            *end = frame;
            if (inside && highest >= TOES_UP) return 1;
            inside = 0;
        } else {
            if (!inside) *first = frame;
            highest = inside && highest > rise ? highest : rise;
            inside = 1;
        }
    }
    *end = p->num_frames;
    return inside && highest >= TOES_UP;
}

void skl_rolls_on_heel(const double up[3], int64_t num_frames, const double *back, const double *ball, uint8_t *out) {
    const pointing p = {.up = up, .back = back, .ball = ball, .num_frames = num_frames};
    walk w = begin(&p);
    memset(out, 0, (size_t)num_frames);
    for (int64_t first, end; next_run(&p, &w, &first, &end);) memset(out + first, 1, (size_t)(end - first));
}

/* The level part of the step of a point from a frame to the next. */
static void level_step(const double up[3], const double *point, double *restrict out) {
    skl_v3_minus(point + 3, point, out);
    const double rise = skl_v3_dot(out, up);
    for (int i = 0; i < 3; i++) out[i] -= rise * up[i];
}

void skl_rolling_steps(const double up[3], int64_t num_frames, const double *back, const double *ball, double *out) {
    const pointing p = {.up = up, .back = back, .ball = ball, .num_frames = num_frames};
    walk w = begin(&p);
    for (int64_t i = 0; i + 1 < num_frames; i++) level_step(up, ball + 3 * i, out + 3 * i);
    for (int64_t first, end; next_run(&p, &w, &first, &end);)
        for (int64_t i = first > 0 ? first - 1 : 0; i < end && i + 1 < num_frames; i++)
            level_step(up, back + 3 * i, out + 3 * i);
}

/* From straight below the ball to square to the foot, where that points by `along` upwards. */
static void raise_ball(const double up[3], const double along[3], double drop, double *ball) {
    const double rise = skl_v3_dot(along, up);
    double level[3];
    for (int i = 0; i < 3; i++) level[i] = along[i] - rise * up[i];
    const double part = rise / sqrt(skl_v3_dot(along, along)), length = sqrt(skl_v3_dot(level, level));
    const double ahead = part / (length > 1e-300 ? length : 1e-300), left = 1 - part * part;
    const double higher = 1 - (left > 0 ? sqrt(left) : 0);
    for (int i = 0; i < 3; i++) ball[i] += drop * (ahead * level[i] + higher * up[i]);
}

void skl_sole_outline(const skl_sole *sole, const double up[3], int64_t num_frames, const double *feet, double *out) {
    double *const heel = out, *const ball = heel + 3 * num_frames, *const back = ball + 3 * num_frames;
    for (int64_t f = 0; f < num_frames; f++) {
        skl_m3_transform(feet + 9 * f, sole->heel, heel + 3 * f);
        skl_m3_transform(feet + 9 * f, sole->ball, ball + 3 * f);
        skl_m3_transform(feet + 9 * f, sole->back, back + 3 * f);
        for (int i = 0; i < 3; i++) ball[3 * f + i] -= sole->drop * up[i];
    }
    if (!(sole->drop > 0)) return;
    const pointing p = {.up = up, .feet = feet, .along = sole->along, .num_frames = num_frames};
    walk w = begin(&p);
    for (int64_t first, end; next_run(&p, &w, &first, &end);)
        for (int64_t f = first; f < end; f++) {
            double along[3];
            skl_m3_transform(feet + 9 * f, sole->along, along);
            raise_ball(up, along, sole->drop, ball + 3 * f);
        }
}
