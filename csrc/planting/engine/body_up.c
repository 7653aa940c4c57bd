/* SPDX-License-Identifier: MIT */
#include "body_up.h"

#include <math.h>

#include "core/transforms/vector3.h"
#include "engine_constants.h"
#include "planting/curves/median.h"

/* The axis nearest to a direction; returns what part of its length lies along that, 0 where it has none. */
static double along(const double direction[3], double axis[3]) {
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(direction[i]) > fabs(direction[k])) k = i;
    for (int i = 0; i < 3; i++) axis[i] = 0.0;
    axis[k] = direction[k] > 0 ? 1.0 : direction[k] < 0 ? -1.0 : 0.0;
    const double length = skl_v3_length(direction);
    return length > 0 ? fabs(direction[k]) / length : 0.0;
}

static void mean_direction(int64_t num, const double *top, const double *feet, double out[3]) {
    double sum[3] = {0};
    for (int64_t f = 0; f < num; f++)
        for (int i = 0; i < 3; i++) sum[i] += top[3 * f + i] - feet[3 * f + i];
    for (int i = 0; i < 3; i++) out[i] = sum[i] / (double)num;
}

/* The median of how far numbers are from their median. */
static double deviation(double *values, int64_t count) {
    const double middle = skl_median(values, count);
    for (int64_t i = 0; i < count; i++) values[i] = fabs(values[i] - middle);
    return skl_median(values, count);
}

int skl_body_up(const skl_body_path *body, double up[3], double *share) {
    const int64_t num = body->num_frames;
    double direction[3], first[3], stands[3], begins[3];
    mean_direction(num, body->top, body->feet, direction);
    const double length = skl_v3_length(direction);
    if (!(length > 0)) return 0;
    *share = along(direction, up);
    if (!body->rest) return 1;
    const double clear = along(body->rest, stands), own = skl_v3_dot(direction, stands) / length;
    mean_direction((int64_t)fmax(1.0, rint(fmin(BEGINS_FOR * body->fps, (double)num))), body->top, body->feet, first);
    const int begins_so = along(first, begins) >= REST_CLEAR && skl_v3_dot(begins, stands) > BEGINS_UPRIGHT;
    if (clear >= REST_CLEAR && (begins_so || (*share < UP_CLEAR && own >= SOME_UPRIGHT))) {
        for (int i = 0; i < 3; i++) up[i] = stands[i];
        *share = own;
    }
    return 1;
}

/* Which of +X, +Y, +Z, -X, -Y and -Z lies along an axis; -1 where it is none. */
static int number_of(const double axis[3]) {
    for (int a = 0; a < 6; a++)
        if ((a < 3 ? axis[a] : -axis[a - 3]) > 0.5) return a;
    return -1;
}

int skl_up_is_doubtful(const skl_body_path *body, const double up[3], double share) {
    double legs[3], stands[3], direction[3];
    mean_direction(body->num_frames, body->hips, body->feet, direction);
    along(direction, legs);
    return share < UP_CLEAR || skl_v3_dot(legs, up) <= 0.5 ||
           (along(body->rest, stands) >= UP_CLEAR && skl_v3_dot(stands, up) <= 0.5);
}

void skl_floor_up(const skl_body_path *body, double *lowest, double up[3], double *share) {
    double direction[3], axis[3], strays[6];
    const int rests = along(body->rest, axis) >= UP_CLEAR ? number_of(axis) : -1, leans = *share < UP_CLEAR;
    mean_direction(body->num_frames, body->hips, body->feet, direction);
    const double straight = along(direction, axis);
    const int legs = number_of(axis);
    mean_direction(body->num_frames, body->top, body->feet, direction);
    const double length = skl_v3_length(direction);
    for (int a = 0; a < 6; a++)
        strays[a] = fmax(deviation(lowest + a * body->num_frames, body->num_frames), FLOOR_STILL * length);
    int best = number_of(up);
    /* A head that is carried ahead, as on four legs, says less than legs that stand. */
    if (straight >= REST_CLEAR && rests != best && strays[legs] * FLOOR_STILLER <= strays[best]) best = legs;
    const double own = strays[best];
    for (int a = 0; a < 6; a++) {
        const double rises = (a < 3 ? direction[a] : -direction[a - 3]) / length;
        const int may_be = a == rests || a == legs || (leans && rises >= SOME_UPRIGHT);
        if (may_be && strays[a] < FLOOR_STILLER * own && strays[a] <= strays[best]) best = a;
    }
    if (best == number_of(up)) return;
    for (int i = 0; i < 3; i++) up[i] = i != best % 3 ? 0.0 : best < 3 ? 1.0 : -1.0;
    *share = 1.0;
}
