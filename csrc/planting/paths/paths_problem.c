/* SPDX-License-Identifier: MIT */
#include "paths_problem.h"

#include "core/base/stop.h"
#include "kernels/planting/banded.h"
#include "core/transforms/vector3.h"
#include "path_constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STENCIL[3] = {1, -2, 1};

static int64_t at(const skl_paths_problem *p, int64_t frame, int64_t part) { return frame * p->parts + part; }

static int is_free(const skl_paths_problem *p, int64_t frame) { return p->job->free[frame]; }

/* Where the calm part of a leg's change is: its place, and which of the numbers there. */
static int64_t calm_at(const skl_paths_problem *p, int64_t frame, int64_t leg) {
    return at(p, frame, 1 + p->job->num_legs + leg / p->dims);
}
static int calm_index(const skl_paths_problem *p, int64_t leg) { return (int)(leg % p->dims); }

enum { PER_KNEE = 5 }; /* numbers of `knee` for a leg in a frame */

static const double *knee_of(const skl_paths_problem *p, int64_t frame, int64_t leg) {
    return p->knee + PER_KNEE * (frame * p->job->num_legs + leg);
}

/* Whether there is a second difference around a frame, and it can change. */
static int bends(const skl_paths_problem *p, int64_t frame) {
    const uint8_t *const cuts = p->job->cuts;
    if (frame < 1 || frame + 1 >= p->frames || (cuts && (cuts[frame] || cuts[frame + 1]))) return 0;
    return is_free(p, frame - 1) || is_free(p, frame) || is_free(p, frame + 1);
}

/* How what is in frame f meets what is in frame g, f <= g <= f + 2, in squares of second differences, and of values. */
typedef struct meeting {
    double bends, values;
} meeting;

static meeting meeting_of(const skl_paths_problem *p, int64_t f, int64_t g) {
    double sum = 0;
    for (int64_t middle = g - 1; middle <= f + 1; middle++)
        if (bends(p, middle)) sum += STENCIL[f - middle + 1] * STENCIL[g - middle + 1];
    const double time = p->job->frame_time;
    return (meeting){time * p->rate2 * p->rate2 * sum, f == g && is_free(p, f) ? time : 0};
}

/* Two places of so many numbers, a <= b, meet by a block of the quadratic; what is known of them counts in the slope.
 */
static inline void add_numbers(const skl_paths_problem *p, int64_t a, int64_t b, double block[3][3], const int dims) {
    const int64_t first = p->place[a], second = p->place[b];
    for (int d = 0; first >= 0 && d < dims; d++) {
        double *const row = second < 0 ? NULL : p->band + p->start[first + d] + second - first;
        for (int e = row && a == b ? d : 0; e < dims; e++) {
            if (row)
                row[e] += block[d][e];
            else
                p->linear[first + d] += block[d][e] * p->known[3 * b + e];
        }
    }
    for (int d = 0; first < 0 && second >= 0 && d < dims; d++)
        for (int e = 0; e < dims; e++) p->linear[second + e] += block[d][e] * p->known[3 * a + d];
}

/* Loops of a known length are unrolled. */
static void add_block(const skl_paths_problem *p, int64_t a, int64_t b, double block[3][3]) {
    if (p->dims == 3)
        add_numbers(p, a, b, block, 3);
    else
        add_numbers(p, a, b, block, 1);
}

/* A flexion that is wanted, and a calm part, pull at a place along the knee's path. */
static void add_pull(const skl_paths_problem *p, int64_t place, double wanted, int64_t calm, double by,
                     const double *knee) {
    const int64_t first = p->place[place];
    for (int d = 0; first >= 0 && d < p->dims; d++) {
        p->linear[first + d] += wanted * knee[d];
        if (calm >= 0) p->band[p->start[first + d] + calm - first] += by * knee[d];
    }
}

/* The flexion of a leg is of b - o, and its calm part is near it. */
static void add_knee(const skl_paths_problem *p, int64_t f, int64_t leg, double time, double both) {
    const double *const knee = knee_of(p, f, leg);
    const double split = time * knee[4];
    const int64_t calm = p->place[calm_at(p, f, leg)] + calm_index(p, leg);
    add_pull(p, at(p, f, 0), -both * knee[3], calm, -split, knee);
    add_pull(p, at(p, f, leg + 1), both * knee[3], calm, split, knee);
    /* What is known of an ankle that stands pulls at the calm part alone. */
    double held = knee[3];
    for (int part = 0; part < 2; part++) {
        const int64_t place = at(p, f, part ? leg + 1 : 0);
        for (int d = 0; p->place[place] < 0 && d < p->dims; d++)
            held += (part ? 1 : -1) * knee[d] * p->known[3 * place + d];
    }
    p->linear[calm] += split * held;
}

