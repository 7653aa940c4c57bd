/* SPDX-License-Identifier: MIT */
/* A primal-dual interior point method with predictor and corrector (Mehrotra, On the implementation of a primal-dual
 * interior point method, 1992), whose linear systems are banded. Bounds are elastic: beyond a force they give way. */
#include "smooth_paths.h"

#include "banded.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bound that is broken by one length (or length/s^2) for one second costs this: then the others are kept, and it is
 * not. */
static const double REACH_FORCE = 1e7, FLOOR_FORCE = 1e7, BODY_FORCE = 1e6;
/* Products of slacks and forces, per second, from which bounds are approached and at which they count as kept. */
static const double FIRST_GAP = 100, LAST_GAP = 1e-13;
static const double FIRST_SLACK = 0.01; /* lengths: at first no bound is nearer */
static const double STIFFEST = 1e7;     /* a bound pushes with all it may when broken by the inverse, at most */
static const double SAME = 1e-11;       /* lengths: places that differ by less are one */
static const double KEPT = 0.995;       /* of the way to where a slack or force would end */
static const int MOST_ROUNDS = 60;
static const double DEGREE = 3.14159265358979323846 / 180;
static const double BENT = 4; /* degrees: a straighter knee counts as bent so far in how fast it opens */

typedef struct paths {
    skl_smooth_paths_job *job;
    int64_t frames, parts; /* the body, then the legs' ankles */
    int dims;              /* numbers per place: three, or one along up */
    double basis[3][3];
    double rate2; /* 1 / h^2 */
    int64_t size, width;
    int64_t *place; /* frames x parts: where its unknowns begin, or -1 */
    double *x;                    /* frames x parts x 3: all offsets, known and not, in lengths */
    double *gradient, *step;      /* size */
    double *quadratic, *columns;  /* size x width */
    double *knee;                 /* frames x legs x 4: g v, and g (target - d) */
    int64_t bounds;               /* per frame: reach and floor of each leg, the body's acceleration */
    struct slack *slacks;         /* frames x bounds */
} paths;

/* A sum of places, each by a factor, whose square counts. */
typedef struct term {
    int count;
    int64_t place[6]; /* of `x`, without the 3 */
    double by[6];
} term;

static const double STENCIL[3] = {1, -2, 1};

static int64_t at(const paths *p, int64_t frame, int64_t part) { return frame * p->parts + part; }

/* A place's second difference, or that of `part` relative to the body. */
static term bend_of(const paths *p, int64_t frame, int64_t part, int relative) {
    term out = {.count = 0};
    for (int s = 0; s < 3; s++) {
        out.place[out.count] = at(p, frame + s - 1, part);
        out.by[out.count++] = STENCIL[s] * p->rate2;
        if (!relative) continue;
        out.place[out.count] = at(p, frame + s - 1, 0);
        out.by[out.count++] = -STENCIL[s] * p->rate2;
    }
    return out;
}

static term offset_of(const paths *p, int64_t frame, int64_t part, int relative) {
    term out = {.count = 1 + relative, .place = {at(p, frame, part), at(p, frame, 0)}, .by = {1, -1}};
    return out;
}

static void sum_of(const paths *p, const term *q, const double *x, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < q->count; i++)
        for (int d = 0; d < p->dims; d++) out[d] += q->by[i] * x[3 * q->place[i] + d];
}

static int is_free(const paths *p, int64_t frame) { return p->job->free[frame]; }

/* Whether the second difference around a frame can change. */
static int bends(const paths *p, int64_t frame) {
    if (frame < 1 || frame + 1 >= p->frames) return 0;
    return is_free(p, frame - 1) || is_free(p, frame) || is_free(p, frame + 1);
}

static int has_unknown(const paths *p, const term *q) {
    for (int i = 0; i < q->count; i++)
        if (p->place[q->place[i]] >= 0) return 1;
    return 0;
}

/* Do something with every square of places that counts in a frame, and its weight. */
typedef void (*visit_term)(paths *p, const term *q, double weight, void *to);

