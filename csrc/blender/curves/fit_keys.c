/* SPDX-License-Identifier: MIT */
/* Keys where they are needed.
 *
 * They are at the ends of the longest pieces, one after the other, that a cubic of its own meets within the tolerance.
 * Then all curves are made smooth: values and slopes at the keys are those that come nearest to all values (least
 * squares: a band of normal equations, the same for all curves). Where that is further off than the tolerance, slopes
 * may jump at both ends of the piece, with the values of their frames, and what is left is made smooth again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "keyed_chain.h"
#include "skelkin/blender_keys.h"

/* Beside the values, slopes are drawn by this much towards those from frame to frame: where no value lies between two
 * keys, nothing else says what they are. */
static const double TOWARDS = 1e-3;
/* Pieces are looked for within this part of the tolerance: the rest is room for smoothing. A fifth of it takes a sixth
 * more keys on captured legs, and half of them become smooth. */
static const double ROOMY = 0.8;
enum { BAND = 4 };

typedef struct fitting {
    skl_fit_keys_job *job;
    int64_t count;    /* of keys */
    int64_t *keys;    /* their frames, rising */
    uint8_t *broken;  /* (F): at a key there slopes may jump, and its values are those of the frame */
    double *ends;     /* (F, 3, C): of key k its value, and its slopes before and after it */
    double *band;     /* (2 F, BAND): of each equation the weight of its own unknown and of the next three */
    double *unknowns; /* (2 F, C): values and slopes, key by key */
    double *row;      /* (C) */
} fitting;

static double *value_of(const fitting *p, int64_t k) { return p->ends + 3 * k * p->job->num_curves; }
static double *before_of(const fitting *p, int64_t k) { return value_of(p, k) + p->job->num_curves; }
static double *after_of(const fitting *p, int64_t k) { return value_of(p, k) + 2 * p->job->num_curves; }
static const double *known(const fitting *p, int64_t frame) { return p->job->values + frame * p->job->num_curves; }

static int is_broken(const fitting *p, int64_t k) { return p->broken[p->keys[k]]; }

/* By how much slopes are drawn, of a piece of so many frames: the more there are, the less it takes. */
static double drawn(const fitting *p, int64_t from, int64_t to) {
    const double length = p->job->frames[to] - p->job->frames[from], count = (double)(to - from);
    return TOWARDS * length * length / (count * count * count);
}

static int is_held(const fitting *p, int64_t k) {
    return k + 1 < p->count && p->job->kinds[p->keys[k]] == SKL_KEY_HELD;
}

/* How much values and slopes at both ends of a segment count on one of its frames: value, slope, value, slope. */
static void weights(const fitting *p, int64_t from, int64_t to, int64_t frame, double out[4]) {
    const double *const frames = p->job->frames, length = frames[to] - frames[from];
    const double t = (frames[frame] - frames[from]) / length, s = 1 - t;
    out[0] = s * s * (1 + 2 * t);
    out[1] = length * t * s * s;
    out[2] = t * t * (3 - 2 * t);
    out[3] = -length * t * t * s;
}

/* The slope from frame to frame beside a key: on one side of it (-1, 1) or, where it does not jump, across it (0). */
static double slope_at(const fitting *p, int64_t frame, int side, int64_t c) {
    const skl_fit_keys_job *job = p->job;
    const int64_t from = side > 0 || frame == 0 ? frame : frame - 1;
    const int64_t to = side < 0 || frame + 1 == job->num_frames ? frame : frame + 1;
    return from == to ? 0 : (known(p, to)[c] - known(p, from)[c]) / (job->frames[to] - job->frames[from]);
}

/* Add what a segment says of values and slopes at its ends, which are the four unknowns from the row `first` on. */
static void add_segment(fitting *p, int64_t k, int64_t first) {
    const int64_t curves = p->job->num_curves, from = p->keys[k], to = p->keys[k + 1];
    const double towards = drawn(p, from, to);
    double *const band = p->band + first * BAND, *const right = p->unknowns + first * curves;
    for (int end = 0; end < 2; end++) {
        const int side = is_broken(p, k + end) ? 1 - 2 * end : 0, slope = 2 * end + 1;
        band[slope * BAND] += towards;
        for (int64_t c = 0; c < curves; c++)
            right[slope * curves + c] += towards * slope_at(p, p->keys[k + end], side, c);
    }
    for (int64_t f = from; f <= to; f++) {
        /* The value of a key between two segments is seen by both. */
        const double share = f == from || f == to ? 0.5 : 1;
        const double *const value = known(p, f);
        double w[4];
        weights(p, from, to, f, w);
        for (int i = 0; i < 4; i++) {
            for (int j = i; j < 4; j++) band[i * BAND + j - i] += share * w[i] * w[j];
            for (int64_t c = 0; c < curves; c++) right[i * curves + c] += share * w[i] * value[c];
        }
    }
}

