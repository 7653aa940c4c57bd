/* SPDX-License-Identifier: MIT */
#include "body_up.h"

#include <math.h>

#include "core/transforms/vector3.h"
#include "planting/curves/median.h"

/* Below this share of the direction's length along one axis, up is a guess. */
static const double CLEAR = 0.8;
/* Of a clip that lies down, or rises, the rest pose tells what is up: where it stands along an axis this clearly, where
 * the body begins along it in so many seconds, or, while the clip as a whole is not clear, has this much of it. */
static const double STANDS = 0.9, BEGINS = 0.25, SOME = 0.25;

/* A floor's lowest joints deviate less than by this part of what they do along another axis. */
static const double STILLER = 0.5;

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

static void mean_way(int64_t num, const double *top, const double *feet, double out[3]) {
    double sum[3] = {0};
    for (int64_t f = 0; f < num; f++)
        for (int i = 0; i < 3; i++) sum[i] += top[3 * f + i] - feet[3 * f + i];
    for (int i = 0; i < 3; i++) out[i] = sum[i] / (double)num;
}

int skl_rest_up(const double rest[3], double up[3]) { return along(rest, up) >= CLEAR; }

/* The median of how far numbers are from their median. */
static double deviation(double *values, int64_t count) {
    const double middle = skl_median(values, count);
    for (int64_t i = 0; i < count; i++) values[i] = fabs(values[i] - middle);
    return skl_median(values, count);
}

int skl_floor_is_there(int64_t num_frames, double *along_rest, double *along_body) {
    return deviation(along_rest, num_frames) < STILLER * deviation(along_body, num_frames);
}

int skl_body_up(int64_t num_frames, const double *top, const double *feet, const double *rest, double fps, double up[3],
                double *share) {
    double direction[3], first[3], stands[3], begins[3];
    mean_way(num_frames, top, feet, direction);
    const double length = skl_v3_length(direction);
    if (!(length > 0)) return 0;
    *share = along(direction, up);
    if (!rest) return 1;
    const double clear = along(rest, stands), own = skl_v3_dot(direction, stands) / length;
    mean_way((int64_t)fmax(1.0, rint(fmin(BEGINS * fps, (double)num_frames))), top, feet, first);
    const int begins_so = along(first, begins) >= STANDS && skl_v3_dot(begins, stands) > 0.5;
    if (clear >= STANDS && (begins_so || (*share < CLEAR && own >= SOME))) {
        for (int i = 0; i < 3; i++) up[i] = stands[i];
        *share = own;
    }
    return 1;
}
