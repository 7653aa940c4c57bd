/* SPDX-License-Identifier: MIT */
#include "hold_flat.h"

#include <math.h>
#include <string.h>

#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "planting/curves/curves.h"
#include "planting/curves/filters.h"
#include "planting/curves/median.h"
#include "turns.h"

void skl_read_spin(const skl_track *track, double fps, skl_arena *arena, skl_foot_spin *out) {
    const int64_t num = track->num_frames;
    out->axes = SKL_TAKE(arena, double, 9 * num);
    out->slow = SKL_TAKE(arena, uint8_t, num);
    out->resting = SKL_TAKE(arena, uint8_t, num);
    const skl_arena mark = *arena;
    double *smooth = SKL_TAKE(arena, double, 9 * num), *speeds = SKL_TAKE(arena, double, num);
    if (arena->failed) return;
    skl_rotations_of(num, track->foot, out->axes);
    skl_low_pass(out->axes, num, 9, TURN_SMOOTHING * fps, arena, smooth);
    skl_turn_speeds(num, smooth, speeds);
    for (int64_t f = 0; f < num; f++) out->slow[f] = speeds[f] * fps < TURNS_FAST;
    skl_resting_turns(num, out->axes, HELD_STILL, out->resting);
    skl_arena_back(arena, mark);
}

/* A search for held moments. */
typedef struct holding {
    const skl_flat_foot *foot;
    double *tilt;          /* leg: by how much the sole's ends differ in height */
    uint8_t *flat, *noisy; /* where the sole is level, and the foot turns slowly or not */
    double *turn, *piece;  /* what holds it, and the same of one moment, from the moment's first frame on */
    skl_spans *held;
    int64_t shortest;
} holding;

/* Take frames on one side into a held moment that only noise, as it is inside, keeps apart from it; returns the last
 * one. */
static int64_t into_noise(const holding *h, const skl_m3 mean, double noise, int64_t edge, int64_t end, int64_t step) {
    for (int64_t f = edge + step; step * f <= step * end && h->noisy[f]; f += step, edge += step) {
        skl_m3 back, turn;
        double vector[3];
        skl_m3_transpose(h->foot->spin->axes + 9 * f, back);
        skl_m3_multiply(mean, back, turn);
        skl_turn_vectors(1, turn, vector);
        if (!(skl_v3_length(vector) <= noise)) break;
        memcpy(h->turn + 3 * f, vector, sizeof vector);
    }
    return edge;
}

/* Hold a moment, and frames on both sides as far as `ends`: in noise the speed of turning shows too early that a foot
 * sets off, and too late that it has come to stand. */
static void add_piece(const holding *h, skl_span piece, skl_span ends) {
    const int64_t num = skl_span_frames(piece);
    memcpy(h->turn + 3 * piece.first, h->piece, (size_t)(3 * num) * sizeof *h->turn);
    if ((piece.first > ends.first && h->noisy[piece.first - 1]) ||
        (piece.last < ends.last && h->noisy[piece.last + 1])) {
        double noise = 0;
        for (int64_t i = 0; i + 1 < num; i++)
            noise = fmax(noise, skl_v3_distance(h->piece + 3 * i, h->piece + 3 * i + 3));
        skl_m3 turn, mean;
        skl_turn_matrices(1, h->piece, turn);
        skl_m3_multiply(turn, h->foot->spin->axes + 9 * piece.first, mean);
        piece.first = into_noise(h, mean, noise, piece.first, ends.first, -1);
        piece.last = into_noise(h, mean, noise, piece.last, ends.last, +1);
    }
    h->held->at[h->held->count++] = piece;
}

/* Cut a flat moment in halves, a window apart, until the foot hardly turns in each, and hold these. */
static void add_pieces(const holding *h, skl_span contact, skl_span run) {
    if (skl_span_frames(run) < h->shortest) return;
    double furthest = 0;
    skl_turns_to_mean(skl_span_frames(run), h->foot->spin->axes + 9 * run.first, h->piece);
    for (int64_t i = 0; i < skl_span_frames(run); i++) furthest = fmax(furthest, skl_v3_length(h->piece + 3 * i));
    const int64_t window = h->foot->window, middle = (run.first + run.last) / 2, half = middle - window / 2;
    if (furthest > TURNS_LITTLE) {
        add_pieces(h, contact, (skl_span){run.first, half});
        add_pieces(h, contact, (skl_span){half + window + 1, run.last});
        return;
    }
    const int64_t after = h->held->count ? h->held->at[h->held->count - 1].last + 2 : 0;
    /* No further than that, so that the time grows with the clip's length only. */
    const skl_span ends = {skl_more(skl_more(contact.first, after), run.first - window),
                           skl_fewer(contact.last, run.last + window)};
    add_piece(h, run, ends);
}

