/* SPDX-License-Identifier: MIT */
#include "dual_palette.h"

#include "rigid_part.h"
#include "core/base/numbers.h"

/* Number `n` of a joint's `count` in one lane of [joint][count][lanes]. */
static int in_lanes(const skl_dual_palette *p, int64_t joint, int count, int n, int64_t lane) {
    return (int)((count * joint + n) * (p->lanes ? p->lanes : 1) + lane);
}

static void fetch(const skl_dual_palette *p, int64_t joint, int64_t lane, double matrix[12]) {
    for (int n = 0; n < 12; n++)
        matrix[n] = skl_number(p->matrices, p->dtype,
                               p->lanes ? in_lanes(p, joint, 12, n, lane) : (int)(16 * joint + 4 * (n % 4) + n / 4));
}

static void store(const skl_dual_palette *p, int64_t joint, int64_t lane, const double dual[8],
                  const double residual[9]) {
    for (int n = 0; n < 8; n++) skl_put(p->duals, p->dtype, in_lanes(p, joint, 8, n, lane), dual[n]);
    for (int n = 0; n < 9; n++)
        skl_put(p->residuals, p->dtype,
                p->lanes ? in_lanes(p, joint, 9, n, lane) : (int)(12 * joint + 4 * (n / 3) + n % 3), residual[n]);
}

int skl_dual_palette_fill(const skl_dual_palette *p, const skl_weights *weights) {
    static const double identity[8] = {1}, nothing[9] = {0};
    /* What is rigid to the precision of the numbers is so by intent. */
    const double tolerance = p->dtype == SKL_FLOAT32 ? 1e-6 : 1e-13;
    int any = 0;
    for (int64_t i = 0; i < weights->num_used; i++) {
        const int64_t joint = weights->used[i];
        for (int64_t lane = 0; lane < p->poses; lane++) {
            double matrix[12], dual[8], residual[9];
            fetch(p, joint, lane, matrix);
            any |= skl_rigid_part(matrix, tolerance, dual, residual);
            store(p, joint, lane, dual, residual);
        }
        for (int64_t lane = p->poses; lane < p->lanes; lane++) store(p, joint, lane, identity, nothing);
    }
    return any;
}