/* Make an unknown known: as its frame has it. */
static void pin(fitting *p, int64_t row, int64_t rows, const double *value) {
    const int64_t curves = p->job->num_curves;
    for (int64_t other = row > 3 ? row - 3 : 0; other < rows && other <= row + 3; other++) {
        if (other == row) continue;
        double *const entry = other < row ? p->band + other * BAND + row - other : p->band + row * BAND + other - row;
        for (int64_t c = 0; c < curves; c++) p->unknowns[other * curves + c] -= *entry * value[c];
        *entry = 0;
    }
    p->band[row * BAND] = 1;
    memcpy(p->unknowns + row * curves, value, (size_t)curves * sizeof(double));
}

/* Solve the equations: L D L^T in place. */
static void solve(fitting *p, int64_t rows) {
    const int64_t curves = p->job->num_curves;
    for (int64_t i = 0; i < rows; i++) {
        double *const own = p->band + i * BAND;
        for (int64_t j = i > 3 ? i - 3 : 0; j < i; j++) {
            const double *const above = p->band + j * BAND, by = above[i - j] / above[0];
            for (int64_t k = i; k < j + BAND; k++) own[k - i] -= by * above[k - j];
            for (int64_t c = 0; c < curves; c++) p->unknowns[i * curves + c] -= by * p->unknowns[j * curves + c];
        }
    }
    for (int64_t i = rows - 1; i >= 0; i--)
        for (int64_t c = 0; c < curves; c++) {
            double *const at = p->unknowns + i * curves + c;
            for (int64_t j = 1; j < BAND && i + j < rows; j++) *at -= p->band[i * BAND + j] * at[j * curves];
            *at /= p->band[i * BAND];
        }
}

/* Values and slopes of the keys from one at which slopes may jump to the next. */
static void smooth(fitting *p, int64_t start, int64_t stop) {
    const int64_t curves = p->job->num_curves, rows = 2 * (stop - start + 1);
    const size_t bytes = (size_t)curves * sizeof(double);
    memset(p->band, 0, (size_t)(rows * BAND) * sizeof(double));
    memset(p->unknowns, 0, (size_t)rows * bytes);
    for (int64_t k = start; k < stop; k++) add_segment(p, k, 2 * (k - start));
    for (int64_t k = start; k <= stop; k++)
        if (k == start || k == stop) pin(p, 2 * (k - start), rows, known(p, p->keys[k]));
    solve(p, rows);
    for (int64_t k = start; k <= stop; k++) {
        const double *const found = p->unknowns + 2 * (k - start) * curves;
        memcpy(value_of(p, k), found, bytes);
        if (k > start) memcpy(before_of(p, k), found + curves, bytes);
        if (k < stop) memcpy(after_of(p, k), found + curves, bytes);
    }
}

static void smooth_all(fitting *p) {
    const size_t bytes = (size_t)p->job->num_curves * sizeof(double);
    memset(p->ends, 0, 3 * (size_t)p->count * bytes);
    for (int64_t start = 0; start + 1 < p->count;) {
        int64_t stop = start + 1;
        while (!is_broken(p, stop)) stop++;
        if (is_held(p, start)) {
            memcpy(value_of(p, start), known(p, p->keys[start]), bytes);
            memcpy(value_of(p, stop), known(p, p->keys[stop]), bytes);
        } else {
            smooth(p, start, stop);
        }
        start = stop;
    }
    if (p->count == 1) memcpy(value_of(p, 0), known(p, 0), bytes);
}

/* How far off a frame is with these values and slopes at the ends of its segment. */
static double miss_at(const fitting *p, int64_t from, int64_t to, int64_t frame, const double *const ends[4]) {
    const skl_fit_keys_job *job = p->job;
    double w[4];
    weights(p, from, to, frame, w);
    for (int64_t c = 0; c < job->num_curves; c++)
        p->row[c] = w[0] * ends[0][c] + w[1] * ends[1][c] + w[2] * ends[2][c] + w[3] * ends[3][c];
    return skl_chain_miss(&job->chain, frame, job->num_curves, p->row, known(p, frame));
}

/* The worst frame between the keys k and l, that of l included, if there is none between them, and how far off it is.
 */
