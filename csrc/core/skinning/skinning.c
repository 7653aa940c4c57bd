/* SPDX-License-Identifier: MIT */
/* Points, normals and tangents that follow matrices. */
#include <stddef.h>

#include "skin_tiles.h"
#include "core/base/dispatch.h"
#include "core/base/status.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "skelkin/skelkin.h"

/* Operands of the walk behind those of the streams. */
enum { MATRICES = SKL_SKIN_PALETTE, NUM_OPERANDS };

/* Where the matrices of a walk are packed from. */
typedef struct matrices {
    const skl_array *array;
    const skl_kernel_set *kernels;
    int64_t num_joints;
} matrices;

static void pack(const matrices *from, const skl_walk *run, int64_t pose, int64_t poses, void *packed,
                 void (*kernel)(const skl_pack_block *)) {
    const skl_pack_block block = {run->at[MATRICES] + pose * run->step[MATRICES],
                                  run->step[MATRICES],
                                  from->array->step,
                                  from->num_joints,
                                  (int32_t)poses,
                                  packed};
    kernel(&block);
}

static void palette_lanes(const void *context, const skl_walk *run, int64_t pose, int64_t poses, void *packed) {
    const matrices *from = context;
    pack(from, run, pose, poses, packed, from->kernels->pack_lanes);
}

static void palette_rows(const void *context, const skl_walk *run, int64_t pose, void *packed, void *scratch) {
    const matrices *from = context;
    (void)scratch;
    pack(from, run, pose, 1, packed, from->kernels->pack_rows);
}

static skl_palette palette_of(const matrices *from) { return (skl_palette){from, palette_lanes, palette_rows, 0}; }

skl_code skl_skin_points_run(skl_skin_points_job *job) {
    static const skl_array none;
    const skl_array *const inputs[] = {&job->points, &job->matrices};
    const skl_array *const arrays[NUM_OPERANDS] = {&job->points, &none, &none, &job->out, &none, &none, &job->matrices};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    const skl_code code = skl_check_shapes(inputs, 2, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, arrays, NUM_OPERANDS, shape, ndim);
    const matrices from = {&job->matrices, skl_kernels_for(job->dtype), job->weights->num_joints};
    const skl_skin_call calls[SKL_SKIN_CALLS] = {{.weights = job->weights,
                                                  .dtype = job->dtype,
                                                  .method = job->method,
                                                  .part = {{3, job->points.step, job->out.step}},
                                                  .palette = palette_of(&from)}};
    return skl_skin_run(calls, &w, "matrices", &job->status);
}

/* Leading dimensions of all arrays of the job. */
static skl_code check_mesh(skl_skin_mesh_job *job, int64_t shape[SKL_MAX_DIMS], int *ndim) {
    const skl_array *const inputs[] = {&job->points, &job->normals, &job->tangents, &job->matrices};
    const skl_array *const outputs[] = {&job->out_points, &job->out_normals, &job->out_tangents};
    for (int k = 0; k < SKL_STREAMS; k++) {
        if (!outputs[k]->data) continue;
        const skl_code code = skl_check_shapes(inputs, 4, outputs[k], shape, ndim, &job->status);
        if (code != SKL_OK) return code;
    }
    return SKL_OK;
}

skl_code skl_skin_mesh_run(skl_skin_mesh_job *job) {
    const skl_array *const arrays[NUM_OPERANDS] = {&job->points,     &job->normals,     &job->tangents,
                                                   &job->out_points, &job->out_normals, &job->out_tangents,
                                                   &job->matrices};
    int64_t shape[SKL_MAX_DIMS];
    int ndim = 0;
    job->status.code = SKL_OK;
    if (!job->points.data && !job->normals.data && !job->tangents.data) return SKL_OK;
    const skl_code code = check_mesh(job, shape, &ndim);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, arrays, NUM_OPERANDS, shape, ndim);
    const matrices from = {&job->matrices, skl_kernels_for(job->dtype), job->weights->num_joints};
    skl_skin_call calls[SKL_SKIN_CALLS] = {
        {.weights = job->weights, .dtype = job->dtype, .method = job->method, .palette = palette_of(&from)},
        {.weights = NULL}};
    /* Points go by vertex; normals and tangents too, or in a call of their own by corner. */
    skl_skin_call *directions = &calls[0];
    if (job->corners) {
        directions = &calls[1];
        *directions = calls[0];
        directions->weights = job->corners;
    }
    if (job->points.data) calls[0].part[SKL_POINTS] = (skl_skin_part){3, job->points.step, job->out_points.step};
    if (job->normals.data) directions->part[SKL_NORMALS] = (skl_skin_part){3, job->normals.step, job->out_normals.step};
    if (job->tangents.data)
        directions->part[SKL_TANGENTS] = (skl_skin_part){job->tangent_size, job->tangents.step, job->out_tangents.step};
    return skl_skin_run(calls, &w, "matrices", &job->status);
}
