/* SPDX-License-Identifier: MIT */
/* From joint rotations to points and normals: forward kinematics and the inverse bind matrices make the palette of a
 * tile, which is passed on to the vertices while it is in the cache. */

#include "skin_tiles.h"
#include "core/base/dispatch.h"
#include "core/base/status.h"
#include "core/base/validate.h"
#include "core/base/view.h"
#include "core/kinematics/pose_plan.h"
#include "skelkin/skelkin.h"

/* Operands of the walk behind those of the streams. */
enum { ROTATIONS = SKL_SKIN_PALETTE, TRANSLATIONS, SCALES, NUM_OPERANDS };

typedef struct pose_palette {
    const skl_skeleton *skeleton;
    const skl_kernel_set *kernels;
    const void *inverse_bind;
    int64_t steps[NUM_OPERANDS]; /* bytes from joint to joint */
    int64_t itemsize;
} pose_palette;

static skl_pose_view view_of(const pose_palette *p, const skl_walk *run, int64_t pose, int operand) {
    char *at = run->at[operand];
    return (skl_pose_view){at ? at + pose * run->step[operand] : NULL, run->step[operand], p->steps[operand]};
}

static skl_fk_block block_of(const pose_palette *p, const skl_fk_plan *plan, const skl_walk *run, int64_t pose,
                             int64_t poses) {
    return (skl_fk_block){.plan = plan,
                          .behind = -1,
                          .count = poses,
                          .rotations = view_of(p, run, pose, ROTATIONS),
                          .translations = view_of(p, run, pose, TRANSLATIONS),
                          .scales = view_of(p, run, pose, SCALES)};
}

static skl_fk_plan whole_pose(const skl_skeleton *skeleton) {
    return (skl_fk_plan){.slots = skeleton->num_joints, .parents = skeleton->parents, .stores = skeleton->num_joints};
}

static void palette_lanes(const void *context, const skl_walk *run, int64_t pose, int64_t poses, void *packed) {
    const pose_palette *p = context;
    const skl_fk_plan plan = whole_pose(p->skeleton);
    skl_fk_block block = block_of(p, &plan, run, pose, poses);
    block.tiles = 1;
    block.scratch = packed;
    p->kernels->skinning_lanes(&block, p->inverse_bind);
}

static void palette_rows(const void *context, const skl_walk *run, int64_t pose, void *packed, void *scratch) {
    const pose_palette *p = context;
    const int64_t joints = p->skeleton->num_joints, step = 12 * p->itemsize;
    const skl_pose_view globals = {scratch, 0, step}, matrices = {(char *)scratch + joints * step, 0, step};
    const skl_fk_plan plan = whole_pose(p->skeleton);
    skl_fk_block block = block_of(p, &plan, run, pose, 1);
    block.out = globals;
    block.out_rows = 3;
    p->kernels->forward_kinematics(&block);
    const skl_pose_block product = {.parents = p->skeleton->parents,
                                    .num_joints = joints,
                                    .count = 1,
                                    .in = globals,
                                    .out = matrices,
                                    .out_rows = 3,
                                    .right = p->inverse_bind};
    p->kernels->multiply(&product);
    const skl_pack_block pack = {matrices.at, 0, step, joints, 1, packed};
    p->kernels->pack_rows(&pack);
}

/* Shapes, the number of joints and quaternions. */
static skl_code check(skl_skin_poses_job *job, const skl_array *rest, skl_batch *batch) {
    static const skl_array none;
    const skl_joint_list all = {job->skeleton->num_joints, NULL};
    const int64_t vertices = job->weights->num_vertices, bytes = 3 * skl_itemsize(job->dtype);
    const int shaded = job->normals.data != NULL;
    const skl_operand operands[NUM_OPERANDS] = {
        {&job->points, "points", 0, 0, 0},
        {&job->normals, "normals", 1, 0, 0},
        {&none, "", 1, 0, 0},
        {&job->out_points, "out_points", 0, vertices, bytes},
        {shaded ? &job->out_normals : &none, "out_normals", !shaded, vertices, bytes},
        {&none, "", 1, 0, 0},
        {&job->rotations, "rotations", 0, 0, 0},
        {job->translations.data ? &job->translations : rest, "translations", 0, 0, 0},
        {&job->scales, "scales", 1, 0, 0}};
    if (job->weights->num_joints != job->skeleton->num_joints)
        return skl_fail_number(&job->status, "weights.num_joints", (double)job->weights->num_joints,
                               "it must be the number of joints of the skeleton");
    skl_code code = skl_check_operands(operands, NUM_OPERANDS, batch, &job->status);
    if (code == SKL_OK) code = skl_check_quaternions(&job->rotations, &all, job->dtype, "rotations", &job->status);
    return code;
}

skl_code skl_skin_poses_run(skl_skin_poses_job *job) {
    const skl_skeleton *skeleton = job->skeleton;
    const int64_t itemsize = skl_itemsize(job->dtype);
    skl_batch batch;
    skl_array rest;
    job->status.code = SKL_OK;
    skl_code code = skl_check_skin(job->weights, job->dtype, job->method, &job->status);
    if (code == SKL_OK) code = skl_check_skeleton(skeleton, &job->status);
    if (code != SKL_OK) return code;
    skl_rest_translations(skeleton, job->dtype, &rest);
    code = check(job, &rest, &batch);
    if (code != SKL_OK) return code;
    skl_walk w;
    skl_walk_begin(&w, &batch);
    pose_palette palette = {.skeleton = skeleton, .kernels = skl_kernels_for(job->dtype), .itemsize = itemsize};
    palette.inverse_bind =
        job->dtype == SKL_FLOAT32 ? (const void *)skeleton->inverse_bind_f32 : skeleton->inverse_bind;
    for (int i = 0; i < NUM_OPERANDS; i++) palette.steps[i] = batch.arrays[i]->step;
    skl_skin_call calls[SKL_SKIN_CALLS] = {
        {.weights = job->weights,
         .dtype = job->dtype,
         .method = job->method,
         .palette = {&palette, palette_lanes, palette_rows, 2 * skeleton->num_joints * 12 * itemsize}}};
    calls[0].part[SKL_POINTS] = (skl_skin_part){3, job->points.step, job->out_points.step};
    if (job->normals.data) calls[0].part[SKL_NORMALS] = (skl_skin_part){3, job->normals.step, job->out_normals.step};
    return skl_skin_run(calls, &w, "rotations", &job->status);
}
