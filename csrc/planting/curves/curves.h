/* SPDX-License-Identifier: MIT */
/* Smooth paths over frames, and corrections that fade around spans of frames. Arrays are packed; the first dimension is
 * frames, and all are float64.
 *
 * A span is a pair (first, last) of frames, both included, 0 <= first <= last < frames; callers check that. */
#pragma once

#include "arena.h"
#include "skelkin/planting.h"

/* out[t] = weights[0] values[t] + the sum over k of weights[k] (values[t - k] + values[t + k]), k = 1 .. half; beyond
 * an end the rows continue from the one there along the line nearest to the half + 1 rows beside it, so that what moves
 * evenly stays. values and out (frames, columns), weights (half + 1,). */
void skl_window_mean(const double *values, int64_t frames, int64_t columns, const double *weights, int64_t half,
                     double *out);

/* How many frames each frame is away from the nearest mark; 1e9 everywhere where there is none. */
void skl_frames_to_nearest(const unsigned char *marks, int64_t frames, double *out);

/* Curves that are known in spans of frames, which rise and are apart. */
typedef struct skl_known_curves {
    int64_t frames, columns;
    const double *values; /* frames x columns; what is outside of the spans is not read */
    skl_spans spans;
    int64_t window; /* frames in which what is known fades around the spans; more than 1000 count as that */
} skl_known_curves;

/* Inside of the spans out is the values. Outside it is the curve of the least
 *
 *   sum over frames of |x''|^2 + (19.2 / window^4) |x|^2,   '' a second difference,
 *
 * which is zero where that is below 1e-9: what is known in one frame fades with e^(-1.48 t / window). Where there is no
 * memory, nothing is written that counts. */
void skl_smooth_between(const skl_known_curves *known, skl_arena *arena, double *out);

/* Values that are not finite are filled by straight lines between those that are, level beyond the ends; 0 where none
 * is. */
int skl_hold_between(double *values, int64_t count);

/* Where an ankle (frames, 3) is whose foot does not slip in the spans: it goes against steps (frames - 1, 3), what the
 * pivot slips from each frame to the next, and in a mean that counts the middle of the span most it stays where it was.
 * Outside of the spans out is ankle. */
void skl_rolled_path(const double *ankle, const double *steps, int64_t frames, const int64_t *spans, int64_t num_spans,
                     double *out);
