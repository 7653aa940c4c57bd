/* SPDX-License-Identifier: MIT */
#include "filters.h"

#include <math.h>
#include <string.h>

#include "curve_constants.h"
#include "curves.h"

void skl_low_pass(const double *values, int64_t frames, int64_t columns, double sigma, skl_arena *arena, double *out) {
    if (sigma < NARROWEST_BELL || frames < 2) {
        memcpy(out, values, (size_t)(frames * columns) * sizeof *out);
        return;
    }
    /* Further out there are end values only, and a wild frame rate must not cost memory. */
    const int64_t reach = (int64_t)fmin(ceil(BELL_REACH * sigma), (double)frames), half = reach > 1 ? reach : 1;
    const skl_arena mark = *arena;
    double *weights = SKL_TAKE(arena, double, half + 1);
    if (!weights) return;
    double sum = 0;
    for (int64_t i = 0; i <= half; i++) {
        const double x = (double)i / sigma;
        sum += weights[i] = exp(-0.5 * x * x);
    }
    for (int64_t i = 0; i <= half; i++) weights[i] /= 2.0 * sum - 1.0;
    skl_window_mean(values, frames, columns, weights, half, out);
    skl_arena_back(arena, mark);
}

void skl_rate(const double *path, int64_t frames, int64_t columns, double fps, double *out) {
    for (int64_t f = 0; f < frames; f++) {
        const int64_t before = f > 0 ? f - 1 : 0, after = f + 1 < frames ? f + 1 : f;
        const double by = after - before == 2 ? 0.5 * fps : fps;
        for (int64_t c = 0; c < columns; c++)
            out[f * columns + c] = (path[after * columns + c] - path[before * columns + c]) * by;
    }
}
