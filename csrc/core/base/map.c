/* SPDX-License-Identifier: MIT */
#include "map.h"

#include <math.h>

#include "numbers.h"
#include "parallel_walk.h"
#include "status.h"
#include "stop.h"
#include "validate.h"
#include "view.h"

/* 1 if the kernel takes the matrix: it decides what is singular. */
static int has_inverse(const skl_map_job *job, const char *at) {
    const skl_map_operand matrix = {(char *)(uintptr_t)at, 0, job->in[0].array->step};
    const skl_map_block block = {.count = 1, .check_only = 1, .in = {matrix}};
    return !skl_kernels_for(job->dtype)->map[job->verb](&block);
}

/* Numbers of an item; of a matrix those of a row. */
static int width_of(skl_rule rule) {
    if (rule == SKL_FINITE_1) return 1;
    return rule == SKL_UNIT_3 || rule == SKL_FINITE_3 ? 3 : 4;
}

static int keeps_rule(const skl_map_job *job, const skl_map_input *in, const char *at) {
    if (in->rule == SKL_INVERTIBLE) return has_inverse(job, at);
    int zero = in->rule == SKL_UNIT_3 || in->rule == SKL_UNIT_4;
    for (int i = 0; i < width_of(in->rule); i++) {
        const double number = skl_number(at, job->dtype, i);
        if (!isfinite(number)) return 0;
        if (number < 0 || number > 0) zero = 0;
    }
    return !zero;
}

/* Name item `number` of the input, with its numbers. */
static skl_code fail_item(const skl_map_job *job, const skl_map_input *in, int64_t number) {
    static const char *const rules[] = {[SKL_UNIT_3] = "a direction must be finite and not zero",
                                        [SKL_UNIT_4] = "a quaternion must be finite and not zero",
                                        [SKL_INVERTIBLE] = "a singular matrix has no inverse",
                                        [SKL_FINITE_1] = "it must be finite",
                                        [SKL_FINITE_3] = "all three must be finite"};
    const char *at = skl_item_at(in->array, number);
    const int matrix = in->rule == SKL_INVERTIBLE, width = width_of(in->rule);
    skl_fail(job->status, SKL_BAD_VALUE, in->name, rules[in->rule]);
    skl_fail_item_index(job->status, in->array, number);
    for (int r = 0; r < (matrix ? 3 : 1); r++)
        for (int i = 0; i < width; i++)
            skl_fail_value(job->status, skl_number(at + r * in->array->step, job->dtype, i));
    return SKL_BAD_VALUE;
}

/* Name the first item that breaks the rule of its input. */
static skl_code find_broken(const skl_map_job *job) {
    for (int k = 0; k < job->inputs; k++) {
        const skl_map_input *in = &job->in[k];
        int64_t items = in->rule == SKL_ANY ? 0 : 1;
        for (int d = 0; d < in->array->ndim; d++) items *= in->array->shape[d];
        for (int64_t i = 0; i < items && skl_goes_on(i); i++)
            if (!keeps_rule(job, in, skl_item_at(in->array, i))) return fail_item(job, in, i);
    }
    if (skl_done(job->status) != SKL_OK) return SKL_STOPPED;
    return skl_fail(job->status, SKL_BAD_VALUE, job->in[0].name, "a value broke a rule");
}

/* What the workers share; each says in a place of its own whether an item broke a rule. */
typedef struct map_work {
    const skl_map_job *job;
    int check_only;
    int broken[SKL_MAX_THREADS];
} map_work;

static void run_piece(void *context, const skl_walk *w, int worker) {
    map_work *work = context;
    const skl_map_job *job = work->job;
    const skl_kernel_set *kernels = skl_kernels_for(job->dtype);
    skl_map_block block = {.count = w->run, .check_only = work->check_only, .out_rows = job->out_rows};
    for (int k = 0; k < job->inputs; k++) block.in[k] = (skl_map_operand){w->at[k], w->step[k], job->in[k].array->step};
    for (int k = 0, o = job->inputs; k < job->outputs; k++, o++)
        block.out[k] = (skl_map_operand){w->at[o], w->step[o], job->out[k].array->step};
    work->broken[worker] |= kernels->map[job->verb](&block);
}

/* Items that are worth a thread's while. */
enum { GRAIN = 16 * 1024 };

/* Run the kernel over everything, and name what breaks a rule. */
static skl_code run_all(const skl_map_job *job, const skl_batch *batch, int check_only) {
    skl_walk w;
    skl_walk_begin(&w, batch);
    const int workers = skl_walk_workers(&w, GRAIN);
    map_work work;
    work.job = job;
    work.check_only = check_only;
    for (int i = 0; i < workers; i++) work.broken[i] = 0;
    const int cut = skl_walk_parallel(&w, GRAIN, workers, run_piece, &work);
    int broken = 0;
    for (int i = 0; i < workers; i++) broken |= work.broken[i];
    return broken ? find_broken(job) : skl_done_unless(cut, job->status);
}

skl_code skl_map_run(const skl_map_job *job) {
    skl_operand operands[SKL_MAP_INPUTS + SKL_MAP_OUTPUTS];
    skl_batch batch;
    int ruled = 0;
    for (int k = 0; k < job->inputs; k++) {
        const skl_map_input *in = &job->in[k];
        operands[k] = (skl_operand){in->array, in->member ? in->member : in->name, 0, 0, 0};
        ruled |= in->rule != SKL_ANY;
    }
    for (int k = 0; k < job->outputs; k++) {
        const skl_map_output *out = &job->out[k];
        operands[job->inputs + k] =
            (skl_operand){out->array, out->name, 0, out->rows, out->numbers * skl_itemsize(job->dtype)};
    }
    job->status->code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, job->status);
    if (code == SKL_OK) code = skl_check_operands(operands, job->inputs + job->outputs, &batch, job->status);
    if (code != SKL_OK) return code;
    if (ruled && !job->spoils_out) code = run_all(job, &batch, 1);
    return code == SKL_OK ? run_all(job, &batch, 0) : code;
}

skl_code skl_map_check(const skl_map_job *job) {
    skl_batch batch;
    skl_batch_of(&batch, job->in[0].array);
    job->status->code = SKL_OK;
    return run_all(job, &batch, 1);
}