static void visit(paths *p, int64_t frame, int second, visit_term act, void *to) {
    const skl_path_weights *w = &p->job->weights;
    const double h = p->job->frame_time, factor = second ? h : h * w->spring;
    for (int64_t part = 0; part < p->parts; part++)
        for (int relative = part > 0; relative >= 0; relative--) {
            const double weight = part == 0 ? w->body : relative ? 1 : w->ankle;
            const term q = second ? bend_of(p, frame, part, relative) : offset_of(p, frame, part, relative);
            if (has_unknown(p, &q)) act(p, &q, factor * weight, to);
        }
}

static void visit_all(paths *p, visit_term act, void *to) {
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++) {
        if (is_free(p, f)) visit(p, f, 0, act, to);
        if (bends(p, f)) visit(p, f, 1, act, to);
    }
}

/* Add to the entry of two unknowns, once. */
static void add_entry(const paths *p, double *columns, int64_t i, int64_t j, double value) {
    const int64_t column = i < j ? i : j, row = i < j ? j : i;
    columns[column * p->width + row - column] += value;
}

static void add_square(paths *p, const term *q, double weight, void *to) {
    for (int i = 0; i < q->count; i++)
        for (int j = 0; j <= i; j++) {
            const int64_t a = p->place[q->place[i]], b = p->place[q->place[j]];
            if (a < 0 || b < 0) continue;
            const double value = weight * q->by[i] * q->by[j];
            for (int d = 0; d < p->dims; d++) add_entry(p, to, a + d, b + d, value);
        }
}

static void add_slope(paths *p, const term *q, double weight, void *to) {
    double sum[3];
    double *const gradient = to;
    sum_of(p, q, p->x, sum);
    for (int i = 0; i < q->count; i++) {
        const int64_t a = p->place[q->place[i]];
        for (int d = 0; a >= 0 && d < p->dims; d++) gradient[a + d] += weight * q->by[i] * sum[d];
    }
}

typedef struct merit {
    const double *x;
    double value;
} merit;

static void add_value(paths *p, const term *q, double weight, void *to) {
    merit *const m = to;
    double sum[3];
    sum_of(p, q, m->x, sum);
    m->value += weight * skl_v3_dot(sum, sum);
}

/* How a linear form over body and one ankle, in some frames, depends on each: the body by `by`, the ankle by -`by`
 * (or the body not at all). */
typedef struct form {
    int count, with_body;
    int64_t frame[3], part;
    double by[3][3];
} form;

static void add_form_to(const paths *p, const form *q, double weight, double value, double *gradient, double *columns) {
    int64_t index[6];
    double by[6][3];
    int n = 0;
    for (int i = 0; i < q->count; i++)
        for (int body = 0; body < 2; body++) {
            if (body ? !q->with_body : q->part == 0) continue;
            index[n] = p->place[at(p, q->frame[i], body ? 0 : q->part)];
            if (index[n] < 0) continue;
            for (int d = 0; d < p->dims; d++) by[n][d] = body ? q->by[i][d] : -q->by[i][d];
            n++;
        }
    for (int i = 0; i < n; i++)
        for (int d = 0; d < p->dims; d++) {
            if (gradient) gradient[index[i] + d] += value * by[i][d];
            if (!columns) continue;
            const double part = weight * by[i][d];
            for (int j = 0; j < i; j++)
                for (int e = 0; e < p->dims; e++) add_entry(p, columns, index[i] + d, index[j] + e, part * by[j][e]);
            for (int e = 0; e <= d; e++) add_entry(p, columns, index[i] + d, index[i] + e, part * by[i][e]);
        }
}

static const double *knee_at(const paths *p, int64_t frame, int64_t leg) {
    return p->knee + 4 * (frame * p->job->num_legs + leg);
}

/* The change of a knee's flexion in a frame, beside what is wanted. */
static double flexion_change(const paths *p, const double *x, int64_t frame, int64_t leg) {
    const double *const k = knee_at(p, frame, leg);
    const double *const b = x + 3 * at(p, frame, 0), *const o = x + 3 * at(p, frame, leg + 1);
    double sum = -k[3];
    for (int d = 0; d < p->dims; d++) sum += k[d] * (b[d] - o[d]);
    return sum;
}

