/* SPDX-License-Identifier: MIT */
/* FABRIK: chains go into the columns of a tile as others are done, so that no lane waits for the slowest of its
 * neighbours. Where most of a tile is done it is written out as it is, and the others go on in a second tile; where few
 * are, these are parked there until it is full. */
#include <math.h>
#include <string.h>

#include "fabrik_plan.h"
#include "core/base/aligned.h"
#include "core/base/dispatch.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"

enum { POSITIONS, TARGET, POLE, OUT, STATUS, ERROR, ITERATIONS, OPERANDS };

/* Joints that are worth a thread's while. */
enum { ENOUGH_JOINTS = 8 * 1024 };

/* A tile, whose rows are one piece of memory: those that are parked, then those that move. */
typedef struct tile {
    skl_fabrik_tile t;
    char *rows;
    int64_t item[SKL_FABRIK_WIDTH]; /* which chain of the piece it is */
} tile;

typedef struct fabrik_work {
    skl_solve_fabrik_job *job;
    const skl_fabrik_plan *plan;
    const skl_kernel_set *kernels;
    char *scratch;
    int64_t tile_bytes, row_bytes;
    int moved_rows;
    double tolerance;
} fabrik_work;

/* What a thread works with. */
typedef struct bench {
    const fabrik_work *work;
    const skl_walk *walk;
    tile tiles[2], *going, *parked;
    int count, num_parked;
    unsigned char open[SKL_FABRIK_WIDTH]; /* parked, but to go on elsewhere: no result is due */
} bench;

/* Rows of a tile, without `split`; the first ones are all that a chain takes with it to another tile. */
static int count_rows(const skl_fabrik_plan *plan, int *moved) {
    *moved = 4 * plan->num_joints + 3 + 6 + 3 * plan->num_targets;
    return *moved + plan->num_joints * (plan->branches ? 4 : 1);
}

/* No number is wider than a cache line. */
static int64_t count_split_bytes(const skl_fabrik_plan *plan) {
    return plan->branches ? 0 : (int64_t)SKL_FABRIK_SPLIT * plan->num_joints * SKL_ALIGNMENT;
}

static void begin_tile(const fabrik_work *work, tile *own, char *rows) {
    const skl_solve_fabrik_job *job = work->job;
    const skl_fabrik_plan *plan = work->plan;
    skl_fabrik_tile *t = &own->t;
    void **const parts[] = {&t->at,    &t->bone,    &t->spare,  &t->size, &t->error, &t->passes,
                            &t->state, &t->several, &t->beyond, &t->goal, &t->path};
    const int sizes[] = {3 * plan->num_joints,  plan->num_joints, 3, 1, 1, 1, 1, 1, 1,
                         3 * plan->num_targets, plan->num_joints};
    own->rows = rows;
    for (int k = 0; k < 11; k++) {
        *parts[k] = rows;
        rows += sizes[k] * work->row_bytes;
    }
    t->sum = plan->branches ? rows : NULL;
    t->split = plan->branches ? NULL : rows;
    t->joints = plan->joints;
    t->num_joints = plan->num_joints;
    t->num_targets = plan->num_targets;
    t->has_pole = job->pole.data != NULL;
    t->step = job->positions.step;
    t->out_step = job->out.step;
    t->target_step = job->target.step;
    t->tolerance = work->tolerance;
}

static double row_number(const bench *b, const void *row, int column) {
    return skl_number(row, b->work->job->dtype, column);
}

static char *operand(const bench *b, int k, int64_t item) {
    return b->walk->at[k] ? b->walk->at[k] + item * b->walk->step[k] : NULL;
}

static void set_addresses(const bench *b, tile *own, int column, int64_t item) {
    own->item[column] = item;
    own->t.from[column] = operand(b, POSITIONS, item);
    own->t.targets[column] = operand(b, TARGET, item);
    own->t.poles[column] = operand(b, POLE, item);
    own->t.to[column] = operand(b, OUT, item);
}

static void copy_column(const bench *b, const tile *from, int source, tile *into, int column) {
    const int64_t size = skl_itemsize(b->work->job->dtype);
    const char *read = from->rows + source * size;
    char *written = into->rows + column * size;
    for (int r = 0; r < b->work->moved_rows; r++, read += b->work->row_bytes, written += b->work->row_bytes)
        if (size == 4)
            memcpy(written, read, 4);
        else
            memcpy(written, read, 8);
    set_addresses(b, into, column, from->item[source]);
}

