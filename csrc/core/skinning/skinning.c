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
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_skin(job->weights, job->dtype, job->method, &job->status);
    if (code != SKL_OK) return code;
    const skl_operand operands[NUM_OPERANDS] = {
        {&job->points, "points", 0, 0, 0},
        {&none, "", 1, 0, 0},
        {&none, "", 1, 0, 0},
        {&job->out, "out", 0, job->weights->num_vertices, 3 * skl_itemsize(job->dtype)},
        {&none, "", 1, 0, 0},
        {&none, "", 1, 0, 0},
        {&job->matrices, "matrices", 0, 0, 0}};
    code = skl_check_operands(operands, NUM_OPERANDS, &batch, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, &batch);
    const matrices from = {&job->matrices, skl_kernels_for(job->dtype), job->weights->num_joints};
    const skl_skin_call calls[SKL_SKIN_CALLS] = {{.weights = job->weights,
                                                  .dtype = job->dtype,
                                                  .method = job->method,
                                                  .part = {{3, job->points.step, job->out.step}},
                                                  .palette = palette_of(&from)}};
    return skl_skin_run(calls, &w, "matrices", &job->status);
}

static skl_code check_corners(skl_skin_mesh_job *job) {
    const skl_code code = skl_check_weights(job->corners, "corners", &job->status);
    if (code != SKL_OK || job->corners->num_joints == job->weights->num_joints) return code;
    return skl_fail(&job->status, SKL_BAD_VALUE, "corners",
                    "they must have as many joints as weights: see skl_weights_take");
}

/* What is given has a place to go to. */
static skl_code check_mesh(skl_skin_mesh_job *job, skl_batch *batch) {
    static const skl_array none;
    const skl_weights *directions = job->corners ? job->corners : job->weights;
    const int64_t number = skl_itemsize(job->dtype), vertices = job->weights->num_vertices;
    const skl_array *in[] = {&job->points, &job->normals, &job->tangents};
    const skl_array *out[] = {&job->out_points, &job->out_normals, &job->out_tangents};
    for (int k = 0; k < SKL_STREAMS; k++)
        if (!in[k]->data) out[k] = &none;
    const skl_operand operands[NUM_OPERANDS] = {
        {in[SKL_POINTS], "points", job->normals.data || job->tangents.data, 0, 0},
        {in[SKL_NORMALS], "normals", 1, 0, 0},
        {in[SKL_TANGENTS], "tangents", 1, 0, 0},
        {out[SKL_POINTS], "out_points", !in[SKL_POINTS]->data, vertices, 3 * number},
        {out[SKL_NORMALS], "out_normals", !in[SKL_NORMALS]->data, directions->num_vertices, 3 * number},
        {out[SKL_TANGENTS], "out_tangents", !in[SKL_TANGENTS]->data, directions->num_vertices,
         job->tangent_size * number},
        {&job->matrices, "matrices", 0, 0, 0}};
    skl_code code = skl_check_operands(operands, NUM_OPERANDS, batch, &job->status);
    if (code == SKL_OK && job->tangents.data && job->tangent_size != 3 && job->tangent_size != 4)
        code = skl_fail(&job->status, SKL_BAD_VALUE, "tangent_size", "it must be 3 or 4");
    return code;
}

skl_code skl_skin_mesh_run(skl_skin_mesh_job *job) {
    skl_batch batch;
    job->status.code = SKL_OK;
    skl_code code = skl_check_skin(job->weights, job->dtype, job->method, &job->status);
    if (code == SKL_OK && job->corners) code = check_corners(job);
    if (code == SKL_OK) code = check_mesh(job, &batch);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, &batch);
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
