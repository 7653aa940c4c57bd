/* SPDX-License-Identifier: MIT */
#include "literature.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "measure_constants.h"

#include <math.h>

/* The mean speed in a window about a step; nothing moves outside of the clip. */
static double speed_around(const double *steps, int64_t count, int64_t at, double half, double fps) {
    const int64_t near = half < (double)count ? (int64_t)half : count;
    const int64_t first = at > near ? at - near : 0, last = at + near < count ? at + near : count - 1;
    double sum = 0;
    for (int64_t f = first; f <= last; f++) sum += steps[f] * fps;
    return sum / (2 * half + 1);
}

/* The part of the steps in which any foot is low before and after, and fast, in the mean around too. */
static double skating_ratio(const skl_feet *feet, const double *steps) {
    if (!isfinite(feet->fps)) return NAN;
    const int64_t count = feet->num_frames - 1;
    const double half = fmax(0, rint((SKATING_WINDOW * feet->fps - 1) / 2));
    int64_t skating = 0;
    for (int64_t f = 0; f < count && skl_goes_on(f); f++) {
        int skates = 0;
        for (int64_t k = 0; k < feet->num_feet && !skates; k++) {
            const double *ball = feet->ball + k * feet->num_frames + f, *own = steps + k * count;
            skates = feet->metres * fmax(ball[0], ball[1]) < SKATING_HEIGHT && own[f] * feet->fps > SKATING_SPEED &&
                     speed_around(own, count, f, half, feet->fps) > SKATING_SPEED;
        }
        skating += skates;
    }
    return (double)skating / (double)count;
}

void skl_literature_figures(const skl_feet *feet, double *scratch, skl_literature *out) {
    const int64_t num = feet->num_frames, count = num - 1;
    double weighted = 0, in_contact = 0, below = 0, above = 0;
    for (int64_t f = 0; f < num && skl_goes_on(f); f++) {
        double lowest = INFINITY, together = 0;
        int64_t down = 0;
        for (int64_t k = 0; k < feet->num_feet; k++) {
            lowest = fmin(lowest, feet->metres * feet->lowest[k * num + f]);
            if (f == count) continue;
            const double *moved = feet->steps + 3 * (k * count + f), *ball = feet->ball + k * num + f;
            const double step = feet->metres * sqrt(skl_v3_dot(moved, moved)),
                         height = feet->metres * fmax(ball[0], ball[1]);
            const double low = 0.5 * feet->metres * (ball[0] + ball[1]) / SLIDE_HEIGHT;
            scratch[k * count + f] = step;
            weighted += step * (2 - exp2(fmin(fmax(low, 0), 1)));
            together += height <= TOLERANCE ? step : 0;
            down += height <= TOLERANCE;
        }
        if (down) in_contact += together / (double)down;
        below += lowest < -TOLERANCE ? -lowest : 0;
        above += lowest > TOLERANCE ? lowest : 0;
    }
    *out = (skl_literature){.penetration_mm = 1000 * below / (double)num, .float_mm = 1000 * above / (double)num};
    if (count > 0) {
        out->skating_ratio = skating_ratio(feet, scratch);
        out->weighted_slide_cm = 100 * weighted / (double)(count * feet->num_feet);
        out->contact_slide_mm = 1000 * in_contact / (double)count;
    }
    out->physical_error_mm = out->penetration_mm + out->float_mm + out->contact_slide_mm;
}