static void point(const bench *b, const char *at, int64_t offset, double v[3]) {
    (void)skl_vector(at + offset, b->work->job->dtype, v);
}

/* The largest distance from a target in the result. */
static double measure(const bench *b, int64_t item) {
    double worst = 0, end[3], target[3];
    for (int32_t t = 0; t < b->work->plan->num_targets; t++) {
        point(b, operand(b, OUT, item), b->work->plan->leaf[t] * b->work->job->out.step, end);
        point(b, operand(b, TARGET, item), t * b->work->job->target.step, target);
        for (int k = 0; k < 3; k++) end[k] -= target[k];
        worst = skl_larger(skl_length(end), worst);
    }
    return worst;
}

static skl_ik_status status_of(const bench *b, int column) {
    const skl_fabrik_tile *t = &b->parked->t;
    const int state = (int)row_number(b, t->state, column);
    if (state == SKL_FABRIK_THERE) return SKL_REACHED;
    if (!(row_number(b, t->several, column) > 0) && t->num_joints > 2) return SKL_DEGENERATE;
    if (state == SKL_FABRIK_FAR) return SKL_TOO_FAR;
    return state == SKL_FABRIK_CLOSE ? SKL_TOO_CLOSE : SKL_NOT_CONVERGED;
}

static void write_result(const bench *b, int64_t item, skl_ik_status status, double error, int iterations) {
    *(unsigned char *)operand(b, STATUS, item) = (unsigned char)status;
    *(int32_t *)(void *)operand(b, ITERATIONS, item) = iterations;
    skl_put(operand(b, ERROR, item), b->work->job->dtype, 0, error);
}

/* `v` carried by the smallest turn from the direction of `from` to that of `to`. */
static void carry(const double from[3], const double to[3], double v[3]) {
    const double a = skl_length(from), b = skl_length(to);
    if (!(a > 0 && b > 0)) return;
    double u[3], w[3], k[3], once[3];
    for (int i = 0; i < 3; i++) {
        u[i] = from[i] / a;
        w[i] = to[i] / b;
    }
    for (int i = 0; i < 3; i++) k[i] = u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3];
    const double cosine = u[0] * w[0] + u[1] * w[1] + u[2] * w[2];
    if (1 + cosine < 1e-12) { /* opposite: a half turn about something across */
        const int least = fabs(u[0]) <= fabs(u[1])   ? (fabs(u[0]) <= fabs(u[2]) ? 0 : 2)
                          : fabs(u[1]) <= fabs(u[2]) ? 1
                                                     : 2;
        for (int i = 0; i < 3; i++) k[i] = (i == least) - u[least] * u[i];
        const double size = skl_length(k), along = (k[0] * v[0] + k[1] * v[1] + k[2] * v[2]) / (size * size);
        for (int i = 0; i < 3; i++) v[i] = 2 * along * k[i] - v[i];
        return;
    }
    for (int i = 0; i < 3; i++) once[i] = k[(i + 1) % 3] * v[(i + 2) % 3] - k[(i + 2) % 3] * v[(i + 1) % 3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        v[i] += once[i] + (k[j] * once[l] - k[l] * once[j]) / (1 + cosine);
    }
}

/* The joints of a tree that are on no path to a target go along with the nearest joint above that is, and with the bone
 * that ends there; what is below the root alone does not move. */
static void carry_others(const bench *b, int64_t item) {
    const skl_solve_fabrik_job *job = b->work->job;
    const skl_fabrik_plan *plan = b->work->plan;
    const char *in = operand(b, POSITIONS, item);
    char *out = operand(b, OUT, item);
    for (int32_t j = 0; j < plan->num_all; j++) {
        const int32_t on = plan->carrier[j], above = on > 0 ? plan->parents[on] : 0;
        if (on < 0) continue;
        double own[3], before[3], after[3], old_bone[3], new_bone[3];
        point(b, in, j * job->positions.step, own);
        point(b, in, on * job->positions.step, before);
        point(b, out, on * job->out.step, after);
        point(b, in, above * job->positions.step, old_bone);
        point(b, out, above * job->out.step, new_bone);
        for (int k = 0; k < 3; k++) {
            own[k] -= before[k];
            old_bone[k] = before[k] - old_bone[k];
            new_bone[k] = after[k] - new_bone[k];
        }
        if (on > 0) carry(old_bone, new_bone, own);
        for (int k = 0; k < 3; k++) skl_put(out + j * job->out.step, job->dtype, k, after[k] + own[k]);
    }
}

