/* SPDX-License-Identifier: MIT */
#include "given_roll.h"

#include <math.h>
#include <string.h>

#include "core/base/stop.h"
#include "core/base/smoothstep.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "ground_constants.h"
#include "planting/curves/curves.h"
#include "planting/motion/hold_flat.h"
#include "planting/motion/turns.h"

/* What is turned, and where memory comes from. */
typedef struct turning {
    const skl_given_roll *roll;
    const skl_sole *sole;
    skl_arena *arena;
    int64_t num;
} turning;

/* --- spans -------------------------------------------------------------------------------------------------------- */

/* Room for as many spans as frames can make of them. */
static skl_spans room_for_spans(const turning *t) {
    return (skl_spans){SKL_TAKE(t->arena, skl_span, 2 * t->num + 2), 0};
}

static uint8_t *mask_of(const turning *t, skl_spans spans) {
    uint8_t *out = SKL_TAKE(t->arena, uint8_t, t->num);
    if (out) skl_span_mask(spans, t->num, out);
    return out;
}

/* Add the runs of frames inside of a span in which a flag is `wanted`. */
static void add_runs(skl_spans *out, skl_span span, const uint8_t *flags, int wanted) {
    for (int64_t f = span.first; f <= span.last; f++) {
        if (!flags[f] != !wanted) continue;
        const int64_t first = f;
        while (f < span.last && !flags[f + 1] == !wanted) f++;
        out->at[out->count++] = (skl_span){first, f};
    }
}

static void add_all_runs(skl_spans *out, skl_spans spans, const uint8_t *flags, int wanted) {
    for (int64_t i = 0; i < spans.count; i++) add_runs(out, spans.at[i], flags, wanted);
}

static int any_in(const uint8_t *flags, skl_span span) {
    return memchr(flags + span.first, 1, (size_t)skl_span_frames(span)) != NULL;
}

/* Put spans, of which each of two parts rises, into their order. */
static void sort_spans(skl_spans spans) {
    for (int64_t i = 1; i < spans.count; i++) {
        const skl_span own = spans.at[i];
        int64_t k = i;
        for (; k > 0 && spans.at[k - 1].first > own.first; k--) spans.at[k] = spans.at[k - 1];
        spans.at[k] = own;
    }
}

/* --- how the foot stands ------------------------------------------------------------------------------------------ */

int skl_roll_wrong(const skl_given_roll *roll, const skl_sole *sole, const double *turn, skl_arena *arena,
                   uint8_t *out) {
    const int64_t num = roll->track->num_frames;
    const skl_arena mark = *arena;
    double *whole = SKL_TAKE(arena, double, 3 * num), *feet = SKL_TAKE(arena, double, 9 * num);
    double *outline = SKL_TAKE(arena, double, 9 * num);
    int8_t *stands = SKL_TAKE(arena, int8_t, num);
    if (arena->failed) return 0;
    if (roll->ground) {
        if (!skl_whole_turn(roll->ground, roll->contacts, turn, roll->window, arena, whole)) return 0;
        turn = whole;
    }
    skl_turn_feet(num, turn, roll->track->foot, feet);
    if (!skl_outline_on(sole, roll->up, num, feet, roll->ground, arena, outline) ||
        !skl_roll_on(roll->up, num, outline, roll->ground, arena, stands))
        return 0;
    memset(out, 0, (size_t)num);
    for (int64_t i = 0; i < roll->contacts.count; i++)
        for (int64_t f = roll->contacts.at[i].first; f <= roll->contacts.at[i].last; f++)
            out[f] = stands[f] != roll->given[f];
    skl_arena_back(arena, mark);
    return 1;
}

/* Let turns that are known in spans fade around them. */
static int fade(const turning *t, const double *turn, skl_spans spans, int64_t window, double *out) {
    skl_smooth_between(&(skl_known_curves){t->num, 3, turn, spans, window}, t->arena, out);
    return !t->arena->failed;
}

/* --- held where it is given flat ---------------------------------------------------------------------------------- */

