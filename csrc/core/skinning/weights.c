/* SPDX-License-Identifier: MIT */
/* Skin weights: checked once, packed without the zeros and sorted by number of influences inside of blocks, so that
 * skinning meets neither bad nor idle joints and vertices with few influences do not pay for others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "skelkin/skelkin.h"

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
    return skl_fail_value(status, value);
}

static skl_code check_entries(const layout *l, int64_t num_joints, const int64_t *joints, const double *values,
                              skl_status *status) {
    for (int64_t v = 0; v < l->num_vertices; v++)
        for (int64_t k = first_entry(l, v); k < first_entry(l, v + 1); k++) {
            if (joints[k] < 0 || joints[k] >= num_joints)
                return fail_entry(l, status, "indices", v, k, (double)joints[k],
                                  "a joint index must be at least 0 and less than num_joints");
            if (!isfinite(values[k]))
                return fail_entry(l, status, l->offsets ? "data" : "weights", v, k, values[k],
                                  "a weight must be finite");
        }
    return SKL_OK;
}

static int is_used(double weight) { return weight < 0 || weight > 0; }

/* Influences of a vertex that are used. */
static int32_t count_used(const layout *l, const double *values, int64_t vertex) {
    int32_t used = 0;
    for (int64_t k = first_entry(l, vertex); k < first_entry(l, vertex + 1); k++) used += is_used(values[k]);
    return used;
}

/* Sort `size` vertices by their counts, stable: their numbers go to `order`, the groups to `groups` unless that is
 * NULL. Returns the number of groups. */
static int64_t sort_block(const int32_t *counts, int size, uint8_t *order, skl_weights_group *groups) {
    int64_t found = 0;
    int32_t last = -1;
    for (int slot = 0; slot < size; found++) {
        int32_t next = INT32_MAX;
        for (int i = 0; i < size; i++)
            if (counts[i] > last && counts[i] < next) next = counts[i];
        const int first = slot;
        for (int i = 0; i < size; i++)
            if (counts[i] == next) order[slot++] = (uint8_t)i;
        if (groups) groups[found] = (skl_weights_group){0, next, slot - first, first};
        last = next;
    }
    return found;
}

/* Counts and size of a block. */
static int block_counts(const layout *l, const double *values, int64_t block, int32_t counts[SKL_WEIGHTS_BLOCK]) {
    const int64_t first = block * SKL_WEIGHTS_BLOCK, rest = l->num_vertices - first;
    const int size = rest < SKL_WEIGHTS_BLOCK ? (int)rest : SKL_WEIGHTS_BLOCK;
    for (int i = 0; i < size; i++) counts[i] = count_used(l, values, first + i);
    return size;
}

/* The memory of skl_weights while it is being filled. */
typedef struct packed_weights {
    int64_t *block_groups;
    skl_weights_group *groups;
    uint8_t *order;
    uint16_t *joints;
    uint16_t *pivots;
    uint16_t *used;
    float *f32;
    double *f64;
} packed_weights;

/* The joint of the largest weight; of equals the lowest, so that the order of influences does not matter. One that
 * occurs more than once has the sum. `totals` holds a zero for each joint, before and after. */
static uint16_t find_pivot(const uint16_t *joints, const double *values, int64_t count, double *totals) {
    uint16_t best = count > 0 ? joints[0] : 0;
    for (int64_t k = 0; k < count; k++) totals[joints[k]] += values[k];
    for (int64_t k = 1; k < count; k++) {
        const uint16_t joint = joints[k];
        if (totals[joint] > totals[best] || (joint < best && totals[joint] >= totals[best])) best = joint;
    }
    for (int64_t k = 0; k < count; k++) totals[joints[k]] = 0;
    return best;
}

/* The joints that occur, each once, rising; returns their number. `seen` holds num_joints zeros. */
static int64_t list_used(const uint16_t *joints, int64_t entries, int64_t num_joints, double *seen, uint16_t *used) {
    int64_t count = 0;
    for (int64_t k = 0; k < entries; k++) seen[joints[k]] = 1;
    for (int64_t j = 0; j < num_joints; j++)
        if (seen[j] > 0) used[count++] = (uint16_t)j;
    return count;
}

static void pack(const layout *l, int64_t blocks, const int64_t *joints, const double *values, double *totals,
                 packed_weights *to) {
    int64_t entry = 0, group = 0;
    for (int64_t b = 0; b < blocks; b++) {
        int32_t counts[SKL_WEIGHTS_BLOCK];
        const int64_t first = b * SKL_WEIGHTS_BLOCK;
        uint8_t *order = to->order + first;
        const int size = block_counts(l, values, b, counts);
        to->block_groups[b] = group;
        const int64_t end = group + sort_block(counts, size, order, to->groups + group);
        for (; group < end; group++) {
            skl_weights_group *g = &to->groups[group];
            g->entry = entry;
            for (int i = g->slot; i < g->slot + g->count; i++) {
                for (int64_t k = first_entry(l, first + order[i]); k < first_entry(l, first + order[i] + 1); k++) {
                    if (!is_used(values[k])) continue;
                    to->joints[entry] = (uint16_t)joints[k];
                    to->f32[entry] = (float)values[k];
                    to->f64[entry++] = values[k];
                }
                const int64_t from = entry - g->influences;
                to->pivots[first + i] = find_pivot(to->joints + from, to->f64 + from, g->influences, totals);
            }
        }
    }
    to->block_groups[blocks] = group;
}

