/* SPDX-License-Identifier: MIT */
/* Feet that roll in place: their ankles go against what the pivot would slip. */
#include <math.h>
#include <string.h>

#include "curves.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"

/* The path in one span of `count` frames from `ankle` and `steps` on, which begins at its mean place. */
static void roll(const double *ankle, const double *steps, int64_t count, double *out) {
    double path[3] = {0.0, 0.0, 0.0}, mean[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    for (int64_t t = 0; t < count && skl_goes_on(t); t++) {
        /* The drift is spread; landing and leaving count less. */
        const double bell = sin(SKL_PI * (double)(t + 1) / (double)(count + 1)), weight = bell * bell;
        sum += weight;
        for (int i = 0; i < 3; i++) {
            if (t > 0) path[i] -= steps[3 * (t - 1) + i];
            out[3 * t + i] = path[i];
            mean[i] += weight * (ankle[3 * t + i] - path[i]);
        }
    }
    for (int64_t t = 0; t < count; t++)
        for (int i = 0; i < 3; i++) out[3 * t + i] += mean[i] / sum;
}

void skl_rolled_path(const double *ankle, const double *steps, int64_t frames, const int64_t *spans, int64_t num_spans,
                     double *out) {
    memcpy(out, ankle, (size_t)frames * 3 * sizeof(double));
    for (int64_t s = 0; s < num_spans; s++) {
        const int64_t first = spans[2 * s], count = spans[2 * s + 1] - first + 1;
        roll(ankle + 3 * first, steps + 3 * first, count, out + 3 * first);
    }
}