/* Look again, in chosen contacts, for moments to hold, where the foot is given flat only. */
static int hold_where_flat(const turning *t, const skl_hold *own, const uint8_t *chosen, skl_hold *out) {
    const skl_given_roll *roll = t->roll;
    skl_spans there = room_for_spans(t), found = room_for_spans(t), spans = room_for_spans(t);
    uint8_t *flat = SKL_TAKE(t->arena, uint8_t, t->num);
    double *turn = SKL_TAKE(t->arena, double, 3 * t->num);
    out->turn = SKL_TAKE(t->arena, double, 3 * t->num);
    if (t->arena->failed) return 0;
    for (int64_t i = 0; i < roll->contacts.count; i++)
        if (chosen[i]) there.at[there.count++] = roll->contacts.at[i];
    for (int64_t f = 0; f < t->num; f++) flat[f] = roll->given[f] == 0;
    add_all_runs(&found, there, flat, 1);
    const uint8_t *inside = mask_of(t, there);
    skl_foot_spin spin;
    skl_hold again;
    skl_foot_model model = {.sole = *t->sole};
    if (!inside) return 0;
    skl_read_spin(roll->level, roll->fps, t->arena, &spin);
    const skl_flat_foot foot = {.track = roll->level,
                                .model = &model,
                                .spin = &spin,
                                .contacts = found,
                                .up = roll->up,
                                .fps = roll->fps,
                                .window = roll->held_window};
    if (!t->arena->failed) skl_hold_flat(&foot, t->arena, &again);
    if (t->arena->failed) return 0;
    add_all_runs(&spans, own->spans, inside, 0);
    for (int64_t i = 0; i < again.spans.count; i++) spans.at[spans.count++] = again.spans.at[i];
    sort_spans(spans);
    for (int64_t f = 0; f < t->num; f++)
        memcpy(turn + 3 * f, (inside[f] ? again.turn : own->turn) + 3 * f, 3 * sizeof *turn);
    out->spans = spans;
    return fade(t, turn, spans, roll->held_window, out->turn);
}

/* --- turned to stand as given ------------------------------------------------------------------------------------- */

/* The span to hold around a run of forced frames, with the held moments beside it, inside of `flat`. */
static skl_span piece_around(const turning *t, const skl_hold *own, skl_span flat, skl_span run) {
    const int64_t near = 2 * t->roll->window;
    int64_t first = -1, last = -1;
    for (int64_t i = 0; i < own->spans.count; i++) {
        const skl_span held = own->spans.at[i];
        if (held.first > flat.last || held.last < flat.first) continue;
        const skl_span inside = {skl_more(held.first, flat.first), skl_fewer(held.last, flat.last)};
        if (inside.first <= run.first && inside.last >= run.first - near) first = inside.first;
        if (last < 0 && inside.last >= run.last && inside.first <= run.last + near) last = inside.last;
    }
    if (first < 0 && last < 0)
        return (skl_span){skl_more(flat.first, run.first - near / 2), skl_fewer(flat.last, run.last + near / 2)};
    return (skl_span){first < 0 ? run.first : first, last < 0 ? run.last : last};
}

/* The spans in which to hold the foot flat: frames that are forced, with held moments beside them. */
static int flat_pieces(const turning *t, const skl_hold *own, const uint8_t *forced, skl_spans *out) {
    const skl_given_roll *roll = t->roll;
    uint8_t *flat = mask_of(t, roll->contacts);
    skl_spans runs = room_for_spans(t), wrong = room_for_spans(t);
    *out = room_for_spans(t);
    if (t->arena->failed) return 0;
    for (int64_t f = 0; f < t->num; f++) flat[f] = flat[f] && roll->given[f] == 0;
    add_all_runs(&runs, roll->contacts, flat, 1);
    for (int64_t i = 0; i < runs.count; i++) {
        wrong.count = 0;
        add_runs(&wrong, runs.at[i], forced, 1);
        for (int64_t k = 0; k < wrong.count; k++) {
            const skl_span run = wrong.at[k];
            skl_span piece = piece_around(t, own, runs.at[i], run);
            skl_span *before = out->count ? &out->at[out->count - 1] : NULL;
            if (before && piece.first <= before->last + 1 && before->first >= runs.at[i].first)
                *before = (skl_span){skl_fewer(before->first, piece.first), skl_more(piece.last, run.last)};
            else
                out->at[out->count++] = piece;
        }
    }
    return 1;
}

