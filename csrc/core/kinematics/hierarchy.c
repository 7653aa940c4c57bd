/* SPDX-License-Identifier: MIT */
/* The skeleton: checked once, so that no job has to. */
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "core/transforms/affine.h"
#include "skelkin/skelkin.h"

static skl_code check_parents(int64_t num_joints, const int64_t *parents, skl_status *status) {
    for (int64_t j = 0; j < num_joints; j++) {
        const int64_t p = parents[j];
        const char *rule = NULL;
        if (p < -1) rule = "a parent is an earlier joint, or -1 for a root";
        if (p == j) rule = "a joint cannot be its own parent";
        if (p > j) rule = "a parent must come before its child";
        if (p >= num_joints) rule = "there is no joint of this number";
        if (rule) return skl_fail_at(status, "parents", j, (double)p, rule);
    }
    return SKL_OK;
}

static skl_code check_matrices(const char *argument, int64_t count, const double *matrices, skl_status *status) {
    for (int64_t j = 0; j < count; j++) {
        if (skl_affine_check(matrices + 16 * j)) continue;
        skl_fail(status, SKL_BAD_VALUE, argument, "a matrix must be finite and its last row 0 0 0 1");
        return skl_fail_index(status, j);
    }
    return SKL_OK;
}

static void narrow(const double *from, float *to, int64_t count) {
    for (int64_t i = 0; i < count; i++) to[i] = (float)from[i];
}

/* Global rest matrices, and their inverses where the caller gave none. */
static skl_code fill_globals(skl_skeleton *s, double *rest_global, double *inverse_bind, int given,
                             skl_status *status) {
    for (int64_t j = 0; j < s->num_joints; j++) {
        const int64_t p = s->parents[j];
        double *global = rest_global + 16 * j;
        const double *local = s->rest_local + 16 * j;
        if (p < 0)
            memcpy(global, local, 16 * sizeof(double));
        else
            skl_affine_multiply(rest_global + 16 * p, local, global);
        if (given || skl_affine_invert(global, inverse_bind + 16 * j)) continue;
        skl_fail(status, SKL_BAD_VALUE, "rest_local", "its global matrix has no inverse: give inverse_bind");
        return skl_fail_index(status, j);
    }
    return SKL_OK;
}

skl_code skl_skeleton_init(skl_skeleton *skeleton, int64_t num_joints, const int64_t *parents, const double *rest_local,
                           const double *inverse_bind, skl_status *status) {
    const skl_pointer pointers[] = {{parents, "parents"}, {rest_local, "rest_local"}};
    memset(skeleton, 0, sizeof *skeleton);
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    if (num_joints < 1 || num_joints > SKL_MAX_JOINTS)
        return skl_fail(status, SKL_BAD_VALUE, "parents", "a skeleton has 1 to 65535 joints");
    skl_code code = check_parents(num_joints, parents, status);
    if (code == SKL_OK) code = check_matrices("rest_local", num_joints, rest_local, status);
    if (code == SKL_OK && inverse_bind) code = check_matrices("inverse_bind", num_joints, inverse_bind, status);
    if (code != SKL_OK) return code;

    const size_t n = (size_t)num_joints, matrices = 16 * n, offsets = 3 * n;
    const size_t f64_size = (3 * matrices + offsets) * sizeof(double), f32_size = (matrices + offsets) * sizeof(float);
    char *memory = malloc(f64_size + f32_size + n * sizeof(int32_t));
    if (!memory) return skl_fail(status, SKL_NO_MEMORY, "parents", "");
    double *local = (double *)(void *)memory, *global = local + matrices, *bind = global + matrices;
    double *rest_offsets = bind + matrices;
    float *bind_f32 = (float *)(void *)(memory + f64_size), *offsets_f32 = bind_f32 + matrices;
    int32_t *own_parents = (int32_t *)(void *)(memory + f64_size + f32_size);
    *skeleton = (skl_skeleton){.num_joints = num_joints,
                               .parents = own_parents,
                               .rest_local = local,
                               .rest_global = global,
                               .inverse_bind = bind,
                               .rest_offsets = rest_offsets,
                               .rest_offsets_f32 = offsets_f32,
                               .inverse_bind_f32 = bind_f32,
                               .memory = memory};
    for (size_t j = 0; j < n; j++) own_parents[j] = (int32_t)parents[j];
    memcpy(local, rest_local, matrices * sizeof(double));
    if (inverse_bind) memcpy(bind, inverse_bind, matrices * sizeof(double));
    code = fill_globals(skeleton, global, bind, inverse_bind != NULL, status);
    if (code != SKL_OK) {
        skl_skeleton_free(skeleton);
        return code;
    }
    for (size_t i = 0; i < offsets; i++) rest_offsets[i] = local[16 * (i / 3) + 4 * (i % 3) + 3];
    narrow(bind, bind_f32, (int64_t)matrices);
    narrow(rest_offsets, offsets_f32, (int64_t)offsets);
    return SKL_OK;
}

void skl_skeleton_free(skl_skeleton *skeleton) {
    free(skeleton->memory);
    memset(skeleton, 0, sizeof *skeleton);
}
