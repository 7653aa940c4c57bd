/* SPDX-License-Identifier: MIT */
/* Skin weights: checked once and packed without the zeros, so that skinning never meets a bad or idle joint. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "skelkin.h"
#include "status.h"

/* Where the entries of a vertex are: in rows of equal length, or between offsets. */
typedef struct layout {
    int64_t num_vertices;
    int64_t max_influences;
    const int64_t *offsets;
} layout;

static int64_t first_entry(const layout *l, int64_t vertex) {
    return l->offsets ? l->offsets[vertex] : vertex * l->max_influences;
}

static skl_code check_offsets(const layout *l, skl_status *status) {
    if (!l->offsets) return SKL_OK;
    if (l->offsets[0] != 0)
        return skl_fail_at(status, "indptr", 0, (double)l->offsets[0], "the first offset must be 0");
    for (int64_t v = 0; v < l->num_vertices; v++)
        if (l->offsets[v + 1] < l->offsets[v])
            return skl_fail_at(status, "indptr", v + 1, (double)l->offsets[v + 1], "offsets must not fall");
    return SKL_OK;
}

/* Name an entry as the caller knows it: row and column, or its place in the list. */
static skl_code fail_entry(const layout *l, skl_status *status, const char *argument, int64_t v, int64_t k,
                           double value, const char *rule) {
    skl_fail(status, SKL_BAD_VALUE, argument, rule);
    if (!l->offsets) {
        skl_fail_index(status, v);
        k -= first_entry(l, v);
    }
    skl_fail_index(status, k);
    skl_fail_value(status, value);
    return SKL_BAD_VALUE;
}

/* Check every entry and count those that are not 0. */
static skl_code check_entries(const layout *l, int64_t num_joints, const int64_t *joints, const double *values,
                              int64_t *used, skl_status *status) {
    *used = 0;
    for (int64_t v = 0; v < l->num_vertices; v++)
        for (int64_t k = first_entry(l, v); k < first_entry(l, v + 1); k++) {
            if (joints[k] < 0 || joints[k] >= num_joints)
                return fail_entry(l, status, "indices", v, k, (double)joints[k],
                                  "a joint index must be at least 0 and less than num_joints");
            if (!isfinite(values[k]))
                return fail_entry(l, status, l->offsets ? "data" : "weights", v, k, values[k],
                                  "a weight must be finite");
            *used += values[k] < 0 || values[k] > 0;
        }
    return SKL_OK;
}

static void pack(const layout *l, const int64_t *joints, const double *values, int64_t *offsets, uint16_t *own_joints,
                 float *f32, double *f64) {
    int64_t used = 0;
    offsets[0] = 0;
    for (int64_t v = 0; v < l->num_vertices; v++) {
        for (int64_t k = first_entry(l, v); k < first_entry(l, v + 1); k++) {
            if (!(values[k] < 0 || values[k] > 0)) continue;
            own_joints[used] = (uint16_t)joints[k];
            f32[used] = (float)values[k];
            f64[used++] = values[k];
        }
        offsets[v + 1] = used;
    }
}

skl_code skl_weights_init(skl_weights *weights, int64_t num_vertices, int64_t max_influences, int64_t num_joints,
                          const int64_t *offsets, const int64_t *joints, const double *values, skl_status *status) {
    memset(weights, 0, sizeof *weights);
    if (num_joints < 1 || num_joints > SKL_MAX_JOINTS)
        return skl_fail(status, SKL_BAD_VALUE, "num_joints", "there are 1 to 65535 joints");
    const layout l = {num_vertices, max_influences, offsets};
    int64_t used = 0;
    skl_code code = check_offsets(&l, status);
    if (code == SKL_OK) code = check_entries(&l, num_joints, joints, values, &used, status);
    if (code != SKL_OK) return code;

    const size_t rows = (size_t)num_vertices + 1, entries = (size_t)used;
    const size_t entry = sizeof(double) + sizeof(float) + sizeof(uint16_t);
    char *memory = malloc(rows * sizeof(int64_t) + entries * entry);
    if (!memory) return skl_fail(status, SKL_NO_MEMORY, "weights", "");
    int64_t *own_offsets = (int64_t *)(void *)memory;
    double *f64 = (double *)(void *)(own_offsets + rows);
    float *f32 = (float *)(void *)(f64 + entries);
    uint16_t *own_joints = (uint16_t *)(void *)(f32 + entries);
    pack(&l, joints, values, own_offsets, own_joints, f32, f64);
    *weights = (skl_weights){num_vertices, num_joints, own_offsets, own_joints, f32, f64, memory};
    return SKL_OK;
}

void skl_weights_free(skl_weights *weights) {
    free(weights->memory);
    memset(weights, 0, sizeof *weights);
}