/* The turn that makes a sole level whose foot, of this rotation and scale, stands. */
static void level_turn(const turning *t, const skl_m3 mean, const skl_m3 scale, skl_m3 out) {
    skl_m3 foot;
    double under[3], along[3], vector[3];
    skl_m3_multiply(mean, scale, foot);
    skl_m3_transform(foot, t->sole->heel, under);
    skl_m3_transform(foot, t->sole->along, along);
    const double size = skl_v3_length(under);
    if (size > FOOT_POINT * t->roll->track->length) { /* from what is up in the foot */
        for (int i = 0; i < 3; i++) under[i] /= -size;
        skl_turn_onto(under, t->roll->up, vector);
    } else { /* a sole without thickness shows it by its length */
        double level[3];
        memcpy(level, along, sizeof level);
        skl_v3_flatten(t->roll->up, level);
        skl_turn_onto(along, level, vector);
    }
    skl_turn_matrices(1, vector, out);
}

/* Write the turns that hold a foot at one rotation, its sole level: as it is held already, in the mean. */
static int hold_piece(const turning *t, const skl_hold *own, skl_span piece, double *turn) {
    const int64_t num = skl_span_frames(piece);
    double *axes = SKL_TAKE(t->arena, double, 9 * num), *known = SKL_TAKE(t->arena, double, 9 * num);
    double *vectors = SKL_TAKE(t->arena, double, 3 * num);
    const uint8_t *held = mask_of(t, own->spans);
    if (t->arena->failed) return 0;
    const double *feet = t->roll->level->foot + 9 * piece.first;
    skl_rotations_of(num, feet, axes);
    const int any = any_in(held, piece);
    int64_t count = 0;
    for (int64_t f = 0; f < num; f++) {
        if (any && !held[piece.first + f]) continue;
        skl_m3 matrix;
        skl_turn_matrices(1, own->turn + 3 * (piece.first + f), matrix);
        skl_m3_multiply(matrix, axes + 9 * f, known + 9 * count++);
    }
    skl_turns_to_mean(count, known, vectors);
    skl_m3 to_mean, mean, back, scale, turned, level;
    skl_turn_matrices(1, vectors, to_mean);
    skl_m3_multiply(to_mean, known, mean);
    skl_m3_transpose(axes, back);
    skl_m3_multiply(back, feet, scale); /* the scale that the foot joint's matrix has */
    level_turn(t, mean, scale, turned);
    skl_m3_multiply(turned, mean, level);
    for (int64_t f = 0; f < num; f++) {
        skl_m3 whole;
        skl_m3_transpose(axes + 9 * f, back);
        skl_m3_multiply(level, back, whole);
        skl_turn_vectors(1, whole, turn + 3 * (piece.first + f));
    }
    return 1;
}

/* 0 .. 1 over the frames of a run: 1 in its middle, or on towards the end of the contact that it is at. */
static double bump(int64_t frame, skl_span run, int64_t num, int64_t window) {
    const int64_t count = skl_span_frames(run), last = count - 1;
    const int ends[2] = {run.first > 0, run.last < num - 1};
    const int64_t left = ends[0] ? frame + 1 : count, right = ends[1] ? count - frame : count;
    int64_t highest = count; /* of skl_fewer(left, right) over the run */
    if (ends[0] && ends[1]) highest = last / 2 + 1;
    return skl_smoothstep(fmin((double)skl_fewer(left, right) / (double)skl_fewer(window, highest), 1.0));
}

