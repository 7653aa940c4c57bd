/* SPDX-License-Identifier: MIT */
/* Whether the original's feet lie along the ground already. */
#include <math.h>
#include <string.h>

#include "ground_constants.h"
#include "read_footholds.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "level_places.h"
#include "planting/curves/median.h"
#include "planting/motion/fit_foot.h"
#include "planting/motion/turns.h"

/* Frames of contacts that are enough. */
static int64_t step_of(int64_t count) { return 1 + count / LIES_FRAMES; }

static int64_t some_count(int64_t count) { return count ? (count - 1) / step_of(count) + 1 : 0; }

/* The frames in which a foot turns least: there its sole is read. */
static int calm_frames(const skl_sloped_foot *foot, const double *feet, skl_arena *arena, uint8_t *out) {
    const int64_t num = foot->leg->hold.num_frames;
    double *rotations = SKL_TAKE(arena, double, 9 * num), *speeds = SKL_TAKE(arena, double, num);
    double *inside = SKL_TAKE(arena, double, foot->count);
    if (arena->failed) return 0;
    skl_rotations_of(num, feet, rotations);
    skl_turn_speeds(num, rotations, speeds);
    for (int64_t i = 0; i < foot->count; i++) inside[i] = speeds[foot->frames[i]];
    const double middle = skl_median(inside, foot->count);
    memset(out, 0, (size_t)num);
    for (int64_t i = 0; i < foot->count; i++) out[foot->frames[i]] = speeds[foot->frames[i]] <= middle;
    return 1;
}

/* The points of a sole, 3 x some_count, if its foot lies along the ground or not. */
static int sole_points(const skl_footholds_job *job, const skl_sloped_foot *foot, int along, skl_arena *arena,
                       double *points) {
    const skl_arena mark = *arena;
    const int64_t num = foot->leg->hold.num_frames, step = step_of(foot->count);
    skl_foothold hold = foot->leg->hold;
    hold.along = along;
    double *feet = SKL_TAKE(arena, double, 9 * num), *outline = SKL_TAKE(arena, double, 9 * num);
    double *turned = SKL_TAKE(arena, double, 9 * num);
    uint8_t *calm = SKL_TAKE(arena, uint8_t, num);
    if (arena->failed) return 0;
    skl_level_feet(&hold, foot->leg->track->foot, feet);
    if (!calm_frames(foot, feet, arena, calm)) return 0;
    skl_track track = *foot->leg->track;
    track.foot = feet;
    skl_foot_model model;
    skl_fit_foot(&track, job->ground->up, calm, &(skl_fit_hints){.clearance = foot->leg->model->clearance}, arena,
                 &model);
    if (arena->failed) return 0;
    skl_sole_outline(&model.sole, job->ground->up, num, feet, outline);
    const double *undo = skl_ground_undo(&hold);
    if (undo) skl_turn_points(3, num, undo, 0, outline, turned);
    const double *sole = undo ? turned : outline;
    for (int p = 0; p < 3; p++)
        for (int64_t i = 0; i < foot->count; i += step, points += 3)
            for (int c = 0; c < 3; c++)
                points[c] =
                    foot->leg->track->ankle[3 * foot->frames[i] + c] + sole[3 * (p * num + foot->frames[i]) + c];
    skl_arena_back(arena, mark);
    return 1;
}

/* How far soles are from one height above the ground each, in the median; and how far that is from the ground. */
typedef struct touch {
    double apart, level;
} touch;

/* Of feet whose points are `above` the ground; 0 where no foot has any below it. */
static int touch_of(skl_sloped_foot *const *feet, int64_t num, const double *above, double *scratch, double *away,
                    touch *out) {
    int64_t known = 0, legs = 0;
    double sum = 0.0;
    for (int64_t k = 0; k < num; k++) {
        const int64_t count = some_count(feet[k]->count), first = known;
        for (int64_t i = 0; i < count; i++) {
            const double lowest = fmin(fmin(above[i], above[count + i]), above[2 * count + i]);
            if (isfinite(lowest)) away[known++] = lowest / feet[k]->leg->track->length;
        }
        above += 3 * count;
        if (known == first) continue;
        const double middle = skl_median_of(away + first, known - first, scratch);
        for (int64_t i = first; i < known; i++) away[i] = fabs(away[i] - middle);
        sum += middle;
        legs++;
    }
    if (!legs) return 0;
    out->apart = skl_median(away, known);
    /* Soles may be thicker on one side, and that is shared between both. */
    out->level = fabs(sum / (double)legs);
    return 1;
}

