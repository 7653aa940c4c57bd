/* SPDX-License-Identifier: MIT */
#include "paths_problem.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bound that is broken by one length (or length/s^2) for one second costs this: then the others are kept. */
static const double REACH_FORCE = 1e7, FLOOR_FORCE = 1e7, BODY_FORCE = 1e6;
static const double FAR_AWAY = 0.1, FAR_BELOW = 0.8; /* lengths; of the greatest acceleration */
static const double NEAREST = 1e-9;                  /* lengths: what is nearer has no direction */
static const double DEGREE = 3.14159265358979323846 / 180;
static const double BENT = 4; /* degrees: a straighter knee counts as bent so far in how fast it opens */

static const double STENCIL[3] = {1, -2, 1};

static int64_t at(const skl_paths_problem *p, int64_t frame, int64_t part) { return frame * p->parts + part; }

static int is_free(const skl_paths_problem *p, int64_t frame) { return p->job->free[frame]; }

/* Whether the second difference around a frame can change. */
static int bends(const skl_paths_problem *p, int64_t frame) {
    if (frame < 1 || frame + 1 >= p->frames) return 0;
    return is_free(p, frame - 1) || is_free(p, frame) || is_free(p, frame + 1);
}

/* A sum of places, each by a factor: of every number of theirs apart, or, where it is a form, of one way per place. */
typedef struct sum {
    int count;
    int64_t place[6];
    double by[6];
    const double *way[6]; /* of a form; NULL else */
    double beside;        /* taken off a form */
} sum;

static void add_to(sum *s, int64_t place, double by, const double *way) {
    s->place[s->count] = place;
    s->way[s->count] = way;
    s->by[s->count++] = by;
}

/* A place in a frame, or its second difference; relative to the body if asked. */
static sum offset_of(const skl_paths_problem *p, int64_t frame, int64_t part, int second, int relative) {
    sum out = {.count = 0};
    for (int i = 0; i < (second ? 3 : 1); i++) {
        const int64_t f = second ? frame + i - 1 : frame;
        const double by = second ? STENCIL[i] * p->rate2 : 1;
        add_to(&out, at(p, f, part), by, NULL);
        if (relative) add_to(&out, at(p, f, 0), -by, NULL);
    }
    return out;
}

/* The change of a knee's flexion beside what is wanted, or its second difference. */
static sum flexion_of(const skl_paths_problem *p, int64_t frame, int64_t leg, int second) {
    sum out = {.count = 0};
    for (int i = 0; i < (second ? 3 : 1); i++) {
        const int64_t f = second ? frame + i - 1 : frame;
        const double by = second ? STENCIL[i] * p->rate2 : 1, *const knee = p->knee + 4 * (f * p->job->num_legs + leg);
        add_to(&out, at(p, f, 0), by, knee);
        add_to(&out, at(p, f, leg + 1), -by, knee);
        out.beside += by * knee[3];
    }
    return out;
}

/* Add to the band the product of two unknowns, once. */
static void add_entry(const skl_paths_problem *p, int64_t i, int64_t j, double value) {
    const int64_t column = i < j ? i : j, row = i < j ? j : i;
    p->band[p->start[column] + row - column] += value;
}

/* Add the square of a sum of places to the quadratic. */
static void add_places(const skl_paths_problem *p, const sum *s, double weight) {
    double held[3] = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        for (int d = 0; d < p->dims; d++) held[d] += s->by[i] * p->known[3 * s->place[i] + d];
    for (int i = 0; i < s->count; i++) {
        const int64_t a = p->place[s->place[i]];
        if (a < 0) continue;
        for (int d = 0; d < p->dims; d++) p->linear[a + d] += weight * s->by[i] * held[d];
        for (int j = 0; j <= i; j++) {
            const int64_t b = p->place[s->place[j]];
            for (int d = 0; b >= 0 && d < p->dims; d++) add_entry(p, a + d, b + d, weight * s->by[i] * s->by[j]);
        }
    }
}

