/* SPDX-License-Identifier: MIT */
/* A primal-dual interior point method with predictor and corrector (Mehrotra, On the implementation of a primal-dual
 * interior point method, SIAM Journal on Optimization 2, 1992), whose linear systems are banded. Bounds are elastic:
 * with a force beyond their own they give way, so that there always is a solution. */
#include "smooth_paths.h"

#include "path_constants.h"
#include "paths_problem.h"
#include "core/base/dispatch.h"
#include "core/base/status.h"
#include "core/base/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t first_of(int64_t a, int64_t b) { return a < b ? a : b; }
static double greater(double a, double b) { return a > b ? a : b; }
static double less(double a, double b) { return a < b ? a : b; }

/* How far a bound is from broken, by how much it is, what it pushes with and may push more, and how they change. */
typedef struct slack {
    double room, over, force, left;
    double room_step, over_step, force_step;
    double fix_room, fix_over; /* what the predictor says of the products */
    double stiffness;          /* of just now */
} slack;

typedef struct skl_paths_solver {
    skl_paths_problem problem;
    const skl_banded_kernels *banded;
    skl_banded factors;
    int64_t num_bounds, num_slacks;
    skl_path_bound *bounds;
    slack *slacks;
    int64_t *slots; /* by the bounds' numbers: one more than where the slack is, 0 of what was never near to broken */
    double *x, *slope, *step;
    double kept; /* see STEP_KEPT */
    int64_t rounds;
    void *memory;
} solver;

static slack *slack_of(const solver *s, const skl_path_bound *c) { return s->slacks + s->slots[c->number] - 1; }

/* How a bound changes with the step. */
static double change_of(const solver *s, const skl_path_bound *c) {
    double sum = 0;
    for (int i = 0; i < c->count; i++)
        for (int d = 0; d < s->problem.dims; d++) sum += c->factor[i] * c->direction[d] * s->step[c->index[i] + d];
    return sum;
}

/* How stiff a bound is just now, and what its force aims at once the products come to `gap`. */
static double stiffness(const slack *s, double most) {
    return 1 / (s->room / s->force + s->over / s->left + 1 / (STIFFEST * most));
}
static double aim(const slack *s, const skl_path_bound *c, double gap) {
    return c->value + (gap - s->fix_room) / s->force - (gap + s->fix_over) / s->left;
}

/* Add a bound to the matrix: stiff along its direction, bent across it. */
static void add_matrix(const solver *s, const skl_path_bound *c, double along, double across) {
    const int dims = s->problem.dims;
    double block[3][3];
    for (int d = 0; d < dims; d++)
        for (int e = 0; e < dims; e++)
            block[d][e] = (along - across) * c->direction[d] * c->direction[e] + (d == e ? across : 0);
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j <= i; j++) {
            const double by = c->factor[i] * c->factor[j];
            const int64_t a = c->index[i], b = c->index[j], low = a < b ? a : b, high = a < b ? b : a;
            for (int d = 0; d < dims; d++)
                for (int e = a == b ? d : 0; e < dims; e++)
                    s->factors.columns[s->problem.start[low + d] + high - low + e] += by * block[d][e];
        }
}

/* And what does: bounds push as they will once the products come to `gap`. */
static void push(const solver *s, const skl_path_bound *c, const slack *k, double gap) {
    const double force = k->force + k->stiffness * aim(k, c, gap);
    for (int j = 0; j < c->count; j++)
        for (int d = 0; d < s->problem.dims; d++) s->step[c->index[j] + d] -= force * c->factor[j] * c->direction[d];
}

/* What of the equations of the step does not come of bounds, for some of the unknowns. */
static void begin_step(const solver *s, int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) s->step[i] = -s->slope[i];
}

/* Factors, the quadratic's slope where the unknowns are now, and the predictor's way forward, in tiles of frames whose
 * columns are read, copied, completed, eliminated and used while they are in the cache. */
static void find_factors(solver *s) {
    const skl_paths_problem *const p = &s->problem;
    const skl_path_bound *c = s->bounds, *const end = s->bounds + s->num_bounds;
    skl_banded quadratic = s->factors;
    quadratic.columns = p->band;
    memcpy(s->slope, p->linear, (size_t)p->size * sizeof(double));
    int64_t copied = 0;
    for (int64_t f = 0; f < p->frames; f += TILE) {
        /* Bounds of the next frame reach back into this tile, and one frame further on. */
        const int64_t next = first_of(f + TILE, p->frames), ahead = p->first[first_of(next + 2, p->frames)];
        memcpy(s->factors.columns + p->start[copied], p->band + p->start[copied],
               (size_t)(p->start[ahead] - p->start[copied]) * sizeof(double));
        s->banded->multiply(&quadratic, copied, ahead, s->x, s->slope);
        begin_step(s, copied, ahead);
        copied = ahead;
        for (; c < end && c->number < (next + 1) * p->per_frame; c++) {
            slack *const k = slack_of(s, c);
            k->stiffness = stiffness(k, c->most);
            k->fix_room = k->fix_over = 0;
            add_matrix(s, c, k->stiffness, k->force * c->curvature);
            push(s, c, k, 0);
        }
        s->banded->factor(&s->factors, p->first[f], p->first[next]);
        s->banded->forward(&s->factors, p->first[f], p->first[next], s->step);
    }
    s->rounds++;
}

