/* SPDX-License-Identifier: MIT */
#include "foot_curves.h"

#include <math.h>
#include <string.h>

#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/curves.h"
#include "planting/motion/hinges.h"

enum { POINTS = 3 }; /* of a sole: under ankle and ball, and the back of the heel */

/* In frames in which some point has no ground below it: heights over what is known of it around. `above` is POINTS x
 * num and infinite there. 0 where memory failed. */
static int over_holes(const skl_foot_curves_job *job, const double *sole, skl_arena *arena, double *above) {
    const int64_t num = job->track->num_frames;
    double *highest = SKL_TAKE(arena, double, num), least = INFINITY;
    int holes = 0;
    if (!highest) return 0;
    for (int64_t f = 0; f < num; f++) {
        highest[f] = NAN;
        for (int p = 0; p < POINTS; p++) {
            const int64_t at = p * num + f;
            const double height = skl_v3_dot(sole + 3 * at, job->ground->up);
            least = fmin(least, height);
            holes |= isinf(above[at]) != 0;
            if (!isinf(above[at])) highest[f] = fmax(isnan(highest[f]) ? -INFINITY : highest[f], height - above[at]);
        }
    }
    if (!holes) return 1;
    const int known = skl_hold_between(highest, num);
    for (int64_t at = 0; at < POINTS * num; at++) {
        const double height = skl_v3_dot(sole + 3 * at, job->ground->up);
        if (!known)
            above[at] = height - least;
        else if (isinf(above[at]))
            above[at] = fmax(height - highest[at % num], 0.0);
    }
    return 1;
}

/* How far above the ground the points of the sole are. */
static int read_heights(const skl_foot_curves_job *job, const double *sole, skl_arena *arena) {
    const int64_t num = job->track->num_frames;
    double *above = SKL_TAKE(arena, double, POINTS *num);
    int64_t *frames = SKL_TAKE(arena, int64_t, POINTS *num);
    if (arena->failed) return 0;
    for (int64_t at = 0; at < POINTS * num; at++) frames[at] = at % num;
    if (skl_ground_above(job->ground, POINTS * num, sole, frames, above)) return 0;
    if (!over_holes(job, sole, arena, above)) return 0;
    for (int64_t f = 0; f < num; f++) {
        job->out.height[f] = fmin(above[f], fmin(above[num + f], above[2 * num + f]));
        job->out.ball_height[f] = above[num + f];
    }
    return 1;
}

/* The level step over the ground of point 1 or 2 of the sole behind frame f; `carried`: how far the ground goes below
 * both, 2 x (num_frames - 1) x 3; NULL where it rests. */
static void step_of(const skl_foot_curves_job *job, const double *sole, const double *carried, int64_t point, int64_t f,
                    double *restrict out) {
    static const double rests[3] = {0};
    const int64_t num = job->track->num_frames;
    const double *at = sole + 3 * (point * num + f), *up = job->ground->up;
    const double *ground_step = job->ground_step ? job->ground_step : rests;
    skl_v3_minus(at + 3, at, out);
    if (carried)
        for (int i = 0; i < 3; i++) out[i] -= carried[3 * ((point - 1) * (num - 1) + f) + i];
    const double rise = skl_v3_dot(out, up);
    for (int i = 0; i < 3; i++) out[i] -= rise * up[i] + ground_step[i];
}

/* How the sole slips over the ground. */
static int read_steps(const skl_foot_curves_job *job, const double *sole, skl_arena *arena) {
    enum { BALL = 1, BACK = 2 };
    const skl_foot_curves *out = &job->out;
    const int64_t num = job->track->num_frames;
    double *carried = job->hold ? SKL_TAKE(arena, double, 6 * (num - 1)) : NULL;
    if (job->hold && (!carried || !skl_carried_steps(job->ground, 2, num, sole + 3 * num, arena, carried))) return 0;
    out->speed[0] = 0;
    for (int64_t f = 0; f + 1 < num && skl_goes_on(f); f++) {
        const int on_heel = out->roll[f] > 0 || out->roll[f + 1] > 0;
        step_of(job, sole, carried, BALL, f, out->ball_steps + 3 * f);
        step_of(job, sole, carried, on_heel ? BACK : BALL, f, out->steps + 3 * f);
        out->speed[f + 1] = skl_v3_length(out->steps + 3 * f) * job->fps;
        if (f == 0) out->speed[0] = out->speed[1];
    }
    return 1;
}

int skl_read_foot_curves(skl_foot_curves_job *job) {
    const skl_track *track = job->track;
    const int64_t num = track->num_frames;
    const skl_arena mark = *job->arena;
    double *sole = SKL_TAKE(job->arena, double, POINTS * 3 * num);
    if (!sole || !skl_outline_on(job->sole, job->ground->up, num, track->foot, job->hold, job->arena, sole)) return 0;
    for (int64_t p = 0; p < POINTS; p++)
        for (int64_t i = 0; i < 3 * num; i++) sole[3 * p * num + i] += track->ankle[i];
    if (!skl_roll_on(job->ground->up, num, sole, job->hold, job->arena, job->out.roll)) return 0;
    if (!read_heights(job, sole, job->arena) || !read_steps(job, sole, job->arena)) return 0;
    const skl_leg_motion leg = {num, track->hip, track->knee, track->ankle};
    skl_knee_angles(&leg, job->out.knee);
    skl_arena_back(job->arena, mark);
    return 1;
}