/* Add the square of a form to the quadratic. */
static void add_form(const skl_paths_problem *p, const sum *s, double weight) {
    double held = -s->beside;
    for (int i = 0; i < s->count; i++)
        for (int d = 0; d < p->dims; d++) held += s->by[i] * s->way[i][d] * p->known[3 * s->place[i] + d];
    for (int i = 0; i < s->count; i++) {
        const int64_t a = p->place[s->place[i]];
        for (int d = 0; a >= 0 && d < p->dims; d++) {
            const double slope = weight * s->by[i] * s->way[i][d];
            p->linear[a + d] += slope * held;
            for (int j = 0; j < i; j++) {
                const int64_t b = p->place[s->place[j]];
                for (int e = 0; b >= 0 && e < p->dims; e++) add_entry(p, a + d, b + e, slope * s->by[j] * s->way[j][e]);
            }
            for (int e = 0; e <= d; e++) add_entry(p, a + d, a + e, slope * s->by[i] * s->way[i][e]);
        }
    }
}

/* What the square of a sum counts. */
static double weight_of(const skl_paths_problem *p, int64_t part, int second, int relative) {
    const skl_path_weights *const w = &p->job->weights;
    return p->job->frame_time * (second ? 1 : w->spring) * (part == 0 ? w->body : relative ? 1 : w->ankle);
}

static double flexion_weight(const skl_paths_problem *p, int second) {
    return p->job->frame_time * (second ? p->job->weights.flexion_jerk : p->job->weights.flexion);
}

static void add_frame(const skl_paths_problem *p, int64_t frame) {
    for (int second = 0; second < 2; second++) {
        if (second ? !bends(p, frame) : !is_free(p, frame)) continue;
        for (int64_t part = 0; part < p->parts; part++)
            for (int relative = part > 0; relative >= 0; relative--) {
                const sum s = offset_of(p, frame, part, second, relative);
                add_places(p, &s, weight_of(p, part, second, relative));
            }
        for (int64_t leg = 0; leg < p->job->num_legs; leg++) {
            const sum s = flexion_of(p, frame, leg, second);
            add_form(p, &s, flexion_weight(p, second));
        }
    }
}

static double number_of(const skl_paths_problem *p, const double *unknowns, int64_t place, int d) {
    const int64_t a = p->place[place];
    return a < 0 ? p->known[3 * place + d] : unknowns[a + d];
}

double skl_paths_objective(const skl_paths_problem *p, const double *unknowns) {
    double total = 0;
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int second = 0; second < 2; second++) {
            if (second ? !bends(p, f) : !is_free(p, f)) continue;
            for (int64_t part = 0; part < p->parts; part++)
                for (int relative = part > 0; relative >= 0; relative--) {
                    const sum s = offset_of(p, f, part, second, relative);
                    for (int d = 0; d < p->dims; d++) {
                        double value = 0;
                        for (int i = 0; i < s.count; i++) value += s.by[i] * number_of(p, unknowns, s.place[i], d);
                        total += weight_of(p, part, second, relative) * value * value;
                    }
                }
            for (int64_t leg = 0; leg < p->job->num_legs; leg++) {
                const sum s = flexion_of(p, f, leg, second);
                double value = -s.beside;
                for (int i = 0; i < s.count; i++)
                    for (int d = 0; d < p->dims; d++)
                        value += s.by[i] * s.way[i][d] * number_of(p, unknowns, s.place[i], d);
                total += flexion_weight(p, second) * value * value;
            }
        }
    return total;
}

/* Let a bound's slope have a place, if that is unknown. */
static void slope_at(const skl_paths_problem *p, skl_path_bound *bound, int64_t place, double factor) {
    if (p->place[place] < 0) return;
    bound->index[bound->count] = p->place[place];
    bound->factor[bound->count++] = factor;
}

