/* SPDX-License-Identifier: MIT */
#include "bend_toes.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "path_constants.h"
#include "planting/curves/arena.h"
#include "planting/curves/curves.h"
#include "planting/curves/median.h"
#include "planting/motion/turns.h"
#include "core/transforms/affine.h"

/* The frames of a foot's contacts, one after another. */
typedef struct rows {
    int64_t count;
    int64_t *frames;
    double *rises;  /* how far above the ground the foot stands in each */
    double *points; /* count x 3: where the ground is queried */
    double *above;
} rows;

static int take_rows(skl_arena *arena, const skl_toe *toe, rows *out) {
    out->count = skl_spans_frames(toe->contacts);
    out->frames = SKL_TAKE(arena, int64_t, out->count);
    out->rises = SKL_TAKE(arena, double, out->count);
    out->points = SKL_TAKE(arena, double, 3 * out->count);
    out->above = SKL_TAKE(arena, double, out->count);
    if (arena->failed) return 0;
    int64_t n = 0;
    for (int64_t i = 0; i < toe->contacts.count; i++)
        for (int64_t f = toe->contacts.at[i].first; f <= toe->contacts.at[i].last; f++, n++) {
            out->frames[n] = f;
            out->rises[n] = toe->rises[i];
        }
    return 1;
}

static const double *global_of(const skl_toes_job *job, int64_t frame, int64_t joint) {
    return job->globals + 16 * (frame * job->num_joints + joint);
}

static void tip_at(const skl_toes_job *job, const skl_toe *toe, int64_t frame, double out[3]) {
    skl_m3 axes;
    skl_affine_linear(global_of(job, frame, toe->joint), axes);
    skl_m3_transform(axes, toe->tip, out);
}

/* Query how far above the ground tips are that are so far from the balls. */
static int query(const skl_toes_job *job, const skl_toe *toe, const double *tips, rows *r) {
    for (int64_t n = 0; n < r->count; n++) {
        const double *ball = global_of(job, r->frames[n], toe->joint);
        for (int i = 0; i < 3; i++) r->points[3 * n + i] = ball[4 * i + 3] + tips[3 * n + i];
    }
    return !skl_ground_above(job->ground, r->count, r->points, r->frames, r->above);
}

/* Keep the frames in which the foot stands flat: where it is held, else those in which its toes point down least. */
static int keep_flat(skl_arena *arena, const skl_toes_job *job, const skl_toe *toe, rows *r) {
    uint8_t *held = SKL_TAKE(arena, uint8_t, job->num_frames);
    double *rises = SKL_TAKE(arena, double, r->count), *sorted = SKL_TAKE(arena, double, r->count);
    if (arena->failed) return 0;
    skl_span_mask(toe->held, job->num_frames, held);
    int any = 0;
    for (int64_t n = 0; n < r->count; n++) {
        double tip[3];
        tip_at(job, toe, r->frames[n], tip);
        sorted[n] = rises[n] = skl_v3_dot(tip, job->ground->up);
        any |= held[r->frames[n]];
    }
    const double middle = skl_quantile(sorted, r->count, 0.5);
    int64_t kept = 0;
    for (int64_t n = 0; n < r->count; n++) {
        if (any ? !held[r->frames[n]] : rises[n] < middle) continue;
        r->frames[kept] = r->frames[n];
        r->rises[kept++] = r->rises[n];
    }
    r->count = kept;
    return 1;
}

/* 0 where memory or the ground failed. */
static int read_skin(skl_arena *arena, const skl_toes_job *job, skl_toe *toe) {
    toe->skin = NAN;
    if (!toe->contacts.count) return 1;
    rows r;
    if (!take_rows(arena, toe, &r) || !keep_flat(arena, job, toe, &r)) return 0;
    double *tips = SKL_TAKE(arena, double, 3 * r.count);
    if (!tips) return 0;
    for (int64_t n = 0; n < r.count; n++) tip_at(job, toe, r.frames[n], tips + 3 * n);
    if (!query(job, toe, tips, &r)) return 0;
    int64_t known = 0;
    for (int64_t n = 0; n < r.count; n++) {
        const double clear = r.above[n] - r.rises[n];
        if (isfinite(clear)) r.above[known++] = clear;
    }
    if (known) toe->skin = fmax(0.0, skl_median(r.above, known));
    return 1;
}

static double within(double x, double most) { return fmin(fmax(x, -most), most); }

/* The angle by which a tip, which would be `sunk` below the ground, has to come up to lie on it, >= 0. */
static double needed(const double tip[3], const double up[3], double sunk, double leg) {
    const double length = skl_v3_length(tip), rise = skl_v3_dot(tip, up);
    if (!isfinite(sunk) || !(sunk > TOES_DEEP * leg) || !(length > 0.0)) return 0.0;
    return asin(within((rise + sunk) / length, 1.0)) - asin(within(rise / length, 1.0));
}