static double flexion_bend(const paths *p, const double *x, int64_t frame, int64_t leg) {
    double sum = 0;
    for (int s = 0; s < 3; s++) sum += STENCIL[s] * flexion_change(p, x, frame + s - 1, leg);
    return sum * p->rate2;
}

static form flexion_form(const paths *p, int64_t frame, int64_t leg, int second) {
    form out = {.count = second ? 3 : 1, .with_body = 1, .part = leg + 1};
    for (int s = 0; s < out.count; s++) {
        out.frame[s] = second ? frame + s - 1 : frame;
        const double *const k = knee_at(p, out.frame[s], leg);
        for (int d = 0; d < p->dims; d++) out.by[s][d] = k[d] * (second ? STENCIL[s] * p->rate2 : 1);
    }
    return out;
}

/* All knees: their value; their gradient and matrix too, where there is room for them. */
static double add_knees(const paths *p, const double *x, double *gradient, double *columns) {
    const skl_path_weights *w = &p->job->weights;
    const double h = p->job->frame_time;
    double sum = 0;
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int64_t leg = 0; leg < p->job->num_legs; leg++)
            for (int second = 0; second < 2; second++) {
                if (second ? !bends(p, f) : !is_free(p, f)) continue;
                const double weight = h * (second ? w->flexion_jerk : w->flexion);
                const double r = second ? flexion_bend(p, x, f, leg) : flexion_change(p, x, f, leg);
                sum += weight * r * r;
                if (!gradient && !columns) continue;
                const form q = flexion_form(p, f, leg, second);
                add_form_to(p, &q, weight, weight * r, gradient, columns);
            }
    return sum;
}

/* How far a bound is from broken, by how much it is, what it pushes with, and how each is to change. */
typedef struct slack {
    double room, over, force, left; /* `left`: what it may push more */
    double room_step, over_step, force_step;
    double fix_room, fix_over; /* what the predictor says of the products */
} slack;

/* A bound at the places of now: by how much it is broken, how that depends on them, and what it may push with. */
typedef struct bound {
    double value, most;
    form slope;
    double curvature; /* across the slope, per force */
} bound;

/* From ankle to hip, its length and by how much that is more than the leg may have. */
static void reach_bound(const paths *p, int64_t frame, int64_t leg, bound *out) {
    const skl_path_leg *const l = p->job->legs + leg;
    const double *const b = p->x + 3 * at(p, frame, 0), *const o = p->x + 3 * at(p, frame, leg + 1);
    double way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = (l->hip[3 * frame + i] - l->ankle[3 * frame + i]) / p->job->length;
        for (int d = 0; d < p->dims; d++) way[i] += p->basis[d][i] * (b[d] - o[d]);
    }
    const double far = fmax(sqrt(skl_v3_dot(way, way)), 1e-9);
    out->value = far - l->reach[frame] / p->job->length;
    out->most = p->job->frame_time * REACH_FORCE;
    out->slope = (form){.count = 1, .with_body = 1, .frame = {frame}, .part = leg + 1};
    out->curvature = 1 / far;
    for (int d = 0; d < p->dims; d++) out->slope.by[0][d] = skl_v3_dot(p->basis[d], way) / far;
}

static void floor_bound(const paths *p, int64_t frame, int64_t leg, bound *out) {
    const double *const o = p->x + 3 * at(p, frame, leg + 1);
    out->value = p->job->legs[leg].lowest[frame] / p->job->length;
    out->most = p->job->frame_time * FLOOR_FORCE;
    out->slope = (form){.count = 1, .with_body = 0, .frame = {frame}, .part = leg + 1};
    out->curvature = 0;
    for (int d = 0; d < p->dims; d++) {
        out->slope.by[0][d] = skl_v3_dot(p->basis[d], p->job->up);
        out->value -= o[d] * out->slope.by[0][d];
    }
}

static void body_bound(const paths *p, int64_t frame, bound *out) {
    const term q = bend_of(p, frame, 0, 0);
    double way[3];
    sum_of(p, &q, p->x, way);
    const double far = fmax(sqrt(skl_v3_dot(way, way)), 1e-9);
    out->value = far - p->job->weights.acceleration;
    out->most = p->job->frame_time * BODY_FORCE;
    out->slope = (form){.count = 3, .with_body = 1, .frame = {frame - 1, frame, frame + 1}, .part = 0};
    out->curvature = 1 / far;
    for (int s = 0; s < 3; s++)
        for (int d = 0; d < p->dims; d++) out->slope.by[s][d] = STENCIL[s] * p->rate2 * way[d] / far;
}