/* Frames of runs of flags inside of a contact that are at least so long. */
static int64_t frames_in(const uint8_t *flags, skl_span contact, int64_t shortest) {
    int64_t count = 0;
    skl_span run;
    for (int64_t from = contact.first; skl_next_run(flags, contact.last + 1, from, &run); from = run.last + 1)
        if (skl_span_frames(run) >= shortest) count += skl_span_frames(run);
    return count;
}

/* A flat moment without frames at its ends in which heel or toes are rising or coming down already, where that takes
 * much longer than a turn takes to fade: held until it has passed the bound, a foot that tilts so slowly would snap to
 * where it is by then. */
static skl_span without_slow_tilts(const holding *h, skl_span contact, skl_span run) {
    const int64_t middle = (run.first + run.last) / 2, slow = 2 * h->foot->window;
    int64_t first = run.first, last = run.last;
    if (run.first > contact.first && h->tilt[run.first - 1] >= FLAT)
        while (first < middle && h->tilt[first] > NOT_TILTING) first++;
    if (run.last < contact.last && h->tilt[run.last + 1] >= FLAT)
        while (last > middle && h->tilt[last] > NOT_TILTING) last--;
    if (first < middle && first - run.first > slow) run.first = first;
    if (last > middle && run.last - last > slow) run.last = last;
    return run;
}

static void hold_contact(const holding *h, skl_span contact) {
    const uint8_t *resting = h->foot->spin->resting;
    const int64_t rests = frames_in(resting, contact, h->shortest), still = frames_in(h->flat, contact, 1);
    skl_span run;
    /* A foot that is held already for most of what is flat stays as it is, and is not held for longer than it was. */
    if (rests && (double)rests >= HELD_ALREADY * (double)still) {
        for (int64_t from = contact.first; skl_next_run(resting, contact.last + 1, from, &run); from = run.last + 1)
            if (skl_span_frames(run) >= h->shortest) h->held->at[h->held->count++] = run;
        return;
    }
    for (int64_t from = contact.first; skl_next_run(h->flat, contact.last + 1, from, &run); from = run.last + 1)
        add_pieces(h, contact, without_slow_tilts(h, contact, run));
}

/* Where the sole is level. */
static void find_flat(const holding *h, double *outline) {
    const skl_flat_foot *foot = h->foot;
    const int64_t num = foot->track->num_frames;
    skl_sole_outline(&foot->model->sole, foot->up, num, foot->track->foot, outline);
    for (int64_t f = 0; f < num; f++) {
        double along[3];
        skl_v3_minus(outline + 3 * f, outline + 3 * (num + f), along);
        h->tilt[f] = fabs(skl_v3_dot(along, foot->up)) / foot->track->length;
        const int level = h->tilt[f] < FLAT;
        h->flat[f] = level && foot->spin->slow[f];
        h->noisy[f] = level && !foot->spin->slow[f];
    }
}

void skl_hold_flat(const skl_flat_foot *foot, skl_arena *arena, skl_hold *out) {
    const int64_t num = foot->track->num_frames;
    out->turn = SKL_ZEROS(arena, double, 3 * num);
    out->spans = (skl_spans){SKL_TAKE(arena, skl_span, num + 1), 0};
    if (arena->failed || !foot->contacts.count) return;
    const skl_arena mark = *arena;
    double *outline = SKL_TAKE(arena, double, 9 * num);
    const holding h = {
        .foot = foot,
        .tilt = SKL_TAKE(arena, double, num),
        .flat = SKL_TAKE(arena, uint8_t, num),
        .noisy = SKL_TAKE(arena, uint8_t, num),
        .turn = SKL_ZEROS(arena, double, 3 * num),
        .piece = SKL_TAKE(arena, double, 3 * num),
        .held = &out->spans,
        .shortest = (int64_t)fmax(2.0, rint(HOLD_SHORTEST * foot->fps)),
    };
    if (!arena->failed) {
        find_flat(&h, outline);
        for (int64_t i = 0; i < foot->contacts.count && !skl_stopped(); i++) hold_contact(&h, foot->contacts.at[i]);
        skl_smooth_between(&(skl_known_curves){num, 3, h.turn, out->spans, foot->window}, arena, out->turn);
    }
    skl_arena_back(arena, mark);
}

void skl_calmest(const skl_foot_spin *spin, int64_t num_frames, skl_spans contacts, skl_arena *arena, uint8_t *out) {
    skl_span_mask(contacts, num_frames, out);
    if (num_frames < 3) return;
    const skl_arena mark = *arena;
    double *speeds = SKL_TAKE(arena, double, num_frames), *inside = SKL_TAKE(arena, double, num_frames);
    int64_t count = 0;
    if (speeds && inside) {
        skl_turn_speeds(num_frames, spin->axes, speeds);
        for (int64_t f = 0; f < num_frames; f++)
            if (out[f]) inside[count++] = speeds[f];
        const double middle = count ? skl_median(inside, count) : 0;
        for (int64_t f = 0; f < num_frames; f++) out[f] = out[f] && speeds[f] <= middle;
    }
    skl_arena_back(arena, mark);
}
