/* SPDX-License-Identifier: MIT */
/* A primal-dual interior point method with predictor and corrector (Mehrotra, On the implementation of a primal-dual
 * interior point method, SIAM Journal on Optimization 2, 1992), whose linear systems are banded. Bounds are elastic:
 * with a force beyond their own they give way, so that there always is a solution. */
#include "smooth_paths.h"

#include "paths_problem.h"
#include "core/base/dispatch.h"
#include "core/base/status.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Products of rooms and forces, per second, from which bounds are approached and at which they count as kept. */
static const double FIRST_GAP = 100, LAST_GAP = 1e-11;
static const double FIRST_ROOM = 0.01; /* lengths: at first no bound is nearer */
static const double SAME = 1e-10;      /* lengths: places that differ by less are one */
static const double STIFFEST = 1e5;    /* a bound pushes with all it may when broken by the inverse, at most */
static const double KEPT = 0.995;      /* of the way to where a room or a force would end */
static const int MOST_ROUNDS = 60;

/* How far a bound is from broken, by how much it is, what it pushes with and may push more, and how they change. */
typedef struct slack {
    double room, over, force, left;
    double room_step, over_step, force_step;
    double fix_room, fix_over; /* what the predictor says of the products */
    double stiffness;          /* of just now */
} slack;

typedef struct solver {
    skl_paths_problem problem;
    const skl_banded_kernels *banded;
    skl_banded factors;
    int64_t num_bounds;
    skl_path_bound *bounds;
    slack *slacks;  /* by the bounds' numbers */
    uint8_t *awake; /* the same: whether a bound has been near to being broken */
    double *x, *slope, *gradient, *step;
    int64_t rounds;
} solver;

/* How a bound changes with the step. */
static double change_of(const solver *s, const skl_path_bound *c) {
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        for (int d = 0; d < s->problem.dims; d++) sum += c->factor[i] * c->way[d] * s->step[c->index[i] + d];
    return sum;
}

/* How stiff a bound is just now, and what its force aims at once the products come to `gap`. */
static double stiffness(const slack *s, double most) {
    return 1 / (s->room / s->force + s->over / s->left + 1 / (STIFFEST * most));
}
static double aim(const slack *s, const skl_path_bound *c, double gap) {
    return c->value + (gap - s->fix_room) / s->force - (gap + s->fix_over) / s->left;
}

/* Add a bound to the matrix: stiff along its way, bent across it. */
static void add_matrix(const solver *s, const skl_path_bound *c, double along, double across) {
    const int dims = s->problem.dims;
    double block[3][3];
    for (int d = 0; d < dims; d++)
        for (int e = 0; e < dims; e++) block[d][e] = (along - across) * c->way[d] * c->way[e] + (d == e ? across : 0);
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j <= i; j++) {
            const double by = c->factor[i] * c->factor[j];
            const int64_t a = c->index[i], b = c->index[j], low = a < b ? a : b, high = a < b ? b : a;
            for (int d = 0; d < dims; d++)
                for (int e = a == b ? d : 0; e < dims; e++)
                    s->factors.columns[s->problem.start[low + d] + high + e - low - d] += by * block[d][e];
        }
}

/* The slope of everything, with all bounds as they push once the products come to `gap`. */
static void find_gradient(solver *s, double gap) {
    memcpy(s->gradient, s->slope, (size_t)s->problem.size * sizeof(double));
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        const slack *const k = s->slacks + c->number;
        const double force = k->force + k->stiffness * aim(k, c, gap);
        for (int j = 0; j < c->count; j++)
            for (int d = 0; d < s->problem.dims; d++) s->gradient[c->index[j] + d] += force * c->factor[j] * c->way[d];
    }
}

static void find_factors(solver *s) {
    memcpy(s->factors.columns, s->problem.band, (size_t)s->problem.start[s->problem.size] * sizeof(double));
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        slack *const k = s->slacks + c->number;
        k->stiffness = stiffness(k, c->most);
        add_matrix(s, c, k->stiffness, k->force * c->curvature);
    }
    s->banded->factor(&s->factors);
    s->rounds++;
}

/* The step of all unknowns, rooms and forces. Returns the part of it that may be gone. */
static double find_step(solver *s, double gap) {
    find_gradient(s, gap);
    for (int64_t i = 0; i < s->problem.size; i++) s->step[i] = -s->gradient[i];
    s->banded->solve(&s->factors, s->step);
    double part = 1 / KEPT;
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        slack *const k = s->slacks + c->number;
        k->force_step = k->stiffness * (aim(k, c, gap) + change_of(s, c));
        k->room_step = (gap - k->fix_room - k->room * k->force_step) / k->force - k->room;
        k->over_step = (gap + k->fix_over + k->over * k->force_step) / k->left - k->over;
        if (k->room_step < 0) part = fmin(part, -k->room / k->room_step);
        if (k->over_step < 0) part = fmin(part, -k->over / k->over_step);
        if (k->force_step < 0) part = fmin(part, -k->force / k->force_step);
        if (k->force_step > 0) part = fmin(part, k->left / k->force_step);
    }
    return fmin(1, KEPT * part);
}

