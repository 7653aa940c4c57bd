/* SPDX-License-Identifier: MIT */
#include "fit_foot.h"

#include <math.h>
#include <string.h>

#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "planting/curves/median.h"

/* A foot's matrices in the frames in which it stands. */
typedef struct stand {
    const double *const *feet;
    int64_t count;
    double *scratch;
} stand;

/* Up in the foot's own frame, the median over the standing frames; turned it has the length of up again. */
static void median_up(const stand *s, const double up[3], double out[3]) {
    double *const parts[3] = {s->scratch, s->scratch + s->count, s->scratch + 2 * s->count};
    for (int64_t f = 0; f < s->count && skl_goes_on(f); f++) {
        double own[3];
        skl_m3_solve(s->feet[f], up, own);
        for (int i = 0; i < 3; i++) parts[i][f] = own[i];
    }
    for (int i = 0; i < 3; i++) out[i] = skl_median(parts[i], s->count);
}

static double mean_length(const stand *s, const double vector[3]) {
    double sum = 0;
    for (int64_t f = 0; f < s->count; f++) {
        double turned[3];
        skl_m3_transform(s->feet[f], vector, turned);
        sum += skl_v3_length(turned);
    }
    return sum / (double)s->count;
}

/* The median height of a vector of the foot, along `up`, or along what is up for the foot itself. */
static double median_height(const stand *s, const double vector[3], const double up[3], const double *up_local) {
    for (int64_t f = 0; f < s->count; f++) {
        double turned[3], own[3];
        skl_m3_transform(s->feet[f], vector, turned);
        if (up_local) skl_m3_transform(s->feet[f], up_local, own);
        s->scratch[f] = skl_v3_dot(turned, up_local ? own : up);
    }
    return skl_median(s->scratch, s->count);
}

/* Whether a foot whose frame has `up` there, when it stands, has its heel up against the pose at rest. */
static int is_tipped(const double up[3], const skl_track *track) {
    if (!track->has_ball || !track->has_rest_up) return 0;
    const double length = skl_v3_length(up), rest = skl_v3_length(track->rest_up);
    return skl_v3_dot(track->ball, up) / length < skl_v3_dot(track->ball, track->rest_up) / rest &&
           skl_v3_dot(up, track->rest_up) < TIPPED * length * rest;
}

/* How far the heel lies behind the ankle, in parts of `ahead`: as its marker says, else as is typical. */
static double heel_behind(const skl_track *track, const double ahead[3]) {
    if (track->has_marker) {
        const double part = -skl_v3_dot(track->marker, ahead) / fmax(skl_v3_dot(ahead, ahead), SKL_TINY);
        if (LEAST_MARKER < part && part < MOST_MARKER) return part;
    }
    return track->bends ? HEEL_BEHIND : HEEL_OF_TIP;
}

static void fit_ankle(const skl_track *track, const double up_local[3], double thickness, skl_foot_model *out) {
    for (int i = 0; i < 3; i++) {
        const double under = -thickness * track->length * up_local[i];
        out->sole.heel[i] = out->sole.ball[i] = out->sole.back[i] = under;
    }
}

/* `rise`: ankle above ball when flat. */
static void fit_ball(const skl_track *track, const double up_local[3], double thickness, double rise,
                     skl_foot_model *out) {
    const double under_ball = thickness * track->length + fmax(0.0, -rise);
    skl_sole *sole = &out->sole;
    for (int i = 0; i < 3; i++) {
        sole->ball[i] = track->ball[i] - (track->bends ? 0.0 : under_ball * up_local[i]);
        sole->heel[i] = -(under_ball + rise) * up_local[i];
        /* Forward as the foot stands: from ankle to ball, level. */
        sole->along[i] = track->ball[i] + rise * up_local[i];
    }
    const double behind = heel_behind(track, sole->along);
    for (int i = 0; i < 3; i++) sole->back[i] = sole->heel[i] - behind * sole->along[i];
    sole->drop = track->bends ? under_ball : 0.0;
}

static void fit(const skl_track *track, const double up[3], const stand *s, const skl_fit_hints *hints,
                skl_foot_model *out) {
    double up_local[3];
    const double *rest_up = hints->rest_up;
    median_up(s, up, up_local);
    /* It never stands flat: on its ball throughout, as in a crawl. */
    if (!rest_up && is_tipped(up_local, track)) rest_up = track->rest_up;
    if (rest_up) memcpy(up_local, rest_up, sizeof up_local);
    const double length = mean_length(s, up_local);
    for (int i = 0; i < 3; i++) up_local[i] /= length;
    out->from_rest_pose = !isnan(hints->clearance);
    /* What stands higher than its fellows is lower throughout, but rolls about the points that it is found to roll
     * about before that is known. */
    const double typical = track->has_ball ? DEFAULT_SOLE : DEFAULT_ANKLE;
    const double thickness = out->from_rest_pose ? hints->clearance : typical;
    out->clearance = thickness + hints->raised;
    out->sole.raised = (out->clearance - thickness) * track->length;
    if (track->has_ball)
        fit_ball(track, up_local, thickness, -median_height(s, track->ball, up, rest_up ? up_local : NULL), out);
    else
        fit_ankle(track, up_local, thickness, out);
}