static double worst_between(const fitting *p, int64_t k, int64_t l, int64_t *worst) {
    const double *const ends[4] = {value_of(p, k), after_of(p, k), value_of(p, l), before_of(p, l)};
    double most = -1;
    for (int64_t f = p->keys[k] + 1; f <= p->keys[l]; f++) {
        const double miss = miss_at(p, p->keys[k], p->keys[l], f, ends);
        if (!(miss <= most)) most = miss, *worst = f;
    }
    return most;
}

/* 1 if one cubic through the values of two frames meets all between them. */
static int is_one_piece(fitting *p, int64_t from, int64_t to) {
    const skl_fit_keys_job *job = p->job;
    const int64_t curves = job->num_curves;
    if (to - from < 2) return 1;
    const double towards = drawn(p, from, to);
    double aa = towards, ab = 0, bb = towards, *const a = p->unknowns, *const b = a + curves;
    for (int64_t c = 0; c < curves; c++) {
        a[c] = towards * slope_at(p, from, 1, c);
        b[c] = towards * slope_at(p, to, -1, c);
    }
    for (int64_t f = from + 1; f < to; f++) {
        double w[4];
        weights(p, from, to, f, w);
        aa += w[1] * w[1];
        ab += w[1] * w[3];
        bb += w[3] * w[3];
        for (int64_t c = 0; c < curves; c++) {
            const double rest = known(p, f)[c] - w[0] * known(p, from)[c] - w[2] * known(p, to)[c];
            a[c] += w[1] * rest;
            b[c] += w[3] * rest;
        }
    }
    const double whole = aa * bb - ab * ab;
    for (int64_t c = 0; c < curves; c++) {
        const double x = (bb * a[c] - ab * b[c]) / whole, y = (aa * b[c] - ab * a[c]) / whole;
        a[c] = x, b[c] = y;
    }
    const double *const ends[4] = {known(p, from), a, known(p, to), b};
    for (int64_t f = from + 1; f < to; f++)
        if (!(miss_at(p, from, to, f, ends) <= ROOMY * job->tolerance)) return 0;
    return 1;
}

/* Keys at the ends of the longest pieces between two keys; 0 if that was cut short. */
static int put_longest(fitting *p, int64_t from, int64_t stop) {
    int64_t length = 1;
    while (from < stop) {
        if (skl_stopped()) return 0;
        /* The longest piece is looked for from the length of the one before: twice as far, then between. */
        int64_t good = 1, bad = stop - from + 1;
        for (int64_t next = length; good + 1 < bad;) {
            if (next <= good || next >= bad) next = good + (bad - good) / 2;
            if (is_one_piece(p, from, from + next))
                good = next, next *= 2;
            else
                bad = next, next = good + (bad - good) / 2;
        }
        length = good;
        from += good;
        p->job->is_key[from] = 1;
    }
    return 1;
}

static void list_keys(fitting *p) {
    p->count = 0;
    for (int64_t f = 0; f < p->job->num_frames; f++)
        if (p->job->is_key[f]) p->keys[p->count++] = f;
}

/* Smooth, but where that is too far off; 0 if it was cut short. */
static int smooth_where_it_may(fitting *p) {
    skl_fit_keys_job *job = p->job;
    for (;;) {
        int changed = 0;
        list_keys(p);
        smooth_all(p);
        job->error = 0;
        for (int64_t k = 0; k + 1 < p->count; k++) {
            int64_t worst = 0;
            if ((k & 63) == 63 && skl_stopped()) return 0;
            const double miss = worst_between(p, k, k + 1, &worst);
            job->error = fmax(job->error, miss);
            if (is_held(p, k) || miss <= job->tolerance) continue;
            uint8_t *const from = &p->broken[p->keys[k]], *const to = &p->broken[p->keys[k + 1]];
            if (*from && *to) { /* by rounding alone, or a target that the frame's own values miss */
                if (job->is_key[worst]) continue;
                job->is_key[worst] = p->broken[worst] = 1;
            }
            *from = *to = 1;
            changed = 1;
        }
        if (!changed) return 1;
    }
}

static int fit(fitting *p) {
    skl_fit_keys_job *job = p->job;
    const int64_t last = job->num_frames - 1;
    int64_t from = 0;
    for (int64_t f = 0; f <= last; f++) {
        p->broken[f] = f == 0 || f == last || job->kinds[f] >= SKL_KEY_BROKEN;
        job->is_key[f] = f == 0 || f == last || job->kinds[f] != SKL_KEY_FREE;
    }
    for (int64_t f = 1; f <= last; f++) {
        if (!job->is_key[f]) continue;
        if (job->kinds[from] != SKL_KEY_HELD && !put_longest(p, from, f)) return 0;
        from = f;
    }
    return smooth_where_it_may(p);
}