/* How far toes are above the heel in a frame, as a sine, and the unit vector about which turning raises them. */
static double pitch(const turning *t, const double *outline, int64_t num, int64_t frame, double axis[3]) {
    double along[3];
    skl_v3_minus(outline + 3 * (num + frame), outline + 3 * (2 * num + frame), along);
    skl_v3_cross(along, t->roll->up, axis);
    const double size = fmax(skl_v3_length(axis), SKL_TINY);
    for (int i = 0; i < 3; i++) axis[i] /= size;
    return skl_v3_dot(along, t->roll->up) / fmax(skl_v3_length(along), SKL_TINY);
}

/* Raise toes (sign 1) or heel (sign -1) in a run of a contact by what they lack, `clearly` somewhere in between. */
static int raise_run(const turning *t, skl_span contact, skl_span run, int sign, double *turn) {
    const int64_t num = skl_span_frames(contact), count = skl_span_frames(run);
    double *feet = SKL_TAKE(t->arena, double, 9 * num), *outline = SKL_TAKE(t->arena, double, 9 * count);
    double *wanted = SKL_TAKE(t->arena, double, count), *rise = SKL_TAKE(t->arena, double, count);
    double *axes = SKL_TAKE(t->arena, double, 3 * count);
    if (t->arena->failed) return 0;
    /* Ever higher from frame to frame: a foot that does not turn at all counts as flat. */
    for (int64_t i = 0; i < count; i++) wanted[i] = UP + ROLLS_ON * (double)(run.first > 0 ? i : count - 1 - i);
    for (int clearly = 0; clearly < 2; clearly++) {
        double highest = -INFINITY;
        skl_turn_feet(num, turn + 3 * contact.first, t->roll->level->foot + 9 * contact.first, feet);
        skl_sole_outline(t->sole, t->roll->up, count, feet + 9 * run.first, outline);
        for (int64_t i = 0; i < count; i++) {
            rise[i] = sign * pitch(t, outline, count, i, axes + 3 * i);
            highest = fmax(highest, rise[i]);
        }
        for (int64_t i = 0; i < count; i++) {
            if (clearly && highest < CLEARLY_UP) wanted[i] += CLEARLY_UP * bump(i, run, num, t->roll->window);
            const double missing = asin(fmin(wanted[i], 1.0)) - asin(fmin(fmax(rise[i], -1.0), 1.0));
            if (!(missing > 0.0)) continue;
            double more[3], *own = turn + 3 * (contact.first + run.first + i);
            skl_m3 a, b, whole;
            for (int k = 0; k < 3; k++) more[k] = sign * missing * axes[3 * i + k];
            skl_turn_matrices(1, more, a);
            skl_turn_matrices(1, own, b);
            skl_m3_multiply(a, b, whole);
            skl_turn_vectors(1, whole, own);
        }
    }
    return 1;
}

/* Turn a foot in one contact so that toes or heel are up where it is to stand on the other. */
static int roll_contact(const turning *t, skl_span contact, double *turn) {
    uint8_t *flags = SKL_TAKE(t->arena, uint8_t, skl_span_frames(contact));
    if (!flags) return 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        skl_span run;
        for (int64_t f = 0; f < skl_span_frames(contact); f++) flags[f] = t->roll->given[contact.first + f] == sign;
        for (int64_t from = 0; skl_next_run(flags, skl_span_frames(contact), from, &run); from = run.last + 1)
            if (!raise_run(t, contact, run, sign, turn)) return 0;
    }
    return 1;
}

/* Take the slower fade between turned spans and the ones before and after. */
static void take_slow(skl_spans spans, const uint8_t *turned, int64_t num, const double *slow, double *out) {
    for (int64_t k = 0; k <= spans.count; k++) {
        if (!(k > 0 && turned[spans.at[k - 1].first]) && !(k < spans.count && turned[spans.at[k].first])) continue;
        const int64_t first = k > 0 ? spans.at[k - 1].last + 1 : 0, end = k < spans.count ? spans.at[k].first : num;
        if (end > first) memcpy(out + 3 * first, slow + 3 * first, (size_t)(end - first) * 3 * sizeof *out);
    }
}