/* Whether there is such a bound, and what it says. */
static int read_bound(const paths *p, int64_t frame, int64_t index, bound *out) {
    const int64_t leg = index / 2;
    if (leg == p->job->num_legs) {
        if (!p->job->body_moves || !bends(p, frame)) return 0;
        body_bound(p, frame, out);
        return 1;
    }
    const int64_t b = p->place[at(p, frame, 0)], o = p->place[at(p, frame, leg + 1)];
    if (index % 2) {
        if (o < 0 || !isfinite(p->job->legs[leg].lowest[frame])) return 0;
        floor_bound(p, frame, leg, out);
        return 1;
    }
    if (b < 0 && o < 0) return 0;
    reach_bound(p, frame, leg, out);
    return 1;
}

/* How a form changes with the step. */
static double form_of(const paths *p, const form *q, const double *step) {
    double sum = 0;
    for (int i = 0; i < q->count; i++)
        for (int body = 0; body < 2; body++) {
            if (body ? !q->with_body : q->part == 0) continue;
            const int64_t a = p->place[at(p, q->frame[i], body ? 0 : q->part)];
            for (int d = 0; a >= 0 && d < p->dims; d++) sum += (body ? 1 : -1) * q->by[i][d] * step[a + d];
        }
    return sum;
}

/* What comes from a bound's bending: `by` across its slope. */
static void add_bending(paths *p, const bound *c, double by, double *columns) {
    if (c->slope.count == 3) {
        const term whole = bend_of(p, c->slope.frame[1], 0, 0);
        add_square(p, &whole, by, columns);
    } else {
        form one = c->slope;
        for (int d = 0; d < p->dims; d++) {
            for (int e = 0; e < p->dims; e++) one.by[0][e] = d == e;
            add_form_to(p, &one, by, 0, NULL, columns);
        }
    }
    add_form_to(p, &c->slope, -by, 0, NULL, columns);
}

/* How stiff a bound is just now, and what it pushes with once the products come to `gap`. */
static double stiffness(const slack *s, double most) {
    return 1 / (s->room / s->force + s->over / s->left + 1 / (STIFFEST * most));
}
static double aim(const slack *s, const bound *c, double gap) {
    return c->value + (gap - s->fix_room) / s->force - (gap + s->fix_over) / s->left;
}

/* The gradient with all bounds as they push, and, where there is room for it, the matrix. */
static void assemble(paths *p, double gap, double *columns) {
    memset(p->gradient, 0, (size_t)p->size * sizeof(double));
    visit_all(p, add_slope, p->gradient);
    add_knees(p, p->x, p->gradient, NULL);
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int64_t i = 0; i < p->bounds; i++) {
            bound c;
            if (!read_bound(p, f, i, &c)) continue;
            const slack *const s = p->slacks + f * p->bounds + i;
            const double stiff = stiffness(s, c.most);
            add_form_to(p, &c.slope, stiff, s->force + stiff * aim(s, &c, gap), p->gradient, columns);
            if (columns && c.curvature > 0) add_bending(p, &c, s->force * c.curvature, columns);
        }
}

/* The step of all places, slacks and forces, with the matrix factored. Returns the part of it that may be gone. */
static double find_step(paths *p, double gap) {
    memcpy(p->step, p->gradient, (size_t)p->size * sizeof(double));
    skl_banded_solve(p->size, p->width, p->columns, p->step);
    for (int64_t i = 0; i < p->size; i++) p->step[i] = -p->step[i];
    double part = 1 / KEPT;
    for (int64_t f = 0; f < p->frames && skl_goes_on(f); f++)
        for (int64_t i = 0; i < p->bounds; i++) {
            bound c;
            if (!read_bound(p, f, i, &c)) continue;
            slack *const s = p->slacks + f * p->bounds + i;
            s->force_step = stiffness(s, c.most) * (aim(s, &c, gap) + form_of(p, &c.slope, p->step));
            s->room_step = (gap - s->fix_room - s->room * s->force_step) / s->force - s->room;
            s->over_step = (gap + s->fix_over + s->over * s->force_step) / s->left - s->over;
            if (s->room_step < 0) part = fmin(part, -s->room / s->room_step);
            if (s->over_step < 0) part = fmin(part, -s->over / s->over_step);
            if (s->force_step < 0) part = fmin(part, -s->force / s->force_step);
            if (s->force_step > 0) part = fmin(part, s->left / s->force_step);
        }
    return KEPT * part;
}

