/* SPDX-License-Identifier: MIT */
#include "joint_path.h"

#include <math.h>
#include <string.h>

#include "affine.h"
#include "core/base/dispatch.h"
#include "core/base/map.h"
#include "core/base/numbers.h"
#include "core/base/parallel_walk.h"
#include "core/base/status.h"
#include "core/base/stop.h"

/* Matrices that are worth a thread's while. */
enum { ENOUGH_MATRICES = 32 * 1024 };

int64_t skl_common_ancestor(const int32_t *parents, int64_t a, int64_t b) {
    while (a != b) {
        if (a > b)
            a = parents[a];
        else
            b = parents[b];
    }
    return a;
}

static void load(const char *at, skl_dtype dtype, double out[16]) {
    if (dtype == SKL_FLOAT32)
        for (int i = 0; i < 12; i++) out[i] = (double)((const float *)(const void *)at)[i];
    else
        memcpy(out, at, 12 * sizeof *out);
    for (int i = 12; i < 16; i++) out[i] = i == 15;
}

void skl_path_product(const skl_joint_path *path, const char *pose, int64_t step, skl_dtype dtype, double out[16]) {
    double other[16], next[16], *product = out, *longer = other;
    int64_t j = path->joint;
    for (int i = 0; i < 16; i++) out[i] = i % 5 == 0;
    if (j == path->ancestor) return;
    load(pose + j * step, dtype, out);
    for (j = path->parents[j]; j != path->ancestor; j = path->parents[j]) {
        load(pose + j * step, dtype, next);
        skl_affine_multiply(next, product, longer);
        double *const before = product;
        product = longer;
        longer = before;
    }
    if (product != out) memcpy(out, product, sizeof other);
}

static void load_rows(const skl_pose_tile *tile, int64_t joint, skl_affine_rows out) {
    skl_dispatch()->limb_poses.load[skl_is_wide(tile->dtype)](tile->at + joint * tile->step, tile->item, tile->count,
                                                              out);
}

void skl_path_rows(const skl_joint_path *path, const skl_pose_tile *tile, skl_affine_rows out) {
    if (path->joint == path->ancestor) {
        for (int k = 0; k < 12; k++)
            for (int i = 0; i < SKL_TWO_BONE_TILE; i++) out[k][i] = k % 5 == 0 ? 1.0 : 0.0;
        return;
    }
    load_rows(tile, path->joint, out);
    for (int64_t j = path->parents[path->joint]; j != path->ancestor; j = path->parents[j])
        skl_dispatch()->limb_poses.carry[skl_is_wide(tile->dtype)](tile->at + j * tile->step, tile->item, tile->count,
                                                                   out);
}

/* Quick: what may be singular, or is not finite, is left to those who look closely. */
typedef struct quick_look {
    const skl_joint_path *path;
    int64_t step;
    skl_dtype dtype;
    char unclear[SKL_MAX_THREADS];
} quick_look;

int skl_rows_are_regular(const skl_affine_rows m, int count) {
    int clear = 1;
    for (int i = 0; i < count; i++) {
        const double determinant = m[0][i] * (m[5][i] * m[10][i] - m[6][i] * m[9][i]) -
                                   m[1][i] * (m[4][i] * m[10][i] - m[6][i] * m[8][i]) +
                                   m[2][i] * (m[4][i] * m[9][i] - m[5][i] * m[8][i]);
        /* At most the product of the sizes of the rows. */
        const double bound = (fabs(m[0][i]) + fabs(m[1][i]) + fabs(m[2][i])) *
                             (fabs(m[4][i]) + fabs(m[5][i]) + fabs(m[6][i])) *
                             (fabs(m[8][i]) + fabs(m[9][i]) + fabs(m[10][i]));
        clear &= (fabs(determinant) > 1e-9 * bound) & (bound > 1e-100) & (bound < 1e100);
    }
    return clear;
}

static void look_at_piece(void *context, const skl_walk *w, int worker) {
    quick_look *look = context;
    skl_affine_rows matrices;
    for (int64_t i = 0; i < w->run && !look->unclear[worker]; i += SKL_TWO_BONE_TILE) {
        const int64_t left = w->run - i;
        const skl_pose_tile tile = {look->dtype, w->at[0] + i * w->step[0], w->step[0], look->step,
                                    left < SKL_TWO_BONE_TILE ? (int)left : SKL_TWO_BONE_TILE};
        /* One that is singular would show in the product. */
        skl_path_rows(look->path, &tile, matrices);
        if (!skl_rows_are_regular(matrices, tile.count)) look->unclear[worker] = 1;
    }
}

/* Every matrix, one joint after the other. */
static skl_code look_closely(const skl_joint_path *path, const skl_array *local, skl_dtype dtype, skl_status *status) {
    for (int64_t j = path->joint; j != path->ancestor; j = path->parents[j]) {
        skl_array joint = *local;
        if (joint.data) joint.data = (char *)joint.data + j * local->step;
        joint.step = 4 * skl_itemsize(dtype);
        const skl_map_job map = {.verb = SKL_MAP_INVERT,
                                 .dtype = dtype,
                                 .inputs = 1,
                                 .in = {{&joint, "local", SKL_INVERTIBLE, NULL}},
                                 .status = status};
        const skl_code code = skl_map_check(&map);
        if (code == SKL_OK) continue;
        skl_fail_index(status, j);
        return code;
    }
    return SKL_OK;
}

skl_code skl_check_path(const skl_joint_path *path, const skl_array *local, skl_dtype dtype, skl_status *status) {
    if (path->joint == path->ancestor) return SKL_OK;
    quick_look look = {.path = path, .step = local->step, .dtype = dtype};
    int64_t joints = 0;
    for (int64_t j = path->joint; j != path->ancestor; j = path->parents[j]) joints++;
    skl_batch batch;
    skl_walk w;
    skl_batch_of(&batch, local);
    skl_walk_begin(&w, &batch);
    if (w.remaining == 0) return SKL_OK;
    const int64_t grain = skl_grain(ENOUGH_MATRICES, joints, SKL_TWO_BONE_TILE);
    const int workers = skl_walk_workers(&w, grain);
    if (skl_walk_parallel(&w, grain, workers, look_at_piece, &look)) return skl_done_unless(1, status);
    for (int i = 0; i < workers; i++)
        if (look.unclear[i]) return look_closely(path, local, dtype, status);
    return SKL_OK;
}