/* The unit vector about which a tip comes up. */
static void side_of(const double tip[3], const double up[3], double out[3]) {
    skl_v3_cross(tip, up, out);
    const double length = fmax(skl_v3_length(out), SKL_TINY);
    for (int i = 0; i < 3; i++) out[i] /= length;
}

static void turn_about(const double side[3], double angle, skl_m3 out) {
    const double vector[3] = {angle * side[0], angle * side[1], angle * side[2]};
    skl_turn_matrices(1, vector, out);
}

/* Find by which angles, num_frames, a toe has to bend in its contacts. */
static int find_angles(skl_arena *arena, const skl_toes_job *job, const skl_toe *toe, double *angles) {
    rows r;
    double *bent = take_rows(arena, toe, &r) ? SKL_TAKE(arena, double, 3 * r.count) : NULL;
    if (!bent) return 0;
    for (int round = 0; round < LOOKS_AT_TIPS && !skl_stopped(); round++) {
        for (int64_t n = 0; n < r.count; n++) {
            double tip[3], side[3];
            skl_m3 turn;
            tip_at(job, toe, r.frames[n], tip);
            side_of(tip, job->ground->up, side);
            turn_about(side, angles[r.frames[n]], turn);
            skl_m3_transform(turn, tip, bent + 3 * n);
        }
        if (!query(job, toe, bent, &r)) return 0;
        int any = 0;
        for (int64_t n = 0; n < r.count; n++) {
            const double sunk = toe->skin + r.rises[n] - r.above[n];
            const double more = needed(bent + 3 * n, job->ground->up, sunk, toe->length);
            angles[r.frames[n]] += more;
            any |= more != 0.0;
        }
        if (!any) break;
    }
    return 1;
}

/* Turn the toe joint in one frame; only where the matrix of its parent has an inverse. */
static void turn_toe(const skl_toes_job *job, const skl_toe *toe, int64_t frame, double angle) {
    skl_m3 axes, above, turn, turned, inverse, local;
    double tip[3], side[3], *into = job->local + 16 * (frame * job->num_joints + toe->joint);
    skl_affine_linear(global_of(job, frame, toe->joint), axes);
    skl_affine_linear(global_of(job, frame, toe->parent), above);
    if (!skl_m3_inverse(above, inverse)) return;
    skl_m3_transform(axes, toe->tip, tip);
    side_of(tip, job->ground->up, side);
    turn_about(side, angle, turn);
    skl_m3_multiply(turn, axes, turned);
    skl_m3_multiply(inverse, turned, local);
    for (int i = 0; i < 3; i++) memcpy(into + 4 * i, local + 3 * i, 3 * sizeof *into);
    toe->changed[frame] = 1;
}

static int bend(skl_arena *arena, const skl_toes_job *job, skl_toe *toe) {
    memset(toe->changed, 0, (size_t)job->num_frames);
    if (isnan(toe->skin) || !toe->contacts.count) return 1;
    double *angles = SKL_ZEROS(arena, double, job->num_frames), *eased = SKL_TAKE(arena, double, job->num_frames);
    if (arena->failed || !find_angles(arena, job, toe, angles)) return 0;
    for (int64_t f = 0; f < job->num_frames; f++) angles[f] = fmin(angles[f], job->limit);
    skl_smooth_between(&(skl_known_curves){job->num_frames, 1, angles, toe->contacts, job->window}, arena, eased);
    if (arena->failed) return 0;
    for (int64_t f = 0; f < job->num_frames && skl_goes_on(f); f++) {
        const double angle = job->ramp[f] * fmin(fmax(eased[f], 0.0), job->limit);
        if (angle != 0.0) turn_toe(job, toe, f, angle);
    }
    return 1;
}

static skl_code each_toe(skl_toes_job *job, int (*run)(skl_arena *, const skl_toes_job *, skl_toe *)) {
    skl_arena arena = {0};
    int done = 1;
    for (int64_t k = 0; done && k < job->num_toes; k++) done = run(&arena, job, &job->toes[k]);
    const int failed = arena.failed;
    skl_arena_free(&arena);
    if (failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    job->status.code = done ? SKL_OK : SKL_STOPPED;
    return done ? skl_done(&job->status) : SKL_STOPPED;
}

skl_code skl_read_skins(skl_toes_job *job) { return each_toe(job, read_skin); }

skl_code skl_bend_toes(skl_toes_job *job) { return each_toe(job, bend); }