/* Write out what is parked. */
static void flush(bench *b) {
    skl_fabrik_tile *t = &b->parked->t;
    const int count = b->num_parked;
    if (count == 0) return;
    for (int i = count; i < count + SKL_FABRIK_SPARE; i++) set_addresses(b, b->parked, i, b->parked->item[count - 1]);
    b->work->kernels->fabrik_finish(t, count);
    for (int i = 0; i < count; i++) {
        const int64_t item = b->parked->item[i];
        if (b->open[i]) continue;
        if (b->work->plan->num_joints < b->work->plan->num_all) carry_others(b, item);
        write_result(b, item, status_of(b, i), row_number(b, t->error, i), (int)row_number(b, t->passes, i));
    }
    memset(b->open, 0, sizeof b->open);
    b->num_parked = 0;
}

/* A chain that stays as it is. */
static void leave(const bench *b, int64_t item, int bad) {
    const skl_solve_fabrik_job *job = b->work->job;
    const char *in = operand(b, POSITIONS, item);
    char *out = operand(b, OUT, item);
    for (int64_t j = 0; j < job->num_joints; j++)
        memmove(out + j * job->out.step, in + j * job->positions.step, (size_t)(3 * skl_itemsize(job->dtype)));
    write_result(b, item, bad ? SKL_BAD_INPUT : SKL_REACHED, bad ? (double)NAN : measure(b, item), 0);
}

/* 1 if a joint that is on no path to a target is not finite. */
static int others_are_bad(const bench *b, int64_t item) {
    const skl_fabrik_plan *plan = b->work->plan;
    double sum = 0, v[3];
    if (plan->num_joints == plan->num_all) return 0;
    for (int32_t j = 0; j < plan->num_all; j++)
        sum += skl_vector(operand(b, POSITIONS, item) + j * b->work->job->positions.step, b->work->job->dtype, v);
    return !(sum >= 0 && sum <= 0);
}

/* Take column i out of the tile; the last one gets its place. */
static void remove_column(bench *b, int i) {
    b->count--;
    if (i < b->count) copy_column(b, b->going, b->count, b->going, i);
}

static void park(bench *b, int i) {
    if (b->num_parked == SKL_FABRIK_COLUMNS) flush(b);
    copy_column(b, b->going, i, b->parked, b->num_parked++);
    remove_column(b, i);
}

/* Take new chains in from column b->count on: `items` from number `next`. */
static void take_in(bench *b, int64_t next, int items) {
    const int first = b->count, last = first + items;
    skl_fabrik_tile *t = &b->going->t;
    for (int i = 0; i < items; i++) set_addresses(b, b->going, first + i, next + i);
    for (int i = last; i < last + SKL_FABRIK_SPARE; i++) set_addresses(b, b->going, i, next + items - 1);
    b->work->kernels->fabrik_start(t, first, last);
    b->count = last;
    for (int i = last - 1; i >= first; i--) {
        int state = (int)row_number(b, t->state, i);
        if (others_are_bad(b, b->going->item[i])) state = SKL_FABRIK_BAD;
        if (state == SKL_FABRIK_BAD || (state == SKL_FABRIK_THERE && !t->has_pole)) {
            leave(b, b->going->item[i], state == SKL_FABRIK_BAD);
            remove_column(b, i);
        } else if (state != SKL_FABRIK_GOING) {
            park(b, i);
        }
    }
}

static int is_done(const bench *b, int column) {
    return row_number(b, b->going->t.error, column) <= b->work->tolerance ||
           row_number(b, b->going->t.passes, column) >= b->work->job->max_iterations;
}

/* What is done leaves. Where that is most of the tile, the tile itself is parked, and the rest continues in the other.
 */