void skl_fit_foot(const skl_track *track, const double up[3], const uint8_t *still, const skl_fit_hints *hints,
                  skl_arena *arena, skl_foot_model *out) {
    const skl_arena mark = *arena;
    const double **feet = SKL_TAKE(arena, const double *, track->num_frames);
    double *scratch = SKL_TAKE(arena, double, 3 * track->num_frames);
    memset(out, 0, sizeof *out);
    if (!feet || !scratch) return;
    stand s = {.feet = feet, .scratch = scratch};
    for (int64_t f = 0; f < track->num_frames; f++)
        if (still[f]) feet[s.count++] = track->foot + 9 * f;
    if (s.count) fit(track, up, &s, hints, out);
    skl_arena_back(arena, mark);
}

void skl_ball_path(const skl_track *track, double *out) {
    for (int64_t f = 0; f < track->num_frames && skl_goes_on(f); f++) {
        double to_ball[3] = {0};
        if (track->has_ball) skl_m3_transform(track->foot + 9 * f, track->ball, to_ball);
        for (int i = 0; i < 3; i++) out[3 * f + i] = track->ankle[3 * f + i] + to_ball[i];
    }
}

/* A foot seen beside others. */
typedef struct seen_foot {
    double length;   /* from ankle to ball, in leg lengths; negative where it has no ball, or is never still */
    double *heights; /* num_frames: ankle above ball */
    double *flat;    /* of its still frames, in leg lengths */
    int64_t num_flat;
} seen_foot;

static int see_foot(const skl_track *track, const double up[3], const uint8_t *still, skl_arena *arena,
                    seen_foot *out) {
    double to_ball[3];
    *out = (seen_foot){.length = -1};
    if (!track->has_ball || !memchr(still, 1, (size_t)track->num_frames)) return 1;
    out->heights = SKL_TAKE(arena, double, track->num_frames);
    out->flat = SKL_TAKE(arena, double, track->num_frames);
    if (!out->heights || !out->flat) return 0;
    skl_m3_transform(track->foot, track->ball, to_ball);
    out->length = skl_v3_length(to_ball) / track->length;
    for (int64_t f = 0; f < track->num_frames; f++) {
        skl_m3_transform(track->foot + 9 * f, track->ball, to_ball);
        out->heights[f] = -skl_v3_dot(to_ball, up);
        if (still[f]) out->flat[out->num_flat++] = out->heights[f] / track->length;
    }
    return 1;
}

/* How high the ankles of feet like this one are above their balls where they are flat, in leg lengths. */
static double flat_height(const seen_foot *seen, int64_t num_legs, int64_t leg, double *scratch) {
    int64_t count = 0;
    for (int64_t n = 0; n < num_legs; n++) {
        if (seen[n].length < 0 || !(fabs(seen[n].length - seen[leg].length) <= FEET_ALIKE * seen[leg].length)) continue;
        memcpy(scratch + count, seen[n].flat, (size_t)seen[n].num_flat * sizeof *scratch);
        count += seen[n].num_flat;
    }
    return count ? skl_quantile(scratch, count, FLAT_PART) : 0;
}

static void drop_tiptoe(const skl_track *track, const seen_foot *seen, double most, int64_t shortest, uint8_t *still) {
    int64_t down = 0;
    for (int64_t f = 0; f < track->num_frames; f++) down += still[f] && seen->heights[f] < most;
    if (down < shortest) return;
    for (int64_t f = 0; f < track->num_frames; f++) still[f] = still[f] && seen->heights[f] < most;
}

void skl_without_tiptoe(int64_t num_legs, const skl_track *tracks, const double up[3], double fps, skl_arena *arena,
                        uint8_t *const *still) {
    const skl_arena mark = *arena;
    const int64_t shortest = (int64_t)fmax(2.0, rint(FLAT_SHORTEST * fps));
    seen_foot *seen = SKL_TAKE(arena, seen_foot, num_legs);
    double *scratch = SKL_TAKE(arena, double, num_legs *(num_legs ? tracks->num_frames : 0));
    int known = seen && scratch;
    for (int64_t k = 0; known && k < num_legs; k++) known = see_foot(&tracks[k], up, still[k], arena, &seen[k]);
    for (int64_t k = 0; known && k < num_legs; k++) {
        if (seen[k].length < 0) continue;
        const double most = (flat_height(seen, num_legs, k, scratch) + HEEL_UP) * tracks[k].length;
        drop_tiptoe(&tracks[k], &seen[k], most, shortest, still[k]);
    }
    skl_arena_back(arena, mark);
}