static void write_ends(const fitting *p) {
    skl_fit_keys_job *job = p->job;
    const int64_t curves = job->num_curves;
    const size_t bytes = (size_t)curves * sizeof(double);
    for (int64_t k = 0; k < p->count; k++) {
        memcpy(job->fitted + p->keys[k] * curves, value_of(p, k), bytes);
        /* Outside of all keys curves continue as they begin and end. */
        memcpy(job->left + p->keys[k] * curves, k > 0 ? before_of(p, k) : after_of(p, k), bytes);
        memcpy(job->right + p->keys[k] * curves, k + 1 < p->count ? after_of(p, k) : before_of(p, k), bytes);
    }
}

static skl_code check_chain(const skl_keyed_chain *chain, skl_status *status) {
    const skl_pointer of_bones[] = {{chain->modes, "chain.modes"},
                                    {chain->columns, "chain.columns"},
                                    {chain->above, "chain.above"},
                                    {chain->basis, "chain.basis"},
                                    {chain->scale, "chain.scale"}};
    const skl_pointer of_points[] = {
        {chain->point_bones, "chain.point_bones"}, {chain->points, "chain.points"}, {chain->targets, "chain.targets"}};
    if (chain->num_bones > 0 && SKL_CHECK_POINTERS(of_bones, status) != SKL_OK) return status->code;
    return chain->num_bones > 0 && chain->num_points > 0 ? SKL_CHECK_POINTERS(of_points, status) : SKL_OK;
}

static skl_code check_all_there(skl_fit_keys_job *job) {
    const skl_pointer pointers[] = {{job->frames, "frames"}, {job->values, "values"}, {job->kinds, "kinds"},
                                    {job->is_key, "is_key"}, {job->fitted, "fitted"}, {job->left, "left"},
                                    {job->right, "right"}};
    if (job->num_frames < 1) return skl_fail(&job->status, SKL_BAD_VALUE, "num_frames", "one is needed at least");
    if (job->num_curves < 1) return skl_fail(&job->status, SKL_BAD_VALUE, "num_curves", "one is needed at least");
    if (SKL_CHECK_POINTERS(pointers, &job->status) != SKL_OK) return job->status.code;
    return check_chain(&job->chain, &job->status);
}

static skl_code check(skl_fit_keys_job *job) {
    if (check_all_there(job) != SKL_OK) return job->status.code;
    const int64_t values = job->num_frames * job->num_curves;
    if (!(job->tolerance >= 0) || isinf(job->tolerance))
        return skl_fail_number(&job->status, "tolerance", job->tolerance, "it must be 0 or more, and finite");
    for (int64_t f = 0; f < job->num_frames; f++) {
        if (!isfinite(job->frames[f]) || (f > 0 && !(job->frames[f] > job->frames[f - 1])))
            return skl_fail_at(&job->status, "frames", f, job->frames[f], "frames must be finite, and rise");
        if (job->kinds[f] > SKL_KEY_HELD)
            return skl_fail_at(&job->status, "kinds", f, job->kinds[f], "it must be 0, 1, 2 or 3");
    }
    for (int64_t i = 0; i < values; i++)
        if (!isfinite(job->values[i]))
            return skl_fail_at(&job->status, "values", i / job->num_curves, job->values[i], "it must be finite");
    return SKL_OK;
}

skl_code skl_fit_keys_run(skl_fit_keys_job *job) {
    memset(&job->status, 0, sizeof job->status);
    if (check(job) != SKL_OK) return job->status.code;
    const size_t frames = (size_t)job->num_frames, curves = (size_t)job->num_curves, row = curves * sizeof(double);
    fitting p = {.job = job};
    p.keys = malloc(frames * sizeof *p.keys);
    p.broken = malloc(frames);
    p.ends = malloc(3 * frames * row);
    p.band = malloc((2 * frames + 2) * BAND * sizeof(double));
    p.unknowns = malloc((2 * frames + 2) * row);
    p.row = malloc(row);
    const int enough = p.keys && p.broken && p.ends && p.band && p.unknowns && p.row;
    if (enough && fit(&p)) write_ends(&p);
    free(p.keys);
    free(p.broken);
    free(p.ends);
    free(p.band);
    free(p.unknowns);
    free(p.row);
    return enough ? skl_done(&job->status) : skl_fail(&job->status, SKL_NO_MEMORY, "", "");
}
