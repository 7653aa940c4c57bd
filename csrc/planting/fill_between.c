/* SPDX-License-Identifier: MIT */
/* Corrections that are known in spans of frames ease to zero outside of them. */
#include <string.h>

#include "skelkin_paths.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Add the cubic from value and slope at `edge` to (0, 0), `wide` frames further in direction `step`, in `count` frames.
 * `inner` is the frame from which the slope is taken. */
static void ease(const double *values, int64_t columns, int64_t edge, int64_t inner, int64_t wide, int64_t count,
                 int64_t step, double *out) {
    const double *value = values + edge * columns, *inside = values + inner * columns;
    const double apart = edge == inner ? 1.0 : (double)(edge - inner), length = (double)(wide * step);
    for (int64_t k = 1; k <= count; k++) {
        const double x = (double)k / (double)wide, rest = (1.0 - x) * (1.0 - x);
        double *row = out + (edge + step * k) * columns;
        for (int64_t c = 0; c < columns; c++) {
            const double slope = (value[c] - inside[c]) / apart;
            row[c] += (1.0 + 2.0 * x) * rest * value[c] + x * rest * length * slope;
        }
    }
}

void skl_fill_between(const double *values, int64_t frames, int64_t columns, const int64_t *spans, int64_t num_spans,
                      int64_t window, int64_t slope_frames, double *out) {
    memset(out, 0, (size_t)(frames * columns) * sizeof(double));
    for (int64_t s = 0; s < num_spans; s++) {
        const int64_t first = spans[2 * s], last = spans[2 * s + 1], inner = least(slope_frames, last - first);
        memcpy(out + first * columns, values + first * columns,
               (size_t)((last - first + 1) * columns) * sizeof(double));
        /* Beyond the clip's ends nothing waits: there the window is whole even if the clip is not. */
        const int64_t gap_before = s > 0 ? first - spans[2 * s - 1] : window;
        const int64_t gap_after = s + 1 < num_spans ? spans[2 * s + 2] - last : window;
        const int64_t before = least(window, gap_before), after = least(window, gap_after);
        ease(values, columns, first, first + inner, before, least(before - 1, first), -1, out);
        ease(values, columns, last, last - inner, after, least(after - 1, frames - 1 - last), +1, out);
    }
}