/* How the calm parts of a leg in two frames meet; in one frame it is near to the flexion, too. */
static void add_calm(const skl_paths_problem *p, int64_t f, int64_t g, int64_t leg, double by) {
    const int64_t at_f = calm_at(p, f, leg), at_g = calm_at(p, g, leg), first = p->place[at_f], second = p->place[at_g];
    const int number = calm_index(p, leg);
    if (first >= 0 && second >= 0)
        p->band[p->start[first + number] + second - first + number] += by;
    else if (first >= 0)
        p->linear[first + number] += by * p->known[3 * at_g + number];
    else if (second >= 0)
        p->linear[second + number] += by * p->known[3 * at_f + number];
}

/* A leg's share: its flexion and its offset from the body are of b - o, the rest is of o alone. `body` takes b's. */
static void add_leg(const skl_paths_problem *p, int64_t f, int64_t g, int64_t leg, meeting m, double body[3][3]) {
    const skl_path_weights *const w = &p->job->weights;
    const double *const knee = knee_of(p, f, leg);
    const double flexion = (w->flexion + knee[4]) * m.values, offset = m.bends + w->spring * m.values;
    double against[3][3], ankle[3][3];
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 3; e++) {
            const double both = flexion * knee[d] * knee[e] + (d == e ? offset : 0);
            body[d][e] += both;
            against[d][e] = -both;
            ankle[d][e] = both + (d == e ? w->ankle * offset : 0);
        }
    add_block(p, at(p, f, 0), at(p, g, leg + 1), against);
    add_block(p, at(p, f, leg + 1), at(p, g, leg + 1), ankle);
    if (f != g) add_block(p, at(p, f, leg + 1), at(p, g, 0), against);
    if (m.values > 0) add_knee(p, f, leg, m.values, flexion);
    add_calm(p, f, g, leg, w->flexion_jerk * m.bends + knee[4] * m.values);
}

/* Numbers of places that no calm part needs stay 0. */
static void hold_spare(const skl_paths_problem *p, int64_t f) {
    for (int64_t leg = p->job->num_legs; is_free(p, f) && leg % p->dims; leg++) {
        const int number = calm_index(p, leg);
        p->band[p->start[p->place[calm_at(p, f, leg)] + number] + number] = 1;
    }
}

static void add_frames(const skl_paths_problem *p, int64_t f, int64_t g) {
    const meeting m = meeting_of(p, f, g);
    if (m.bends == 0 && m.values == 0) return;
    const double own = p->job->weights.body * (m.bends + p->job->weights.spring * m.values);
    double body[3][3] = {{own, 0, 0}, {0, own, 0}, {0, 0, own}};
    for (int64_t leg = 0; leg < p->job->num_legs; leg++) add_leg(p, f, g, leg, m, body);
    add_block(p, at(p, f, 0), at(p, g, 0), body);
    if (f == g) hold_spare(p, f);
}

/* The numbers of a place. */
static const double *numbers_of(const skl_paths_problem *p, const double *unknowns, int64_t place) {
    return p->place[place] < 0 ? p->known + 3 * place : unknowns + p->place[place];
}

enum { FLEXION = 9, CALM, NOISE, TERMS };

/* What is squared of a leg in a frame: the body's shift (with the first leg), its offset, that from the body, the
 * change of flexion beside what is wanted, the calm part of it, and the rest. */
static void read_terms(const skl_paths_problem *p, const double *unknowns, int64_t f, int64_t leg, double out[TERMS]) {
    const double *const body = numbers_of(p, unknowns, at(p, f, 0));
    const double *const ankle = numbers_of(p, unknowns, at(p, f, leg + 1));
    const double *const knee = knee_of(p, f, leg);
    memset(out, 0, TERMS * sizeof *out);
    out[FLEXION] = -knee[3];
    for (int d = 0; d < p->dims; d++) {
        out[d] = leg ? 0 : body[d];
        out[3 + d] = ankle[d];
        out[6 + d] = ankle[d] - body[d];
        out[FLEXION] -= knee[d] * out[6 + d];
    }
    out[CALM] = numbers_of(p, unknowns, calm_at(p, f, leg))[calm_index(p, leg)];
    out[NOISE] = out[FLEXION] - out[CALM];
}

