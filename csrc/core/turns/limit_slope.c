/* SPDX-License-Identifier: MIT */
/* Normals of the ground that lean no further than they may. */
#include <math.h>

#include "slope.h"
#include "core/base/numbers.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "core/transforms/turn.h"
#include "core/transforms/vector3.h"
#include "skelkin/turns.h"

enum { NORMAL, UP, MOST, OUT, NUM_OPERANDS };

/* Normals that are worth a thread's while. */
enum { ENOUGH_NORMALS = 4096 };

void skl_slope_within(const double normal[3], const double up[3], double most, double out[3]) {
    double n[3], u[3], level[3], side[3];
    if (!skl_unit(normal, n) || !skl_unit(up, u)) {
        for (int i = 0; i < 3; i++) out[i] = (double)NAN;
        return;
    }
    const double rise = skl_v3_dot(n, u);
    for (int i = 0; i < 3; i++) level[i] = n[i] - rise * u[i];
    for (int i = 0; i < 3; i++) out[i] = n[i];
    if (!(atan2(sqrt(skl_v3_dot(level, level)), rise) > most)) return;
    skl_across(n, u, level);
    const double sine = skl_unit(level, side) ? sin(most) : 0, cosine = sine > 0 || most <= 0 ? cos(most) : 1;
    for (int i = 0; i < 3; i++) out[i] = cosine * u[i] + sine * side[i];
}

skl_code skl_check_slopes(const skl_array *max_slope, skl_dtype dtype, skl_status *status) {
    const skl_bounds bounds = {0, dtype == SKL_FLOAT32 ? (double)(float)SKL_PI : SKL_PI, SKL_CLOSED};
    return skl_check_numbers(max_slope, dtype, &bounds, "max_slope", "it must lie within 0 .. pi", status);
}

static void limit_piece(void *context, const skl_walk *w, int worker) {
    const skl_dtype dtype = ((const skl_limit_slope_job *)context)->dtype;
    (void)worker;
    for (int64_t i = 0; i < w->run; i++) {
        double normal[3], up[3], out[3];
        (void)skl_vector(w->at[NORMAL] + i * w->step[NORMAL], dtype, normal);
        (void)skl_vector(w->at[UP] + i * w->step[UP], dtype, up);
        skl_slope_within(normal, up, skl_number(w->at[MOST] + i * w->step[MOST], dtype, 0), out);
        for (int k = 0; k < 3; k++) skl_put(w->at[OUT] + i * w->step[OUT], dtype, k, out[k]);
    }
}

skl_code skl_limit_slope_run(skl_limit_slope_job *job) {
    const skl_operand operands[NUM_OPERANDS] = {{&job->normal, "normal", 0, 0, 0},
                                                {&job->up, "up", 0, 0, 0},
                                                {&job->max_slope, "max_slope", 0, 0, 0},
                                                {&job->out, "out", 0, 1, 3 * skl_itemsize(job->dtype)}};
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = skl_check_operands(operands, NUM_OPERANDS, &batch, &job->status);
    if (code == SKL_OK) code = skl_check_slopes(&job->max_slope, job->dtype, &job->status);
    if (code != SKL_OK) return code;
    return skl_walk_all(&batch, ENOUGH_NORMALS, limit_piece, job, &job->status);
}
