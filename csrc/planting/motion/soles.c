/* SPDX-License-Identifier: MIT */
#include "soles.h"

#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"

#include <math.h>
#include <string.h>

/* Which way a foot points in each frame: from `back` to `ball`, or `along` turned by `feet`. */
typedef struct pointing {
    const double *up, *back, *ball, *feet, *along;
    int64_t num_frames;
} pointing;

static void along_at(const pointing *p, int64_t frame, double out[3]) {
    if (p->feet)
        skl_m3_transform(p->feet + 9 * frame, p->along, out);
    else
        skl_v3_minus(p->ball + 3 * frame, p->back + 3 * frame, out);
}

static double length_of(const double v[3]) {
    const double length = sqrt(skl_v3_dot(v, v));
    return length > SKL_TINY ? length : SKL_TINY;
}

/* Whether a foot points to where it does one frame further on. */
static int same_after(const pointing *p, int64_t frame) {
    if (frame < 0 || frame + 1 >= p->num_frames) return 0;
    double a[3], b[3];
    along_at(p, frame, a);
    along_at(p, frame + 1, b);
    const double a_length = length_of(a), b_length = length_of(b);
    int same = 1;
    for (int i = 0; i < 3; i++) same &= fabs(b[i] / b_length - a[i] / a_length) < HELD_STILL;
    return same;
}

/* How far the toes are up in a frame seen by itself, as a sine; 0 where the foot is flat or its heel is up. */
static double raised_at(const pointing *p, int64_t frame) {
    double along[3];
    along_at(p, frame, along);
    const double height = skl_v3_dot(along, p->up);
    if (!(height > 0)) return 0;
    const double rise = height / length_of(along);
    if (rise <= TOES_LEVEL) return 0;
    return rise < TOES_UP && (same_after(p, frame - 1) || same_after(p, frame)) ? 0 : rise;
}

/* The next run of frames from *first on, *first to *end - 1, whose highest toes are clearly up; 0 if there is none. */
static int next_run(const pointing *p, int64_t *first, int64_t *end) {
    for (int64_t frame = *first; frame < p->num_frames; frame++) {
        double rise = raised_at(p, frame), highest = 0;
        *first = frame;
        for (; rise > 0; rise = ++frame < p->num_frames ? raised_at(p, frame) : 0)
            highest = rise > highest ? rise : highest;
        *end = frame;
        if (highest >= TOES_UP) return 1;
    }
    return 0;
}

void skl_rolls_on_heel(const double up[3], int64_t num_frames, const double *back, const double *ball, uint8_t *out) {
    const pointing p = {.up = up, .back = back, .ball = ball, .num_frames = num_frames};
    memset(out, 0, (size_t)num_frames);
    for (int64_t first = 0, end; next_run(&p, &first, &end); first = end) memset(out + first, 1, (size_t)(end - first));
}

/* The level part of the step of a point from a frame to the next. */
static void level_step(const double up[3], const double *point, double *restrict out) {
    skl_v3_minus(point + 3, point, out);
    skl_v3_flatten(up, out);
}

void skl_rolling_steps(const double up[3], int64_t num_frames, const double *back, const double *ball, double *out) {
    const pointing p = {.up = up, .back = back, .ball = ball, .num_frames = num_frames};
    for (int64_t i = 0; i + 1 < num_frames; i++) level_step(up, ball + 3 * i, out + 3 * i);
    for (int64_t first = 0, end; next_run(&p, &first, &end); first = end)
        for (int64_t i = first > 0 ? first - 1 : 0; i < end && i + 1 < num_frames; i++)
            level_step(up, back + 3 * i, out + 3 * i);
}

/* From straight below the ball to square to the foot, where that points by `along` upwards. */
static void raise_ball(const double up[3], const double along[3], double drop, double *ball) {
    const double rise = skl_v3_dot(along, up);
    double level[3];
    for (int i = 0; i < 3; i++) level[i] = along[i] - rise * up[i];
    const double part = rise / length_of(along), ahead = part / length_of(level), left = 1 - part * part;
    const double higher = 1 - (left > 0 ? sqrt(left) : 0);
    for (int i = 0; i < 3; i++) ball[i] += drop * (ahead * level[i] + higher * up[i]);
}

void skl_sole_outline(const skl_sole *sole, const double up[3], int64_t num_frames, const double *feet, double *out) {
    double *const heel = out, *const ball = heel + 3 * num_frames, *const back = ball + 3 * num_frames;
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        skl_m3_transform(feet + 9 * f, sole->heel, heel + 3 * f);
        skl_m3_transform(feet + 9 * f, sole->ball, ball + 3 * f);
        skl_m3_transform(feet + 9 * f, sole->back, back + 3 * f);
        for (int i = 0; i < 3; i++) {
            heel[3 * f + i] -= sole->raised * up[i];
            back[3 * f + i] -= sole->raised * up[i];
            ball[3 * f + i] -= (sole->drop + sole->raised) * up[i];
        }
    }
    if (!(sole->drop > 0)) return;
    const pointing p = {.up = up, .feet = feet, .along = sole->along, .num_frames = num_frames};
    for (int64_t first = 0, end; next_run(&p, &first, &end); first = end)
        for (int64_t f = first; f < end; f++) {
            double along[3];
            skl_m3_transform(feet + 9 * f, sole->along, along);
            raise_ball(up, along, sole->drop, ball + 3 * f);
        }
}