double skl_paths_objective(const skl_paths_problem *p, const double *unknowns) {
    const skl_path_weights *const w = &p->job->weights;
    const double by[FLEXION] = {w->body, w->body, w->body, w->ankle, w->ankle, w->ankle, 1, 1, 1};
    double total = 0, terms[3][TERMS];
    for (int64_t leg = 0; leg < p->job->num_legs; leg++)
        for (int64_t f = 0; f < p->frames; f++) {
            double *const now = terms[f % 3], *const before = terms[(f + 2) % 3], *const first = terms[(f + 1) % 3];
            const int bent = bends(p, f - 1), moves = is_free(p, f);
            read_terms(p, unknowns, f, leg, now);
            for (int i = 0; i < TERMS; i++) {
                const double bend = bent ? (now[i] - 2 * before[i] + first[i]) * p->rate2 : 0;
                const double value = moves ? now[i] : 0;
                if (i < FLEXION)
                    total += by[i] * (bend * bend + w->spring * value * value);
                else if (i == CALM)
                    total += w->flexion_jerk * bend * bend;
                else
                    total += (i == NOISE ? knee_of(p, f, leg)[4] : w->flexion) * value * value;
            }
        }
    return p->job->frame_time * total;
}

/* Let a bound's slope have a place, if that is unknown. */
static void slope_at(const skl_paths_problem *p, skl_path_bound *bound, int64_t place, double factor) {
    if (p->place[place] < 0) return;
    bound->index[bound->count] = p->place[place];
    bound->factor[bound->count++] = factor;
}

/* The length of `direction` is to be at most so much; returns whether it is at least `near`. */
static int length_bound(const skl_paths_problem *p, const double direction[3], double most, double near,
                        skl_path_bound *out) {
    const double square = skl_v3_dot(direction, direction);
    if (square < near * near) return 0;
    const double far = fmax(sqrt(square), NEAREST);
    out->value = far - most;
    out->curvature = 1 / far;
    for (int d = 0; d < p->dims; d++)
        out->direction[d] = (p->dims == 3 ? direction[d] : skl_v3_dot(p->basis[d], direction)) / far;
    return 1;
}

/* Add so much of a place's numbers to a vector in space. */
static inline void add_scaled(const skl_paths_problem *p, double by, const double *numbers, double direction[3]) {
    for (int i = 0; i < 3; i++) direction[i] += p->dims == 3 ? by * numbers[i] : p->basis[0][i] * by * numbers[0];
}

/* No leg longer than its reach. Each of these returns whether there is a bound, and it is awake or near. */
static int reach_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, int64_t leg, int awake,
                       skl_path_bound *out) {
    const int64_t body = at(p, f, 0), ankle = at(p, f, leg + 1);
    const double *const hip_by = numbers_of(p, unknowns, body), *const ankle_by = numbers_of(p, unknowns, ankle);
    const double *const far = p->reach + 4 * (f * p->job->num_legs + leg);
    double direction[3] = {far[0], far[1], far[2]}, apart[3];
    for (int d = 0; d < p->dims; d++) apart[d] = hip_by[d] - ankle_by[d];
    add_scaled(p, 1, apart, direction);
    if (!length_bound(p, direction, far[3], awake ? 0 : fmax(far[3] - BOUND_FAR, 0), out)) return 0;
    slope_at(p, out, body, 1);
    slope_at(p, out, ankle, -1);
    out->most = p->job->frame_time * REACH_FORCE;
    return out->count > 0;
}

/* No ankle below where its sole touches the ground. */
static int floor_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, int64_t leg, int awake,
                       skl_path_bound *out) {
    const int64_t ankle = at(p, f, leg + 1);
    if (p->place[ankle] < 0) return 0;
    out->value = p->job->legs[leg].lowest[f] / p->job->length;
    out->most = p->job->frame_time * FLOOR_FORCE;
    out->curvature = 0;
    slope_at(p, out, ankle, -1);
    for (int d = 0; d < p->dims; d++) {
        out->direction[d] = p->dims == 3 ? p->job->up[d] : skl_v3_dot(p->basis[d], p->job->up);
        out->value -= numbers_of(p, unknowns, ankle)[d] * out->direction[d];
    }
    return awake || out->value > -BOUND_FAR;
}

/* No more added acceleration of the body than it may have. */
static int body_bound(const skl_paths_problem *p, const double *unknowns, int64_t f, int awake, skl_path_bound *out) {
    const double most = p->job->weights.acceleration;
    double direction[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        const int64_t body = at(p, f + i - 1, 0);
        slope_at(p, out, body, STENCIL[i] * p->rate2);
        add_scaled(p, STENCIL[i] * p->rate2, numbers_of(p, unknowns, body), direction);
    }
    out->most = p->job->frame_time * BODY_FORCE / p->rate2;
    return length_bound(p, direction, most, awake ? 0 : BODY_FAR * most, out);
}