/* The mean of all products of slacks and forces, after a part of the step. */
static double gap_after(paths *p, double part) {
    double sum = 0;
    int64_t count = 0;
    for (int64_t f = 0; f < p->frames; f++)
        for (int64_t i = 0; i < p->bounds; i++) {
            bound c;
            if (!read_bound(p, f, i, &c)) continue;
            const slack *const s = p->slacks + f * p->bounds + i;
            const double force = s->force + part * s->force_step;
            sum += force * (s->room + part * s->room_step) + (s->left - part * s->force_step) * (s->over + part * s->over_step);
            count += 2;
        }
    return count ? sum / (double)count : 0;
}

/* Keep what the predictor says of the products, or forget it. */
static void keep_products(paths *p, int keep) {
    for (int64_t i = 0; i < p->frames * p->bounds; i++) {
        slack *const s = p->slacks + i;
        s->fix_room = keep ? s->room_step * s->force_step : 0;
        s->fix_over = keep ? s->over_step * s->force_step : 0;
    }
}

/* Go a part of the step; returns how far any place went. */
static double go(paths *p, double part) {
    double most = 0;
    for (int64_t i = 0; i < p->frames * p->parts; i++)
        for (int d = 0; p->place[i] >= 0 && d < p->dims; d++) {
            const double by = part * p->step[p->place[i] + d];
            p->x[3 * i + d] += by;
            most = fmax(most, fabs(by));
        }
    for (int64_t i = 0; i < p->frames * p->bounds; i++) {
        slack *const s = p->slacks + i;
        s->room += part * s->room_step;
        s->over += part * s->over_step;
        s->force += part * s->force_step;
        s->left -= part * s->force_step;
    }
    return most;
}

/* Where the paths would go without bounds; slacks and forces to begin with. */
static void begin(paths *p) {
    const double gap = p->job->frame_time * FIRST_GAP;
    visit_all(p, add_square, p->quadratic);
    add_knees(p, p->x, NULL, p->quadratic);
    memset(p->gradient, 0, (size_t)p->size * sizeof(double));
    visit_all(p, add_slope, p->gradient);
    add_knees(p, p->x, p->gradient, NULL);
    memcpy(p->columns, p->quadratic, (size_t)(p->size * p->width) * sizeof(double));
    skl_banded_factor(p->size, p->width, p->columns);
    p->job->rounds = 1;
    memcpy(p->step, p->gradient, (size_t)p->size * sizeof(double));
    skl_banded_solve(p->size, p->width, p->columns, p->step);
    go(p, -1);
    for (int64_t f = 0; f < p->frames; f++)
        for (int64_t i = 0; i < p->bounds; i++) {
            bound c;
            if (!read_bound(p, f, i, &c)) continue;
            slack *const s = p->slacks + f * p->bounds + i;
            s->room = fmax(-c.value, FIRST_SLACK);
            s->force = fmin(gap / s->room, 0.5 * c.most);
            s->left = c.most - s->force;
            s->over = gap / s->left;
        }
}

static void solve(paths *p) {
    const double last = p->job->frame_time * LAST_GAP;
    begin(p);
    for (int round = 0; round < MOST_ROUNDS && !skl_stopped(); round++) {
        const double gap = gap_after(p, 0);
        memcpy(p->columns, p->quadratic, (size_t)(p->size * p->width) * sizeof(double));
        keep_products(p, 0);
        assemble(p, 0, p->columns);
        skl_banded_factor(p->size, p->width, p->columns);
        p->job->rounds++;
        const double ahead = fmin(1, find_step(p, 0)), ratio = gap > 0 ? gap_after(p, ahead) / gap : 0;
        const double target = gap * ratio * ratio * ratio;
        keep_products(p, 1);
        assemble(p, target, NULL);
        const double part = fmin(1, find_step(p, target)), went = go(p, part);
        if (gap <= last && went <= SAME) return;
    }
}

