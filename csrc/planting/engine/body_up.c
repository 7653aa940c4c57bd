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

int skl_rest_up(const double rest[3], double up[3]) { return along(rest, up) >= UP_CLEAR; }

/* The median of how far numbers are from their median. */
static double deviation(double *values, int64_t count) {
    const double middle = skl_median(values, count);
    for (int64_t i = 0; i < count; i++) values[i] = fabs(values[i] - middle);
    return skl_median(values, count);
}

int skl_floor_is_there(int64_t num_frames, double *along_rest, double *along_body) {
    return deviation(along_rest, num_frames) < FLOOR_STILLER * deviation(along_body, num_frames);
}

int skl_body_up(int64_t num_frames, const double *top, const double *feet, const double *rest, double fps, double up[3],
                double *share) {
    double direction[3], first[3], stands[3], begins[3];
    mean_direction(num_frames, top, feet, direction);
    const double length = skl_v3_length(direction);
    if (!(length > 0)) return 0;
    *share = along(direction, up);
    if (!rest) return 1;
    const double clear = along(rest, stands), own = skl_v3_dot(direction, stands) / length;
    mean_direction((int64_t)fmax(1.0, rint(fmin(BEGINS_FOR * fps, (double)num_frames))), top, feet, first);
    const int begins_so = along(first, begins) >= REST_CLEAR && skl_v3_dot(begins, stands) > BEGINS_UPRIGHT;
    if (clear >= REST_CLEAR && (begins_so || (*share < UP_CLEAR && own >= SOME_UPRIGHT))) {
        for (int i = 0; i < 3; i++) up[i] = stands[i];
        *share = own;
    }
    return 1;
}