int64_t skl_paths_bounds(const skl_paths_problem *p, const double *unknowns, const int64_t *awake,
                         skl_path_bound *out) {
    const int64_t legs = p->job->num_legs;
    skl_path_bound *next = out;
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int64_t k = 0; k <= 2 * legs; k++) {
            next->count = 0;
            next->number = f * p->per_frame + k;
            const int up = awake[next->number] != 0;
            int counts = 0;
            if (k == 2 * legs)
                counts = p->job->body_moves && bends(p, f) && body_bound(p, unknowns, f, up, next);
            else if (is_free(p, f))
                counts =
                    k % 2 ? floor_bound(p, unknowns, f, k / 2, up, next) : reach_bound(p, unknowns, f, k / 2, up, next);
            next += counts;
        }
    return next - out;
}

/* What noise in a knee's change costs. A knee that is nearly straight opens faster than its change is taken to, so that
 * it shakes more; where the capture itself shakes, there is nothing to keep calm. */
static double noise_weight(const skl_paths_problem *p, double sine, const double direction[3], const double *line) {
    const double steeper = fmax(sine, sin(LEAST_OPENING * SKL_DEGREE)) / fmax(sine, sin(LEAST_SHAKING * SKL_DEGREE));
    const double shakes = skl_v3_distance(direction, line) / p->job->length / SHAKES;
    return p->job->weights.split * (1 + (steeper * steeper - 1) / (1 + shakes * shakes));
}

/* The original's leg in a frame; its knee: how fast flexion grows as hip and ankle come apart, along the line that has
 * no noise, what flexion is wanted to be, and what noise costs. */
static void read_leg(const skl_paths_problem *p, int64_t f, const skl_path_leg *leg, double reach[4],
                     double out[PER_KNEE]) {
    const double length = p->job->length, bones = leg->bones[f] / length;
    double direction[3];
    skl_v3_minus(leg->hip + 3 * f, leg->ankle + 3 * f, direction);
    for (int i = 0; i < 3; i++) reach[i] = direction[i] / length;
    reach[3] = leg->reach[f] / length;
    const double *const line = leg->line + 3 * f;
    const double d = skl_v3_length(direction) / length, far = skl_v3_length(line), calm = far / length;
    const double cosine = bones > 0 && calm < bones ? calm / bones : 1, sine = sqrt(1 - cosine * cosine);
    const double g = bones > 0 && far > 0 ? 2 / (bones * fmax(sine, sin(LEAST_OPENING * SKL_DEGREE))) : 0;
    memset(out, 0, PER_KNEE * sizeof *out);
    for (int i = 0; i < p->dims; i++) out[i] = far > 0 ? g * skl_v3_dot(p->basis[i], line) / far : 0;
    out[3] = leg->flexion[f] < 0 && d < bones ? g * (bones - d) : 0;
    out[4] = noise_weight(p, sine, direction, line);
}

/* Where nothing moves, the whole change of a knee counts as calm. */
static void read_calm(skl_paths_problem *p, int64_t f) {
    for (int64_t leg = 0; leg < p->job->num_legs; leg++)
        p->known[3 * calm_at(p, f, leg) + calm_index(p, leg)] = is_free(p, f) ? 0 : -knee_of(p, f, leg)[3];
}

static void read_frame(skl_paths_problem *p, int64_t f) {
    const skl_smooth_paths_job *const job = p->job;
    for (int64_t part = 0; part < p->parts; part++) {
        const int64_t i = at(p, f, part);
        const skl_path_leg *const leg = part && part <= job->num_legs ? job->legs + part - 1 : NULL;
        const int moves = job->free[f] && (leg ? !leg->stands[f] : part || job->body_moves);
        p->place[i] = moves ? p->size : -1;
        if (moves) p->size += p->dims;
        const double *const known = leg ? (leg->stands[f] ? leg->held : NULL) : (part ? NULL : job->shift);
        if (!known || !job->free[f]) continue;
        for (int d = 0; d < p->dims; d++) p->known[3 * i + d] = skl_v3_dot(p->basis[d], known + 3 * f) / job->length;
    }
    for (int64_t k = 0; k < job->num_legs; k++) {
        const int64_t i = f * job->num_legs + k;
        read_leg(p, f, job->legs + k, p->reach + 4 * i, p->knee + PER_KNEE * i);
    }
    read_calm(p, f);
}