/* The way back to the step of all unknowns, and those of rooms and forces. Returns the part of it that may be gone. */
static double find_step(solver *s, double gap) {
    s->banded->backward(&s->factors, s->step);
    double part = 1 / s->kept;
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        slack *const k = slack_of(s, c);
        k->force_step = k->stiffness * (aim(k, c, gap) + change_of(s, c));
        k->room_step = (gap - k->fix_room - k->room * k->force_step) / k->force - k->room;
        k->over_step = (gap + k->fix_over + k->over * k->force_step) / k->left - k->over;
        if (k->room_step < 0) part = less(part, -k->room / k->room_step);
        if (k->over_step < 0) part = less(part, -k->over / k->over_step);
        if (k->force_step < 0) part = less(part, -k->force / k->force_step);
        if (k->force_step > 0) part = less(part, k->left / k->force_step);
    }
    return less(1, s->kept * part);
}

/* The step again, towards products of `gap`, with what the predictor says of them. */
static double correct_step(solver *s, double gap) {
    begin_step(s, 0, s->problem.size);
    for (int64_t i = 0; i < s->num_bounds; i++) {
        slack *const k = slack_of(s, s->bounds + i);
        k->fix_room = k->room_step * k->force_step;
        k->fix_over = k->over_step * k->force_step;
        push(s, s->bounds + i, k, gap);
    }
    s->banded->forward(&s->factors, 0, s->problem.size, s->step);
    return find_step(s, gap);
}

/* The mean of all products of rooms and forces, after a part of the step. */
static double gap_after(const solver *s, double part) {
    double sum = 0;
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const slack *const k = slack_of(s, s->bounds + i);
        sum += (k->force + part * k->force_step) * (k->room + part * k->room_step);
        sum += (k->left - part * k->force_step) * (k->over + part * k->over_step);
    }
    return s->num_bounds ? sum / (2 * (double)s->num_bounds) : 0;
}

/* Go a part of the step; returns how far any unknown went. */
static double go(solver *s, double part) {
    double most = 0;
    for (int64_t i = 0; i < s->problem.size; i++) {
        s->x[i] += part * s->step[i];
        most = greater(most, fabs(part * s->step[i]));
    }
    for (int64_t i = 0; i < s->num_bounds; i++) {
        slack *const k = slack_of(s, s->bounds + i);
        k->room += part * k->room_step;
        k->over += part * k->over_step;
        k->force += part * k->force_step;
        k->left -= part * k->force_step;
    }
    return most;
}

/* What a bound pushed with in the problem that was solved before. */
static double force_before(const solver *s, const skl_path_bound *c) {
    return s->problem.job->before ? *skl_paths_force(&s->problem, c->number) : 0;
}

/* A bound begins to count: the narrower its room may be, the smaller `gap` is. */
static void wake(solver *s, const skl_path_bound *c, double gap) {
    const double force = force_before(s, c), narrow = FIRST_ROOM * sqrt(gap / (s->problem.job->frame_time * FIRST_GAP));
    slack *const k = s->slacks + s->num_slacks++;
    s->slots[c->number] = s->num_slacks;
    *k = (slack){.room = greater(-c->value, force > 0 ? less(narrow, gap / force) : narrow)};
    k->force = less(greater(force, gap / k->room), 0.5 * c->most);
    k->left = c->most - k->force;
    k->over = gap / k->left;
}

/* What the bounds say where the unknowns are now; those that begin to count do so at `gap`. Returns how far, in
 * lengths, a bound is at most from where its room says. */
static double look(solver *s, double gap) {
    s->num_bounds = skl_paths_bounds(&s->problem, s->x, s->slots, s->bounds);
    double most = 0;
    for (int64_t i = 0; i < s->num_bounds; i++) {
        const skl_path_bound *const c = s->bounds + i;
        if (!s->slots[c->number]) wake(s, c, gap);
        const slack *const k = slack_of(s, c);
        most = greater(most, fabs((c->value + k->room - k->over) / c->factor[0]));
    }
    return most;
}

/* Where the paths go without bounds. */
static void solve_freely(solver *s) {
    find_factors(s);
    find_step(s, 0);
    go(s, 1);
}

/* Whether no bound is broken where the unknowns are now. */
static int keeps_bounds(const solver *s) {
    const int64_t count = skl_paths_bounds(&s->problem, s->x, s->slots, s->bounds);
    int64_t i = 0;
    while (i < count && s->bounds[i].value <= 0) i++;
    return i == count;
}

/* The products from which to begin where another problem was solved: those of forces there and how far bounds are off
 * here, and those whose narrow rooms are as wide as bounds are broken. */
