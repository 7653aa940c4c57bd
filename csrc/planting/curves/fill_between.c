/* SPDX-License-Identifier: MIT */
/* Corrections that are known in spans of frames ease to a path outside of them. */
#include <string.h>

#include "curves.h"
#include "spans.h"
#include "core/base/stop.h"

typedef struct curves {
    const double *values;
    const double *around; /* NULL: zero */
    int64_t columns;
} curves;

/* How far the values are from the path that they ease to. */
static double apart(const curves *from, int64_t frame, int64_t column) {
    const int64_t at = frame * from->columns + column;
    return from->values[at] - (from->around ? from->around[at] : 0.0);
}

/* Add the cubic from value and slope at `edge` to (0, 0), `wide` frames further in direction `step`, in `count` frames.
 * `inner` is the frame from which the slope is taken. */
static void ease(const curves *from, int64_t edge, int64_t inner, int64_t wide, int64_t count, int64_t step,
                 double *out) {
    const double length = (double)(wide * step) / (edge == inner ? 1.0 : (double)(edge - inner));
    for (int64_t c = 0; c < from->columns; c++) {
        const double value = apart(from, edge, c), slope = length * (value - apart(from, inner, c));
        for (int64_t k = 1; k <= count; k++) {
            const double x = (double)k / (double)wide, rest = (1.0 - x) * (1.0 - x);
            out[(edge + step * k) * from->columns + c] += (1.0 + 2.0 * x) * rest * value + x * rest * slope;
        }
    }
}

void skl_fill_between(const double *values, const double *around, int64_t frames, int64_t columns, const int64_t *spans,
                      int64_t num_spans, int64_t window, int64_t slope_frames, double *out) {
    const curves from = {values, around, columns};
    const size_t row = (size_t)columns * sizeof(double);
    if (around)
        memcpy(out, around, (size_t)frames * row);
    else
        memset(out, 0, (size_t)frames * row);
    for (int64_t s = 0; s < num_spans && !skl_stopped(); s++) {
        const int64_t first = spans[2 * s], last = spans[2 * s + 1], inner = skl_fewer(slope_frames, last - first);
        memcpy(out + first * columns, values + first * columns, (size_t)(last - first + 1) * row);
        /* Beyond the clip's ends nothing waits: there the window is whole even if the clip is not. */
        const int64_t gap_before = s > 0 ? first - spans[2 * s - 1] : window;
        const int64_t gap_after = s + 1 < num_spans ? spans[2 * s + 2] - last : window;
        const int64_t before = skl_fewer(window, gap_before), after = skl_fewer(window, gap_after);
        ease(&from, first, first + inner, before, skl_fewer(before - 1, first), -1, out);
        ease(&from, last, last - inner, after, skl_fewer(after - 1, frames - 1 - last), +1, out);
    }
}
