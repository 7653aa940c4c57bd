/* SPDX-License-Identifier: MIT */
/* Corrections that are known in spans of frames fade around these as the smoothest path does.
 *
 * Frame by frame, the free ones' second differences make a matrix whose rows meet two neighbours on each side; it is
 * factored as L D L^T while its rows are made, and the columns of the values are solved in the same pass. */
#include "curves.h"

#include <math.h>
#include <string.h>

#include "core/base/stop.h"
#include "curve_constants.h"
#include "spans.h"

enum { OUTSIDE = 3 };

/* One frame in the elimination. */
typedef struct row {
    double pivot, next, second; /* D, and L D of the two frames that follow */
} row;

typedef struct fading {
    int64_t frames, columns;
    double spring;
    uint8_t *known; /* 0, or by turns 1 and 2 for spans; two more on each side of the clip belong to none */
    row *rows;      /* with two before the first */
} fading;

static int is_free(const fading *p, int64_t frame) { return !p->known[frame]; }

/* 1 where the second difference around a frame can change, else 0. */
static double bends(const fading *p, int64_t frame) {
    if (frame < 1 || frame + 1 >= p->frames) return 0.0;
    return is_free(p, frame - 1) || is_free(p, frame) || is_free(p, frame + 1);
}

/* Take `by` times a frame's numbers from those of another. */
static void take_off(const fading *p, double by, const double *other, double *own) {
    for (int64_t c = 0; c < p->columns; c++) own[c] -= by * other[c];
}

/* What counts for the known frame behind the border of a span, on the side `step`: it continues with the slope over
 * more frames, since that from frame to frame is noise. */
static void take_slope(const fading *p, double by, int64_t border, int64_t step, const double *out, double *own) {
    int64_t count = 1;
    while (count < SLOPE_FRAMES && p->known[border + step * (count + 1)] == p->known[border]) count++;
    const double *const at = out + border * p->columns, *const inner = at + step * count * p->columns;
    for (int64_t c = 0; c < p->columns; c++) own[c] -= by * (at[c] - (at[c] - inner[c]) / (double)count);
}

/* Eliminate what came before from one free frame; `before`, `here` and `after` are the bends around it. */
static void eliminate(const fading *p, int64_t f, double before, double here, double after, double *out) {
    const int64_t columns = p->columns;
    double *const own = out + f * columns;
    /* How the frame meets those beside it: two before, one before, one behind, two behind. */
    const double meets[4] = {before, -2.0 * (before + here), -2.0 * (here + after), after};
    row *const at = p->rows + f, *const last = at - 1, *const first = at - 2;
    *at = (row){p->spring + before + 4.0 * here + after, meets[2], meets[3]};
    for (int64_t side = 0; side < 4; side++) {
        const int64_t other = f + side - (side < 2 ? 2 : 1), border = side < 2 ? f - 1 : f + 1;
        if (meets[side] == 0.0 || is_free(p, other)) continue;
        if (other == border || is_free(p, border))
            take_off(p, meets[side], out + other * columns, own);
        else
            take_slope(p, meets[side], border, other - border, out, own);
    }
    if (!is_free(p, f + 1)) at->next = 0.0;
    if (!is_free(p, f + 2)) at->second = 0.0;
    if (first->second != 0.0) {
        at->pivot -= first->second * first->second / first->pivot;
        take_off(p, first->second / first->pivot, own - 2 * columns, own);
    }
    if (last->next != 0.0) {
        at->pivot -= last->next * last->next / last->pivot;
        at->next -= last->next * last->second / last->pivot;
        take_off(p, last->next / last->pivot, own - columns, own);
    }
}

static void solve(const fading *p, double *out) {
    double before = bends(p, -1), here = bends(p, 0), after = bends(p, 1);
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++, before = here, here = after, after = bends(p, f + 1))
        if (is_free(p, f)) eliminate(p, f, before, here, after, out);
    for (int64_t f = p->frames - 1; f >= 0 && skl_goes_on(f); f--) {
        if (!is_free(p, f)) continue;
        double *const own = out + f * p->columns;
        const row *const at = p->rows + f;
        if (at->next != 0.0) take_off(p, at->next, own + p->columns, own);
        if (at->second != 0.0) take_off(p, at->second, own + 2 * p->columns, own);
        for (int64_t c = 0; c < p->columns; c++) own[c] /= at->pivot;
    }
}

void skl_smooth_between(const skl_known_curves *known, skl_arena *arena, double *out) {
    const int64_t frames = known->frames, columns = known->columns;
    const double wide = (double)skl_fewer(skl_more(known->window, 1), LONGEST_WINDOW);
    const skl_arena mark = *arena;
    uint8_t *flags = SKL_ZEROS(arena, uint8_t, frames + 4);
    row *rows = SKL_ZEROS(arena, row, frames + 2);
    if (arena->failed) return;
    const fading p = {frames, columns, TURN_SPRING / (wide * wide * wide * wide), flags + 2, rows + 2};
    memset(flags, OUTSIDE, 2);
    memset(flags + frames + 2, OUTSIDE, 2);
    memset(out, 0, (size_t)(frames * columns) * sizeof *out);
    for (int64_t i = 0; i < known->spans.count; i++) {
        const skl_span span = known->spans.at[i];
        const size_t size = (size_t)skl_span_frames(span);
        memset(p.known + span.first, 1 + (int)(i % 2), size);
        memcpy(out + span.first * columns, known->values + span.first * columns, size * (size_t)columns * sizeof *out);
    }
    if (known->spans.count) solve(&p, out);
    for (int64_t f = 0; f < frames; f++)
        for (int64_t c = f * columns; is_free(&p, f) && c < (f + 1) * columns; c++)
            if (fabs(out[c]) < NO_VALUE) out[c] = 0.0;
    skl_arena_back(arena, mark);
}