int skl_touch_along(const skl_footholds_job *job, skl_sloped_foot *const *feet, int64_t num, skl_arena *arena) {
    if (!num) return -1;
    int64_t some = 0;
    for (int64_t k = 0; k < num; k++) some += 3 * some_count(feet[k]->count);
    double *points = SKL_TAKE(arena, double, 6 * some), *above = SKL_TAKE(arena, double, 2 * some);
    double *scratch = SKL_TAKE(arena, double, some), *away = SKL_TAKE(arena, double, some);
    int64_t *frames = SKL_TAKE(arena, int64_t, 2 * some), n = 0;
    if (arena->failed) return -2;
    for (int along = 0; along < 2; along++)
        for (int64_t k = 0; k < num; k++) {
            if (!sole_points(job, feet[k], along, arena, points + 3 * n)) return -2;
            for (int p = 0; p < 3; p++)
                for (int64_t i = 0; i < feet[k]->count; i += step_of(feet[k]->count)) frames[n++] = feet[k]->frames[i];
        }
    if (skl_ground_above(job->ground, n, points, frames, above)) return -2;
    touch own[2];
    for (int along = 0; along < 2; along++)
        if (!touch_of(feet, num, above + along * some, scratch, away, &own[along])) return -1;
    const double least = fmin(own[0].apart, own[1].apart), most = fmax(own[0].apart, own[1].apart);
    if (least > TOUCHES) return -1;
    return most > 2.0 * least + TOUCH_ROUNDING ? own[1].apart < own[0].apart : own[1].level < own[0].level;
}

/* The angle, in the median, between where up, or the ground's normal, is in the foot and where it mostly is, or is at
 * rest. */
static double misfit(const skl_footholds_job *job, const skl_sloped_foot *foot, const int64_t *frames, int64_t count,
                     int on_ground, double *own, double *scratch) {
    const skl_track *track = foot->leg->track;
    double middle[3];
    for (int64_t i = 0; i < count; i++) {
        double up[3];
        if (on_ground)
            skl_m3_transform(foot->leg->hold.turn + 9 * frames[i], job->ground->up, up);
        else
            memcpy(up, job->ground->up, sizeof up);
        skl_m3_solve(track->foot + 9 * frames[i], up, own + 3 * i);
        const double length = skl_v3_length(own + 3 * i);
        for (int c = 0; c < 3; c++) own[3 * i + c] /= length;
    }
    for (int c = 0; c < 3; c++) {
        for (int64_t i = 0; i < count; i++) scratch[i] = own[3 * i + c];
        middle[c] = track->has_rest_up ? track->rest_up[c] : skl_median(scratch, count);
    }
    const double size = skl_v3_length(middle);
    for (int64_t i = 0; i < count; i++)
        scratch[i] = acos(fmin(fmax(skl_v3_dot(own + 3 * i, middle) / size, -1.0), 1.0));
    return skl_median(scratch, count);
}

int skl_lies_along(const skl_footholds_job *job, const skl_sloped_foot *foot, skl_arena *arena) {
    int64_t *frames = SKL_TAKE(arena, int64_t, foot->count), tilted = 0, count = 0;
    double *own = SKL_TAKE(arena, double, 3 * foot->count), *scratch = SKL_TAKE(arena, double, foot->count);
    if (arena->failed) return -2;
    for (int64_t i = 0; i < foot->count; i++)
        if (skl_v3_length(foot->leg->hold.tilt + 3 * foot->frames[i]) > FITS_BETTER) frames[tilted++] = foot->frames[i];
    if (!tilted) return 0;
    for (int64_t i = 0; i < tilted; i += step_of(tilted)) frames[count++] = frames[i];
    const double level = misfit(job, foot, frames, count, 0, own, scratch);
    const double along = misfit(job, foot, frames, count, 1, own, scratch);
    for (int64_t i = 0; i < count; i++) scratch[i] = skl_v3_length(foot->leg->hold.tilt + 3 * frames[i]);
    return along + fmin(FITS_BETTER, 0.5 * skl_median(scratch, count)) < level;
}
