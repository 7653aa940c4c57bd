/* SPDX-License-Identifier: MIT */
/* The weights of some vertices, in any order: rows are found again in the sorted blocks and packed again. */
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "skelkin/skelkin.h"

/* The influences of a vertex: entries first .. first + count - 1. */
typedef struct row {
    int64_t first;
    int64_t count;
} row;

static void find_rows(const skl_weights *weights, row *rows) {
    const int64_t blocks = (weights->num_vertices + SKL_WEIGHTS_BLOCK - 1) / SKL_WEIGHTS_BLOCK;
    for (int64_t b = 0; b < blocks; b++)
        for (int64_t i = weights->block_groups[b]; i < weights->block_groups[b + 1]; i++) {
            const skl_weights_group *g = &weights->groups[i];
            const uint8_t *order = weights->order + b * SKL_WEIGHTS_BLOCK + g->slot;
            for (int32_t k = 0; k < g->count; k++)
                rows[b * SKL_WEIGHTS_BLOCK + order[k]] = (row){g->entry + (int64_t)k * g->influences, g->influences};
        }
}

/* The rows as skl_weights_init takes them. */
static skl_code pack_rows(skl_weights *taken, const skl_weights *weights, const row *rows, const int64_t *vertices,
                          int64_t count, skl_status *status) {
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) entries += rows[vertices[i]].count;
    int64_t *offsets = malloc((size_t)(count + 1 + 2 * entries) * sizeof *offsets);
    if (!offsets) return skl_fail(status, SKL_NO_MEMORY, "corners", "");
    int64_t *joints = offsets + count + 1;
    double *values = (double *)(void *)(joints + entries);
    offsets[0] = 0;
    for (int64_t i = 0, entry = 0; i < count; i++) {
        const row *r = &rows[vertices[i]];
        for (int64_t k = r->first; k < r->first + r->count; k++, entry++) {
            joints[entry] = weights->joints[k];
            values[entry] = weights->weights_f64[k];
        }
        offsets[i + 1] = entry;
    }
    const skl_code code = skl_weights_init(taken, count, 0, weights->num_joints, offsets, joints, values, status);
    free(offsets);
    return code;
}

skl_code skl_weights_take(skl_weights *taken, const skl_weights *weights, const int64_t *vertices, int64_t count,
                          skl_status *status) {
    memset(taken, 0, sizeof *taken);
    skl_code code = skl_check_weights(weights, "weights", status);
    if (code == SKL_OK) code = skl_check_counted(vertices, count, "vertices", status);
    if (code != SKL_OK) return code;
    for (int64_t i = 0; i < count; i++)
        if (vertices[i] < 0 || vertices[i] >= weights->num_vertices)
            return skl_fail_at(status, "corners", i, (double)vertices[i],
                               "a vertex index must be at least 0 and less than the number of vertices");
    row *rows = malloc(((size_t)weights->num_vertices + 1) * sizeof *rows);
    if (!rows) return skl_fail(status, SKL_NO_MEMORY, "corners", "");
    find_rows(weights, rows);
    code = pack_rows(taken, weights, rows, vertices, count, status);
    free(rows);
    return code;
}
