/* SPDX-License-Identifier: MIT */
/* Curves seen through a window that goes along with the frame: weighted means, minima, the nearest mark. */
#include <string.h>

#include "curve_constants.h"
#include "curves.h"
#include "filters.h"
#include "spans.h"
#include "core/base/stop.h"

#define NO_MARK 1e9

/* How much one of the columns grows per row, by the straight line nearest to some rows. */
static double slope(const double *values, int64_t rows, int64_t columns) {
    const double middle = 0.5 * (double)(rows - 1);
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        const double x = (double)i - middle;
        sum += x * values[i * columns];
        squares += x * x;
    }
    return squares > 0.0 ? sum / squares : 0.0;
}

/* One row near an end of the clip: what lies beyond continues from the row at that end as straight as before. */
static void mean_at_end(const double *values, int64_t frames, int64_t columns, const double *weights, int64_t half,
                        int64_t t, double *out) {
    const int64_t last = frames - 1, rows = half < frames ? half + 1 : frames;
    for (int64_t c = 0; c < columns; c++) {
        const double *const own = values + c, *const end = own + last * columns;
        const double first_slope = slope(own, rows, columns);
        const double last_slope = slope(end - (rows - 1) * columns, rows, columns);
        out[c] = weights[0] * own[t * columns];
        for (int64_t k = 1; k <= half; k++) {
            const double before = t >= k ? own[(t - k) * columns] : own[0] + (double)(t - k) * first_slope;
            const double after = t + k <= last ? own[(t + k) * columns] : end[0] + (double)(t + k - last) * last_slope;
            out[c] += weights[k] * (before + after);
        }
    }
}

/* Count what has been done; 1 if that is to be the end. */
static int has_done(int64_t products, int64_t *since) {
    *since += products;
    if (*since < BETWEEN_STOPS) return 0;
    *since = 0;
    return skl_stopped();
}

void skl_window_mean(const double *values, int64_t frames, int64_t columns, const double *weights, int64_t half,
                     double *out) {
    const int64_t near = half < frames - half ? half : frames; /* rows before this one have an end in their window */
    const int64_t far = half < frames - half ? frames - half : frames; /* and so have those from this one on */
    int64_t since = 0;
    for (int64_t t = 0; t < frames; t++) {
        if (t == near && far > near) t = far;
        if (t >= frames || has_done((half + 1) * columns, &since)) break;
        mean_at_end(values, frames, columns, weights, half, t, out + t * columns);
    }
    /* In between a shift by k frames is one by k rows of packed numbers, whatever the columns. */
    for (int64_t at = near * columns; at < far * columns; at += TILE) {
        const int64_t count = far * columns - at < TILE ? far * columns - at : TILE;
        const double *middle = values + at;
        double *sums = out + at;
        if (has_done((half + 1) * count, &since)) return;
        for (int64_t i = 0; i < count; i++) sums[i] = weights[0] * middle[i];
        for (int64_t k = 1; k <= half; k++) {
            const double *before = middle - k * columns, *after = middle + k * columns;
            for (int64_t i = 0; i < count; i++) sums[i] += weights[k] * (before[i] + after[i]);
        }
    }
}

void skl_running_min(const double *values, int64_t frames, int64_t half, skl_arena *arena, double *out) {
    half = skl_fewer(half, frames);
    const skl_arena mark = *arena;
    const int64_t padded = frames + 2 * half, width = 2 * half + 1;
    double *least = SKL_TAKE(arena, double, padded);
    if (!least) return;
    for (int64_t i = 0; i < padded; i++) least[i] = values[skl_more(0, skl_fewer(i - half, frames - 1))];
    /* Doubling: the least of 2k frames from two times that of k, so that wide windows cost a logarithm only. */
    int64_t count = padded;
    for (int64_t reach = 1, step; reach < width && !skl_stopped(); reach += step) {
        step = skl_fewer(reach, width - reach);
        count -= step;
        for (int64_t i = 0; i < count; i++) {
            const double other = least[i + step];
            least[i] = least[i] < other ? least[i] : other;
        }
    }
    memcpy(out, least, (size_t)frames * sizeof *out);
    skl_arena_back(arena, mark);
}

void skl_frames_to_nearest(const unsigned char *marks, int64_t frames, double *out) {
    double away = NO_MARK;
    for (int64_t t = 0; t < frames; t++) {
        away = marks[t] ? 0.0 : away < NO_MARK ? away + 1.0 : NO_MARK;
        out[t] = away;
    }
    away = NO_MARK;
    for (int64_t t = frames; t-- > 0;) {
        away = marks[t] ? 0.0 : away < NO_MARK ? away + 1.0 : NO_MARK;
        if (away < out[t]) out[t] = away;
    }
}