/* Entries with a weight, and groups, of all blocks. */
static void measure(const layout *l, int64_t blocks, const double *values, int64_t *entries, int64_t *groups) {
    *entries = *groups = 0;
    for (int64_t b = 0; b < blocks; b++) {
        int32_t counts[SKL_WEIGHTS_BLOCK];
        uint8_t order[SKL_WEIGHTS_BLOCK];
        const int size = block_counts(l, values, b, counts);
        for (int i = 0; i < size; i++) *entries += counts[i];
        *groups += sort_block(counts, size, order, NULL);
    }
}

skl_code skl_weights_init(skl_weights *weights, int64_t num_vertices, int64_t max_influences, int64_t num_joints,
                          const int64_t *offsets, const int64_t *joints, const double *values, skl_status *status) {
    memset(weights, 0, sizeof *weights);
    if (num_joints < 1 || num_joints > SKL_MAX_JOINTS)
        return skl_fail(status, SKL_BAD_VALUE, "num_joints", "there are 1 to 65535 joints");
    if (num_vertices < 0 || max_influences < 0)
        return skl_fail(status, SKL_BAD_VALUE, num_vertices < 0 ? "num_vertices" : "max_influences",
                        "its number is negative");
    const layout l = {num_vertices, max_influences, offsets};
    skl_code code = check_offsets(&l, status);
    if (code == SKL_OK) code = skl_check_counted(joints, first_entry(&l, num_vertices), "joints", status);
    if (code == SKL_OK) code = skl_check_counted(values, first_entry(&l, num_vertices), "values", status);
    if (code == SKL_OK) code = check_entries(&l, num_joints, joints, values, status);
    if (code != SKL_OK) return code;

    const int64_t blocks = (num_vertices + SKL_WEIGHTS_BLOCK - 1) / SKL_WEIGHTS_BLOCK;
    int64_t used, groups;
    measure(&l, blocks, values, &used, &groups);
    /* Kernels that take four weights at a time read up to three behind the last one. */
    const size_t entries = (size_t)used + 3;
    /* In falling order of alignment. */
    const size_t f64_size = entries * sizeof(double), starts_size = ((size_t)blocks + 1) * sizeof(int64_t);
    const size_t groups_size = (size_t)groups * sizeof(skl_weights_group), f32_size = entries * sizeof(float);
    const size_t joints_size = entries * sizeof(uint16_t), pivots_size = (size_t)num_vertices * sizeof(uint16_t);
    const size_t used_size = (size_t)num_joints * sizeof(uint16_t);
    char *memory = malloc(f64_size + starts_size + groups_size + f32_size + joints_size + pivots_size + used_size +
                          (size_t)num_vertices);
    double *of_joints = calloc((size_t)num_joints, sizeof *of_joints);
    if (!memory || !of_joints) {
        free(memory);
        free(of_joints);
        return skl_fail(status, SKL_NO_MEMORY, "weights", "");
    }
    packed_weights to;
    to.f64 = (double *)(void *)memory;
    to.block_groups = (int64_t *)(void *)(memory + f64_size);
    to.groups = (skl_weights_group *)(void *)((char *)to.block_groups + starts_size);
    to.f32 = (float *)(void *)((char *)to.groups + groups_size);
    to.joints = (uint16_t *)(void *)((char *)to.f32 + f32_size);
    to.pivots = (uint16_t *)(void *)((char *)to.joints + joints_size);
    to.used = (uint16_t *)(void *)((char *)to.pivots + pivots_size);
    to.order = (uint8_t *)to.used + used_size;
    pack(&l, blocks, joints, values, of_joints, &to);
    *weights = (skl_weights){.num_vertices = num_vertices,
                             .num_joints = num_joints,
                             .num_used = list_used(to.joints, used, num_joints, of_joints, to.used),
                             .block_groups = to.block_groups,
                             .groups = to.groups,
                             .order = to.order,
                             .joints = to.joints,
                             .pivots = to.pivots,
                             .used = to.used,
                             .weights_f32 = to.f32,
                             .weights_f64 = to.f64,
                             .memory = memory};
    free(of_joints);
    return SKL_OK;
}

void skl_weights_free(skl_weights *weights) {
    free(weights->memory);
    memset(weights, 0, sizeof *weights);
}