static void part(bench *b) {
    int done = 0, kept = 0;
    unsigned char open[SKL_FABRIK_COLUMNS] = {0};
    for (int i = 0; i < b->count; i++) {
        open[i] = !is_done(b, i);
        done += !open[i];
    }
    if (2 * done < b->count) {
        for (int i = b->count - 1; i >= 0; i--)
            if (!open[i]) park(b, i);
        return;
    }
    flush(b);
    for (int i = 0; i < b->count; i++) {
        b->open[i] = open[i];
        if (open[i]) copy_column(b, b->going, i, b->parked, kept++);
    }
    tile *const full = b->going;
    b->going = b->parked;
    b->parked = full;
    b->num_parked = b->count;
    b->count = kept;
    flush(b);
}

static void solve_piece(void *context, const skl_walk *piece, int worker) {
    const fabrik_work *work = context;
    bench b;
    b.work = work;
    b.walk = piece;
    b.count = b.num_parked = 0;
    b.going = &b.tiles[0];
    b.parked = &b.tiles[1];
    memset(b.open, 0, sizeof b.open);
    for (int k = 0; k < 2; k++) begin_tile(work, &b.tiles[k], work->scratch + (2 * worker + k) * work->tile_bytes);
    for (int64_t next = 0; (next < piece->run || b.count > 0) && !skl_worker_stopped(worker);) {
        const int64_t left = piece->run - next;
        if (left > 0 && 2 * b.count <= SKL_FABRIK_COLUMNS) {
            const int room = SKL_FABRIK_COLUMNS - b.count, items = left < room ? (int)left : room;
            take_in(&b, next, items);
            next += items;
        }
        if (b.count == 0) continue;
        work->kernels->fabrik_pass(&b.going->t, b.count);
        part(&b);
    }
    flush(&b);
}

static skl_code walk_chains(skl_solve_fabrik_job *job, const skl_fabrik_plan *plan, const skl_batch *batch) {
    fabrik_work work = {.job = job, .plan = plan, .kernels = skl_kernels_for(job->dtype)};
    skl_walk w;
    skl_walk_begin(&w, batch);
    if (w.remaining == 0) return SKL_OK;
    const int64_t grain = skl_grain(ENOUGH_JOINTS, plan->num_joints, SKL_FABRIK_COLUMNS);
    const int workers = skl_walk_workers(&w, grain);
    const int rows = count_rows(plan, &work.moved_rows);
    /* Compared with errors in the numbers of the job: as such a number */
    work.tolerance = job->dtype == SKL_FLOAT32 ? (double)(float)job->tolerance : job->tolerance;
    work.row_bytes = SKL_FABRIK_WIDTH * skl_itemsize(job->dtype);
    work.tile_bytes =
        (rows * work.row_bytes + count_split_bytes(plan) + SKL_ALIGNMENT - 1) / SKL_ALIGNMENT * SKL_ALIGNMENT;
    work.scratch = skl_aligned_alloc(2 * workers * work.tile_bytes);
    if (!work.scratch) return skl_fail(&job->status, SKL_NO_MEMORY, "out", "");
    memset(work.scratch, 0, (size_t)(2 * workers * work.tile_bytes));
    /* Alone it checks after every pass itself: pieces would leave columns idle at their ends. */
    (void)skl_walk_parallel(&w, workers == 1 ? INT64_MAX : grain, workers, solve_piece, &work);
    skl_aligned_free(work.scratch);
    return skl_done(&job->status);
}

skl_code skl_solve_fabrik_run(skl_solve_fabrik_job *job) {
    const int64_t number = skl_itemsize(job->dtype);
    const skl_operand operands[OPERANDS] = {{&job->positions, "positions", 0, 0, 0},
                                            {&job->target, "target", 0, 0, 0},
                                            {&job->pole, "pole", 1, 0, 0},
                                            {&job->out, "out", 0, job->num_joints, 3 * number},
                                            {&job->out_status, "out_status", 0, 1, 1},
                                            {&job->out_error, "out_error", 0, 1, number},
                                            {&job->out_iterations, "out_iterations", 0, 1, (int64_t)sizeof(int32_t)}};
    skl_batch batch;
    skl_fabrik_plan plan;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_operands(operands, OPERANDS, &batch, &job->status);
    if (code == SKL_OK) code = skl_fabrik_plan_init(&plan, job);
    if (code != SKL_OK) return code;
    code = walk_chains(job, &plan, &batch);
    skl_fabrik_plan_free(&plan);
    return code;
}