/* No leg longer than its reach. */
static void reach_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, int64_t leg,
                        skl_path_bound *out) {
    const skl_path_leg *const l = p->job->legs + leg;
    const int64_t body = at(p, f, 0), ankle = at(p, f, leg + 1);
    slope_at(p, out, body, 1);
    slope_at(p, out, ankle, -1);
    if (!out->count) return;
    double way[3];
    for (int i = 0; i < 3; i++) way[i] = (l->hip[3 * f + i] - l->ankle[3 * f + i]) / p->job->length;
    for (int d = 0; d < p->dims; d++) {
        const double by = number_of(p, unknowns, body, d) - number_of(p, unknowns, ankle, d);
        for (int i = 0; i < 3; i++) way[i] += p->basis[d][i] * by;
    }
    const double far = fmax(sqrt(skl_v3_dot(way, way)), NEAREST);
    out->value = far - l->reach[f] / p->job->length;
    out->most = p->job->frame_time * REACH_FORCE;
    out->curvature = 1 / far;
    for (int d = 0; d < p->dims; d++) out->way[d] = skl_v3_dot(p->basis[d], way) / far;
}

/* No ankle below where its sole touches the ground. */
static void floor_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, int64_t leg,
                        skl_path_bound *out) {
    const double lowest = p->job->legs[leg].lowest[f];
    const int64_t ankle = at(p, f, leg + 1);
    if (!isfinite(lowest)) return;
    slope_at(p, out, ankle, -1);
    if (!out->count) return;
    out->value = lowest / p->job->length;
    out->most = p->job->frame_time * FLOOR_FORCE;
    out->curvature = 0;
    for (int d = 0; d < p->dims; d++) {
        out->way[d] = skl_v3_dot(p->basis[d], p->job->up);
        out->value -= number_of(p, unknowns, ankle, d) * out->way[d];
    }
}

/* No more added acceleration of the body than it may have. */
static void body_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, skl_path_bound *out) {
    double way[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        slope_at(p, out, at(p, f + i - 1, 0), STENCIL[i] * p->rate2);
        for (int d = 0; d < p->dims; d++)
            way[d] += STENCIL[i] * p->rate2 * number_of(p, unknowns, at(p, f + i - 1, 0), d);
    }
    const double far = fmax(sqrt(skl_v3_dot(way, way)), NEAREST);
    out->value = far - p->job->weights.acceleration;
    out->most = p->job->frame_time * BODY_FORCE;
    out->curvature = 1 / far;
    for (int d = 0; d < p->dims; d++) out->way[d] = way[d] / far;
}

int64_t skl_paths_bounds(const skl_paths_problem *p, const double *unknowns, const uint8_t *awake,
                         skl_path_bound *out) {
    const int64_t legs = p->job->num_legs;
    skl_path_bound *next = out;
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int64_t k = 0; k <= 2 * legs; k++) {
            next->count = 0;
            next->number = f * (2 * legs + 1) + k;
            if (k == 2 * legs) {
                if (p->job->body_moves && bends(p, f)) body_bound(p, unknowns, f, next);
            } else if (is_free(p, f)) {
                (k % 2 ? floor_bound : reach_bound)(p, unknowns, f, k / 2, next);
            }
            const double far = k == 2 * legs ? FAR_BELOW * p->job->weights.acceleration : FAR_AWAY;
            next += next->count > 0 && (awake[next->number] || next->value > -far);
        }
    return next - out;
}

/* The original's knee in a frame: how fast its flexion grows as hip and ankle come apart, along the line between. */
static void read_knee(const skl_paths_problem *p, int64_t f, const skl_path_leg *leg, double out[4]) {
    const double length = p->job->length, bones = leg->bones[f] / length;
    double way[3];
    skl_v3_minus(leg->hip + 3 * f, leg->ankle + 3 * f, way);
    const double far = sqrt(skl_v3_dot(way, way)), d = far / length;
    const double cosine = bones > 0 && d < bones ? d / bones : 1;
    const double sine = fmax(sqrt(1 - cosine * cosine), sin(BENT * DEGREE));
    const double g = bones > 0 && far > 0 ? 2 / (bones * sine) : 0;
    memset(out, 0, 4 * sizeof(double));
    for (int i = 0; i < p->dims; i++) out[i] = far > 0 ? g * skl_v3_dot(p->basis[i], way) / far : 0;
    out[3] = leg->flexion[f] < 0 && d < bones ? g * (bones - d) : 0;
}

