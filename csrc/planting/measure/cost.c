/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "measure_constants.h"

#include <math.h>
#include <string.h>

/* How far the knee is off the line from hip to ankle; returns whether one sees it. */
static int bend_of(const skl_leg_motion *leg, int64_t f, double out[3]) {
    double thigh[3], shin[3], line[3], normal[3];
    skl_v3_minus(leg->knee + 3 * f, leg->hip + 3 * f, thigh);
    skl_v3_minus(leg->ankle + 3 * f, leg->knee + 3 * f, shin);
    skl_v3_minus(leg->ankle + 3 * f, leg->hip + 3 * f, line);
    const double along = skl_v3_dot(thigh, line) / fmax(skl_v3_dot(line, line), SKL_TINY);
    for (int i = 0; i < 3; i++) out[i] = thigh[i] - along * line[i];
    skl_v3_cross(thigh, shin, normal);
    const double cosine = skl_v3_dot(thigh, shin);
    return cosine <= 0 || skl_v3_dot(normal, normal) > TAN2_BENT * cosine * cosine;
}

static double bent_by(const double *points, int64_t f) {
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = points[3 * f - 3 + i] - 2 * points[3 * f + i] + points[3 * f + 3 + i];
    return skl_v3_length(v);
}

void skl_leg_jumps(const skl_leg_motion *leg, const double *flexion, const skl_leg_jumps_rows *out) {
    const int64_t count = leg->num_frames;
    double before[3] = {0}, bend[3];
    int last = 0;
    for (int64_t f = 0; f < count && skl_goes_on(f); f++) {
        const int now = bend_of(leg, f, bend);
        const int inner = f > 0 && f + 1 < count;
        out->overturned[f] = last && now && skl_v3_dot(before, bend) < 0;
        out->hip[f] = inner ? bent_by(leg->hip, f) : 0;
        out->ankle[f] = inner ? bent_by(leg->ankle, f) : 0;
        out->flexion[f] = inner ? fabs(flexion[f - 1] - 2 * flexion[f] + flexion[f + 1]) : 0;
        out->flexion_jerk[f] =
            inner && f > 1 ? fabs(flexion[f + 1] - 3 * flexion[f] + 3 * flexion[f - 1] - flexion[f - 2]) : 0;
        memcpy(before, bend, sizeof before);
        last = now;
    }
}