/* The mean of all products of rooms and forces, after a part of the step. */
static double gap_after(const solver *s, double part) {
    double sum = 0;
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const slack *const k = s->slacks + s->bounds[i].number;
        sum += (k->force + part * k->force_step) * (k->room + part * k->room_step);
        sum += (k->left - part * k->force_step) * (k->over + part * k->over_step);
    }
    return s->num_bounds ? sum / (2 * (double)s->num_bounds) : 0;
}

/* Keep what the predictor says of the products, or forget it. */
static void keep_products(solver *s, int keep) {
    for (int64_t i = 0; i < s->num_bounds; i++) {
        slack *const k = s->slacks + s->bounds[i].number;
        k->fix_room = keep ? k->room_step * k->force_step : 0;
        k->fix_over = keep ? k->over_step * k->force_step : 0;
    }
}

/* Go a part of the step; returns how far any unknown went. */
static double go(solver *s, double part) {
    double most = 0;
    for (int64_t i = 0; i < s->problem.size; i++) {
        s->x[i] += part * s->step[i];
        most = fmax(most, fabs(part * s->step[i]));
    }
    for (int64_t i = 0; i < s->num_bounds; i++) {
        slack *const k = s->slacks + s->bounds[i].number;
        k->room += part * k->room_step;
        k->over += part * k->over_step;
        k->force += part * k->force_step;
        k->left -= part * k->force_step;
    }
    return most;
}

/* What the quadratic and the bounds say where the unknowns are now. */
static void look(solver *s) {
    skl_banded quadratic = s->factors;
    quadratic.columns = s->problem.band;
    memcpy(s->slope, s->problem.linear, (size_t)s->problem.size * sizeof(double));
    s->banded->multiply(&quadratic, s->x, s->slope);
    const double gap = s->problem.job->frame_time * FIRST_GAP;
    s->num_bounds = skl_paths_bounds(&s->problem, s->x, s->awake, s->bounds);
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        slack *const k = s->slacks + c->number;
        if (s->awake[c->number]) continue;
        s->awake[c->number] = 1;
        k->room = fmax(-c->value, FIRST_ROOM);
        k->force = fmin(gap / k->room, 0.5 * c->most);
        k->left = c->most - k->force;
        k->over = gap / k->left;
    }
}

static void solve(solver *s) {
    const double last = s->problem.job->frame_time * LAST_GAP;
    /* At first where the paths go without bounds. */
    memcpy(s->slope, s->problem.linear, (size_t)s->problem.size * sizeof(double));
    find_factors(s);
    find_step(s, 0);
    go(s, 1);
    look(s);
    for (int round = 0; s->num_bounds > 0 && round < MOST_ROUNDS && !skl_stopped(); round++) {
        const double gap = gap_after(s, 0);
        keep_products(s, 0);
        find_factors(s);
        const double ahead = find_step(s, 0), ratio = gap > 0 ? gap_after(s, ahead) / gap : 0;
        keep_products(s, 1);
        const double went = go(s, find_step(s, gap * ratio * ratio * ratio));
        look(s);
        if (gap <= last && went <= SAME) return;
    }
}

static void *zeros(int64_t count, size_t size) { return calloc((size_t)(count > 0 ? count : 1), size); }

static int make_room(solver *s) {
    const skl_paths_problem *const p = &s->problem;
    s->factors = (skl_banded){p->size, p->start, zeros(p->start[p->size], sizeof(double)), p->dims == 3};
    s->bounds = zeros(p->numbers + 1, sizeof *s->bounds);
    s->slacks = zeros(p->numbers + 1, sizeof *s->slacks);
    s->awake = zeros(p->numbers + 1, sizeof *s->awake);
    s->x = zeros(p->size, sizeof *s->x);
    s->slope = zeros(p->size, sizeof *s->slope);
    s->gradient = zeros(p->size, sizeof *s->gradient);
    s->step = zeros(p->size, sizeof *s->step);
    return s->factors.columns && s->bounds && s->slacks && s->awake && s->x && s->slope && s->gradient && s->step;
}

skl_code skl_smooth_paths_run(skl_smooth_paths_job *job) {
    solver s = {.banded = &skl_dispatch()->banded};
    job->status.code = SKL_OK;
    job->rounds = 0;
    if (skl_paths_open(&s.problem, job) && make_room(&s)) {
        solve(&s);
        job->rounds = s.rounds;
        if (skl_done(&job->status) == SKL_OK) {
            job->objective = skl_paths_objective(&s.problem, s.x);
            skl_paths_write(&s.problem, s.x);
        }
    } else {
        skl_fail(&job->status, SKL_NO_MEMORY, "paths", "");
    }
    skl_paths_close(&s.problem);
    void *const all[] = {s.factors.columns, s.bounds, s.slacks, s.awake, s.x, s.slope, s.gradient, s.step};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return job->status.code;
}