static void read_frame(skl_paths_problem *p, int64_t f) {
    const skl_smooth_paths_job *const job = p->job;
    for (int64_t part = 0; part < p->parts; part++) {
        const int64_t i = at(p, f, part);
        const skl_path_leg *const leg = part ? job->legs + part - 1 : NULL;
        const int moves = job->free[f] && (leg ? !leg->stands[f] : job->body_moves);
        p->place[i] = moves ? p->size : -1;
        if (moves) p->size += p->dims;
        if (!leg || !job->free[f] || !leg->stands[f]) continue;
        for (int d = 0; d < p->dims; d++)
            p->known[3 * i + d] = skl_v3_dot(p->basis[d], leg->held + 3 * f) / job->length;
    }
    for (int64_t k = 0; k < job->num_legs; k++) read_knee(p, f, job->legs + k, p->knee + 4 * (f * job->num_legs + k));
}

/* Unknowns meet those of their frame and of the two that follow. */
static void read_columns(skl_paths_problem *p) {
    int64_t start = 0;
    for (int64_t f = 0; f < p->frames; f++) {
        const int64_t end = p->first[f + 3 < p->frames ? f + 3 : p->frames];
        for (int64_t unknown = p->first[f]; unknown < p->first[f + 1]; unknown++) {
            p->start[unknown] = start;
            start += end - unknown;
        }
    }
    p->start[p->size] = start;
}

static void *zeros(int64_t count, size_t size) { return calloc((size_t)(count > 0 ? count : 1), size); }

int skl_paths_open(skl_paths_problem *p, const skl_smooth_paths_job *job) {
    const int64_t frames = job->num_frames, parts = job->num_legs + 1;
    const double rate = 1 / job->frame_time;
    *p = (skl_paths_problem){.job = job, .frames = frames, .parts = parts, .rate2 = rate * rate};
    p->dims = job->heights_only ? 1 : 3;
    for (int d = 0; d < p->dims; d++)
        for (int i = 0; i < 3; i++) p->basis[d][i] = job->heights_only ? job->up[i] : i == d;
    p->numbers = frames * (2 * job->num_legs + 1);
    p->place = zeros(frames * parts, sizeof *p->place);
    p->known = zeros(3 * frames * parts, sizeof *p->known);
    p->knee = zeros(4 * frames * job->num_legs, sizeof *p->knee);
    p->first = zeros(frames + 1, sizeof *p->first);
    if (!p->place || !p->known || !p->knee || !p->first) return 0;
    for (int64_t f = 0; f < frames; f++) {
        read_frame(p, f);
        p->first[f + 1] = p->size;
    }
    p->start = zeros(p->size + 1, sizeof *p->start);
    p->linear = zeros(p->size, sizeof *p->linear);
    if (!p->start || !p->linear) return 0;
    read_columns(p);
    if (!(p->band = zeros(p->start[p->size], sizeof *p->band))) return 0;
    for (int64_t f = 0; f < frames && skl_goes_on(f); f++) add_frame(p, f);
    return 1;
}

void skl_paths_close(skl_paths_problem *p) {
    free(p->place);
    free(p->first);
    free(p->start);
    free(p->known);
    free(p->knee);
    free(p->band);
    free(p->linear);
}

void skl_paths_write(const skl_paths_problem *p, const double *unknowns) {
    const skl_smooth_paths_job *const job = p->job;
    for (int64_t f = 0; f < p->frames; f++)
        for (int64_t part = 0; part < p->parts; part++) {
            double *const out = (part ? job->legs[part - 1].offset : job->body) + 3 * f;
            const int64_t place = at(p, f, part);
            if (part && p->place[place] < 0 && job->free[f] && job->legs[part - 1].stands[f]) {
                memcpy(out, job->legs[part - 1].held + 3 * f, 3 * sizeof(double));
                continue;
            }
            out[0] = out[1] = out[2] = 0;
            for (int d = 0; d < p->dims; d++)
                for (int i = 0; i < 3; i++) out[i] += p->basis[d][i] * number_of(p, unknowns, place, d) * job->length;
        }
}
