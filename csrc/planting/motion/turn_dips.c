/* SPDX-License-Identifier: MIT */
#include "turn_dips.h"

#include <math.h>

#include "core/base/smoothstep.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "planting/curves/curves.h"
#include "planting/curves/median.h"

/* How high heel and ball are. */
typedef struct ends {
    double heel, ball;
} ends;

static ends ends_at(const skl_dipping_foot *foot, const double *outline, int64_t frame) {
    const double ankle = skl_v3_dot(foot->track->ankle + 3 * frame, foot->up);
    return (ends){ankle + skl_v3_dot(outline + 3 * frame, foot->up),
                  ankle + skl_v3_dot(outline + 3 * (foot->track->num_frames + frame), foot->up)};
}

/* The level of a foot in each frame of a contact: that of the moments in which it is flat, since a clip that sinks
 * takes it along; of a foot that never is the median of where it is lowest. */
static void find_levels(const skl_dipping_foot *foot, const double *outline, skl_span span, double *scratch,
                        double *out) {
    const int64_t count = skl_span_frames(span);
    for (int64_t n = 0; n < count; n++) {
        const ends at = ends_at(foot, outline, span.first + n);
        scratch[n] = fmin(at.heel, at.ball);
        out[n] = fabs(at.heel - at.ball) < LEVEL_FLAT * foot->track->length ? scratch[n] : NAN;
    }
    if (skl_hold_between(out, count)) return;
    const double middle = skl_median(scratch, count);
    for (int64_t n = 0; n < count; n++) out[n] = middle;
}

/* How deep the ball is below the level of its contact, beyond the heel. */
static double dip_of(ends at, double level) { return fmax(0.0, fmin(level, at.heel) - at.ball); }

/* The turn about the ankle that raises the ball so far. */
static void raise_ball(const skl_dipping_foot *foot, const double *feet, double rise, double out[3]) {
    double ball[3], level[3], axis[3];
    skl_m3_transform(feet, foot->sole->ball, ball);
    const double height = skl_v3_dot(ball, foot->up), reach = skl_v3_length(ball);
    for (int i = 0; i < 3; i++) level[i] = ball[i] - height * foot->up[i];
    skl_v3_cross(level, foot->up, axis);
    const double length = fmax(skl_v3_length(axis), SKL_TINY);
    const double angle = asin(fmin(1.0, (height + rise) / fmax(reach, SKL_TINY))) - atan2(height, length);
    for (int i = 0; i < 3; i++) out[i] = fmin(angle, MOST_TURN) / length * axis[i];
}

/* A contact, its levels, and the outline of the sole. */
typedef struct contact {
    skl_span span;
    const double *levels, *outline;
} contact;

/* The next moment in which the ball is deep, from a frame on; 0 where there is none. `part`: how far the heel stays
 * down in it, from 1 to 0: with its heel up a foot stands on its ball, and if that is low all of the motion is. */
static int next_dip(const skl_dipping_foot *foot, const contact *c, int64_t from, skl_span *out, double *part) {
    const double least = DIPS * foot->track->length;
    double up = 0.0;
    *out = (skl_span){from, -1};
    for (int64_t f = from; f <= c->span.last; f++) {
        const ends at = ends_at(foot, c->outline, f);
        const double level = c->levels[f - c->span.first];
        if (dip_of(at, level) > least) {
            if (out->last < 0) out->first = f;
            out->last = f;
            up = fmax(up, (at.heel - level) / (HEEL_UP * foot->track->length));
        } else if (out->last >= 0) {
            break;
        }
    }
    *part = 1.0 - skl_smoothstep(2.0 * up - 1.0);
    return out->last >= 0;
}

/* The turns inside of contacts; returns whether there is any. */
static int find_dips(const skl_dipping_foot *foot, skl_arena *arena, double *dips) {
    const int64_t num = foot->track->num_frames;
    double *outline = SKL_TAKE(arena, double, 9 * num), *levels = SKL_TAKE(arena, double, num);
    double *scratch = SKL_TAKE(arena, double, num), part;
    const double least = DIPS * foot->track->length;
    int any = 0;
    if (arena->failed) return 0;
    skl_sole_outline(foot->sole, foot->up, num, foot->track->foot, outline);
    for (int64_t i = 0; i < foot->contacts.count; i++) {
        const contact c = {foot->contacts.at[i], levels, outline};
        skl_span run;
        find_levels(foot, outline, c.span, scratch, levels);
        for (int64_t from = c.span.first; next_dip(foot, &c, from, &run, &part); from = run.last + 1) {
            any |= part > 0.0;
            for (int64_t f = run.first; part > 0.0 && f <= run.last; f++) {
                const double dip = dip_of(ends_at(foot, outline, f), levels[f - c.span.first]);
                const double rise = part * dip * skl_smoothstep(dip / least - 1.0);
                raise_ball(foot, foot->track->foot + 9 * f, rise, dips + 3 * f);
            }
        }
    }
    return any;
}

int skl_turn_dips(const skl_dipping_foot *foot, skl_arena *arena, double *out) {
    const int64_t num = foot->track->num_frames;
    const skl_arena mark = *arena;
    double *dips = SKL_ZEROS(arena, double, 3 * num);
    const int any = dips && find_dips(foot, arena, dips);
    if (any) skl_smooth_between(&(skl_known_curves){num, 3, dips, foot->contacts, foot->window}, arena, out);
    skl_arena_back(arena, mark);
    return any;
}