static double objective(paths *p) {
    merit m = {p->x, 0};
    visit_all(p, add_value, &m);
    return m.value + add_knees(p, p->x, NULL, NULL);
}

/* The original's knee in a frame: how fast its flexion grows as hip and ankle come apart, along the line between. */
static void read_knee(const paths *p, int64_t f, const skl_path_leg *leg, double out[4]) {
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

static void read_job(paths *p) {
    const skl_smooth_paths_job *job = p->job;
    int64_t size = 0;
    for (int64_t f = 0; f < p->frames; f++) {
        for (int64_t part = 0; part < p->parts; part++) {
            const int64_t i = at(p, f, part);
            const skl_path_leg *const leg = part ? job->legs + part - 1 : NULL;
            const int moves = job->free[f] && (leg ? !leg->stands[f] : job->body_moves);
            p->place[i] = moves ? size : -1;
            if (moves) size += p->dims;
            if (leg && job->free[f] && leg->stands[f])
                for (int d = 0; d < p->dims; d++) p->x[3 * i + d] = skl_v3_dot(p->basis[d], leg->held + 3 * f) / job->length;
        }
        for (int64_t k = 0; k < job->num_legs; k++)
            read_knee(p, f, job->legs + k, p->knee + 4 * (f * job->num_legs + k));
    }
    p->size = size;
}

static void write_results(const paths *p) {
    const skl_smooth_paths_job *job = p->job;
    for (int64_t f = 0; f < p->frames; f++)
        for (int64_t part = 0; part < p->parts; part++) {
            double *const out = (part ? job->legs[part - 1].offset : job->body) + 3 * f;
            const double *const x = p->x + 3 * at(p, f, part);
            for (int i = 0; i < 3; i++) {
                out[i] = 0;
                for (int d = 0; d < p->dims; d++) out[i] += p->basis[d][i] * x[d] * job->length;
            }
            if (part && p->place[at(p, f, part)] < 0 && job->free[f] && job->legs[part - 1].stands[f])
                memcpy(out, job->legs[part - 1].held + 3 * f, 3 * sizeof(double));
        }
}

static double *numbers(int64_t count) { return calloc((size_t)(count > 0 ? count : 1), sizeof(double)); }

skl_code skl_smooth_paths_run(skl_smooth_paths_job *job) {
    const int64_t frames = job->num_frames, parts = job->num_legs + 1, cells = frames * parts;
    const double rate = 1 / job->frame_time;
    paths p = {.job = job, .frames = frames, .parts = parts, .dims = job->heights_only ? 1 : 3, .rate2 = rate * rate};
    for (int d = 0; d < p.dims; d++)
        for (int i = 0; i < 3; i++) p.basis[d][i] = job->heights_only ? job->up[i] : i == d;
    p.width = 3 * parts * p.dims;
    p.bounds = 2 * job->num_legs + 1;
    job->rounds = 0;
    job->status.code = SKL_OK;
    p.place = malloc((size_t)(cells + 1) * sizeof *p.place);
    p.x = numbers(3 * cells);
    p.knee = numbers(4 * cells);
    p.slacks = calloc((size_t)(frames * p.bounds + 1), sizeof *p.slacks);
    int done = p.place && p.x && p.knee && p.slacks;
    if (done) {
        read_job(&p);
        p.gradient = numbers(p.size);
        p.step = numbers(p.size);
        p.quadratic = numbers(p.size * p.width);
        p.columns = numbers(p.size * p.width);
        done = p.gradient && p.step && p.quadratic && p.columns;
    }
    if (!done) {
        skl_fail(&job->status, SKL_NO_MEMORY, "paths", "");
    } else {
        solve(&p);
        if (skl_done(&job->status) == SKL_OK) {
            job->objective = objective(&p);
            write_results(&p);
        }
    }
    double *const all[] = {p.x, p.knee, p.gradient, p.step, p.quadratic, p.columns};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(p.slacks);
    free(p.place);
    return job->status.code;
}