/* Unknowns meet those of their frame and of the two that follow. */
static void read_columns(skl_paths_problem *p) {
    int64_t start = 0;
    for (int64_t f = 0; f < p->frames; f++) {
        const int64_t end = p->first[f + 3 < p->frames ? f + 3 : p->frames];
        for (int64_t unknown = p->first[f]; unknown < p->first[f + 1]; unknown++) {
            p->start[unknown] = start;
            start += end - (unknown - unknown % p->dims) + SKL_BANDED_ZEROS;
        }
    }
    p->start[p->size] = start;
}

static void *zeros(int64_t count, size_t size) { return calloc((size_t)(count > 0 ? count : 1), size); }

int skl_paths_open(skl_paths_problem *p, const skl_smooth_paths_job *job) {
    const int dims = job->heights_only ? 1 : 3;
    const int64_t frames = job->num_frames, parts = 1 + job->num_legs + (job->num_legs + dims - 1) / dims;
    const double rate = 1 / job->frame_time;
    *p = (skl_paths_problem){.job = job, .frames = frames, .parts = parts, .dims = dims, .rate2 = rate * rate};
    for (int d = 0; d < p->dims; d++)
        for (int i = 0; i < 3; i++) p->basis[d][i] = job->heights_only ? job->up[i] : i == d;
    p->per_frame = 2 * job->num_legs + 1;
    p->numbers = frames * p->per_frame;
    p->place = zeros(frames * parts, sizeof *p->place);
    p->known = zeros(3 * frames * parts, sizeof *p->known);
    p->knee = zeros(PER_KNEE * frames * job->num_legs, sizeof *p->knee);
    p->reach = zeros(4 * frames * job->num_legs, sizeof *p->reach);
    p->first = zeros(frames + 1, sizeof *p->first);
    if (!p->place || !p->known || !p->knee || !p->reach || !p->first) return 0;
    for (int64_t f = 0; f < frames; f++) {
        read_frame(p, f);
        p->first[f + 1] = p->size;
    }
    p->start = zeros(p->size + 1, sizeof *p->start);
    p->linear = zeros(p->size, sizeof *p->linear);
    if (!p->start || !p->linear) return 0;
    read_columns(p);
    if (!(p->band = zeros(p->start[p->size], sizeof *p->band))) return 0;
    for (int64_t f = 0; f < frames && skl_goes_on(f); f++)
        for (int64_t g = f; g < f + 3 && g < frames; g++) add_frames(p, f, g);
    return 1;
}

void skl_paths_close(skl_paths_problem *p) {
    free(p->place);
    free(p->first);
    free(p->start);
    free(p->known);
    free(p->knee);
    free(p->reach);
    free(p->band);
    free(p->linear);
}

/* What was found before in a frame: the numbers of its places, then the forces of its bounds. */
static double *before_of(const skl_paths_problem *p, int64_t frame) {
    return p->job->before + frame * SKL_PATHS_BEFORE(p->job->num_legs);
}

double *skl_paths_force(const skl_paths_problem *p, int64_t number) {
    return before_of(p, number / p->per_frame) + 3 * p->parts + number % p->per_frame;
}

int skl_paths_read(const skl_paths_problem *p, double *unknowns) {
    int any = 0;
    for (int64_t place = 0; p->job->before && place < p->frames * p->parts; place++) {
        const double *const numbers = before_of(p, place / p->parts) + 3 * (place % p->parts);
        for (int d = 0; p->place[place] >= 0 && d < p->dims; d++) {
            unknowns[p->place[place] + d] = numbers[d];
            any |= numbers[d] != 0;
        }
    }
    return any;
}

void skl_paths_write(const skl_paths_problem *p, const double *unknowns) {
    const skl_smooth_paths_job *const job = p->job;
    for (int64_t f = 0; f < p->frames; f++)
        for (int64_t part = 0; part < p->parts; part++) {
            const int64_t place = at(p, f, part);
            const double *const numbers = numbers_of(p, unknowns, place);
            for (int d = 0; job->before && d < p->dims; d++) before_of(p, f)[3 * part + d] = numbers[d];
            if (part > job->num_legs) continue;
            double *const out = (part ? job->legs[part - 1].offset : job->body) + 3 * f;
            if (part && p->place[place] < 0 && job->free[f] && job->legs[part - 1].stands[f]) {
                memcpy(out, job->legs[part - 1].held + 3 * f, 3 * sizeof(double));
                continue;
            }
            out[0] = out[1] = out[2] = 0;
            for (int d = 0; d < p->dims; d++)
                for (int i = 0; i < 3; i++) out[i] += p->basis[d][i] * numbers[d] * job->length;
        }
}