static double gap_before(const solver *s) {
    const int64_t count = skl_paths_bounds(&s->problem, s->x, s->slots, s->bounds);
    const double time = s->problem.job->frame_time;
    double most = time * LEAST_FIRST_GAP;
    for (int64_t i = 0; i < count; i++) {
        const skl_path_bound *const c = s->bounds + i;
        const double broken = greater(c->value, 0) / FIRST_ROOM;
        most = greater(most, force_before(s, c) * fabs(c->value));
        most = greater(most, time * FIRST_GAP * broken * broken);
    }
    return less(most, time * FIRST_GAP);
}

static void solve(solver *s) {
    const double time = s->problem.job->frame_time;
    const int again = skl_paths_read(&s->problem, s->x);
    memset(s->slots, 0, (size_t)(s->problem.numbers + 1) * sizeof *s->slots);
    s->num_slacks = s->rounds = 0;
    s->kept = STEP_KEPT;
    if (!again) {
        solve_freely(s);
        if (keeps_bounds(s)) return;
    }
    look(s, again ? gap_before(s) : time * FIRST_GAP);
    int solved = 0;
    double went = 1;
    for (int round = 0; !solved && round < MOST_ROUNDS && !skl_stopped(); round++) {
        const double gap = gap_after(s, 0);
        /* The last steps, which are short, go nearly all of their length. */
        s->kept = greater(STEP_KEPT, 1 - greater(greater(gap / time, went), SAME_PLACES));
        find_factors(s);
        const double ahead = find_step(s, 0), ratio = gap > 0 ? gap_after(s, ahead) / gap : 0;
        went = go(s, correct_step(s, gap * ratio * ratio * ratio));
        const double now = gap_after(s, 0);
        const int64_t awake = s->num_slacks;
        const double off = look(s, time * FIRST_GAP);
        /* Near the end each step is shorter than the one before by about the ratio. */
        const double next = went * less(1, greater(LEAST_STEP, MOST_STEP_RATIOS * ratio));
        solved = greater(next, off) <= SAME_PLACES && now <= time * LAST_GAP && s->num_slacks == awake;
    }
}

/* Cut the next array out of the memory that is left. */
static void *cut(char **memory, int64_t count, size_t size) {
    void *const out = *memory;
    *memory += (size_t)count * size;
    return out;
}

/* One piece: what is freed and taken again and again in small ones goes back to the system each time. */
static int make_room(solver *s) {
    const skl_paths_problem *const p = &s->problem;
    const int64_t columns = p->start[p->size], vector = p->size + SKL_BANDED_ZEROS;
    const size_t each = sizeof *s->bounds + sizeof *s->slacks + sizeof *s->slots;
    char *at = s->memory = malloc((size_t)(columns + 3 * vector) * sizeof(double) + (size_t)(p->numbers + 1) * each);
    if (!at) return 0;
    s->x = cut(&at, vector, sizeof *s->x);
    s->slope = cut(&at, vector, sizeof *s->slope);
    s->step = cut(&at, vector, sizeof *s->step);
    s->slots = cut(&at, p->numbers + 1, sizeof *s->slots);
    memset(s->memory, 0, (size_t)(at - (char *)s->memory));
    s->factors = (skl_banded){p->size, p->start, cut(&at, columns, sizeof(double)), p->dims == 3};
    s->slacks = cut(&at, p->numbers + 1, sizeof *s->slacks);
    s->bounds = cut(&at, p->numbers + 1, sizeof *s->bounds);
    return 1;
}

/* What the next job may begin with. */
static void keep(const solver *s) {
    for (int64_t i = 0; s->problem.job->before && i < s->problem.numbers; i++)
        *skl_paths_force(&s->problem, i) = s->slots[i] ? s->slacks[s->slots[i] - 1].force : 0;
}

static int open_job(skl_smooth_paths_job *job) {
    if (job->open) return 1;
    solver *const s = job->open = calloc(1, sizeof *s);
    if (!s) return 0;
    s->banded = &skl_dispatch()->banded;
    return skl_paths_open(&s->problem, job) && make_room(s);
}

void skl_smooth_paths_close(skl_smooth_paths_job *job) {
    if (!job->open) return;
    skl_paths_close(&job->open->problem);
    free(job->open->memory);
    free(job->open);
    job->open = NULL;
}

skl_code skl_smooth_paths_run(skl_smooth_paths_job *job) {
    job->status.code = SKL_OK;
    job->rounds = 0;
    if (open_job(job)) {
        solver *const s = job->open;
        solve(s);
        job->rounds = s->rounds;
        if (skl_done(&job->status) == SKL_OK) {
            job->objective = skl_paths_objective(&s->problem, s->x);
            skl_paths_write(&s->problem, s->x);
            keep(s);
        }
    } else {
        skl_fail(&job->status, SKL_NO_MEMORY, "paths", "");
    }
    if (job->status.code != SKL_OK || !job->stays_open) skl_smooth_paths_close(job);
    return job->status.code;
}