/* Turn the contacts in which frames are forced, and leave the others as they are held. */
static int turn_forced(const turning *t, const skl_hold *own, const uint8_t *forced, skl_hold *out) {
    const skl_given_roll *roll = t->roll;
    skl_spans turned = room_for_spans(t), held = room_for_spans(t), spans = room_for_spans(t), flat;
    const size_t size = (size_t)t->num * 3 * sizeof(double);
    double *turn = SKL_TAKE(t->arena, double, 3 * t->num), *eased = SKL_TAKE(t->arena, double, 3 * t->num);
    double *slow = SKL_TAKE(t->arena, double, 3 * t->num);
    out->turn = SKL_TAKE(t->arena, double, 3 * t->num);
    if (t->arena->failed || !flat_pieces(t, own, forced, &flat)) return 0;
    for (int64_t i = 0; i < roll->contacts.count; i++)
        if (any_in(forced, roll->contacts.at[i])) turned.at[turned.count++] = roll->contacts.at[i];
    const uint8_t *there = mask_of(t, turned), *in_flat = mask_of(t, flat);
    if (t->arena->failed) return 0;
    memcpy(turn, own->turn, size);
    for (int64_t i = 0; i < flat.count; i++) {
        held.at[held.count++] = flat.at[i];
        if (!hold_piece(t, own, flat.at[i], turn)) return 0;
    }
    add_all_runs(&held, own->spans, in_flat, 0);
    sort_spans(held);
    if (!fade(t, turn, held, roll->window, eased)) return 0;
    for (int64_t i = 0; i < turned.count; i++)
        if (!roll_contact(t, turned.at[i], eased)) return 0;
    /* Contacts that are not turned keep what they are held by; around the others it takes longer to fade. */
    for (int64_t f = 0; f < t->num; f++)
        if (there[f]) memcpy(turn + 3 * f, eased + 3 * f, 3 * sizeof *turn);
    for (int64_t i = 0; i < turned.count; i++) spans.at[spans.count++] = turned.at[i];
    add_all_runs(&spans, held, there, 0);
    sort_spans(spans);
    if (!fade(t, turn, spans, roll->held_window, out->turn) || !fade(t, turn, spans, roll->window, slow)) return 0;
    take_slow(spans, there, t->num, slow, out->turn);
    out->spans = held;
    return 1;
}

/* Choose the contacts with wrong frames that were not chosen yet; returns whether there are such. */
static int choose(const skl_given_roll *roll, const uint8_t *wrong, uint8_t *chosen) {
    int new = 0;
    for (int64_t i = 0; i < roll->contacts.count; i++) {
        if (chosen[i] || !any_in(wrong, roll->contacts.at[i])) continue;
        chosen[i] = 1;
        new = 1;
    }
    return new;
}

int skl_roll_hold(const skl_given_roll *roll, const skl_sole *sole, const skl_hold *own, skl_arena *arena,
                  skl_hold *out) {
    const turning t = {roll, sole, arena, roll->track->num_frames};
    uint8_t *forced = SKL_ZEROS(arena, uint8_t, t.num), *wrong = SKL_TAKE(arena, uint8_t, t.num);
    uint8_t *chosen = SKL_ZEROS(arena, uint8_t, roll->contacts.count);
    skl_hold base = *own;
    *out = *own;
    if (arena->failed) return 0;
    for (int round = 0; round < ROLL_ROUNDS && !skl_stopped(); round++) {
        int any = 0;
        if (!skl_roll_wrong(roll, sole, out->turn, arena, wrong)) return 0;
        for (int64_t f = 0; f < t.num; f++) any |= wrong[f] = wrong[f] && !forced[f];
        if (!any) break;
        if (choose(roll, wrong, chosen)) {
            if (!hold_where_flat(&t, own, chosen, &base)) return 0;
            *out = base;
            memset(forced, 0, (size_t)t.num);
        } else {
            for (int64_t f = 0; f < t.num; f++) forced[f] |= wrong[f];
            if (!turn_forced(&t, &base, forced, out)) return 0;
        }
    }
    return 1;
}
