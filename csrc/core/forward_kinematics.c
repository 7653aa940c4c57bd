/* SPDX-License-Identifier: MIT */
/* Jobs over skeletons: check, walk the batch in runs, hand each run to the kernel. */
#include "dispatch.h"
#include "skelkin.h"
#include "status.h"
#include "validate.h"
#include "view.h"

skl_code skl_forward_kinematics_run(skl_pose_job *job) {
    const skl_array *const arrays[] = {&job->matrices, &job->out};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    const skl_code code = skl_check_shapes(arrays, 1, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    const skl_kernel_set *kernels = skl_kernels_for(job->dtype);
    skl_walk w;
    for (skl_walk_begin(&w, arrays, 2, shape, ndim); w.remaining > 0; skl_walk_next(&w)) {
        const skl_fk_block block = {job->skeleton->parents,
                                    job->skeleton->num_joints,
                                    w.run,
                                    w.at[0],
                                    w.step[0],
                                    job->matrices.step,
                                    w.at[1],
                                    w.step[1],
                                    job->out.step,
                                    job->out_rows};
        kernels->forward_kinematics(&block);
    }
    return SKL_OK;
}

/* The rest pose's translations as an array. Jobs only read their inputs, but a caller's inputs need not be const. */
static skl_array rest_translations(const skl_skeleton *skeleton, skl_dtype dtype) {
    const void *data = dtype == SKL_FLOAT32 ? (const void *)skeleton->rest_offsets_f32 : skeleton->rest_offsets;
    skl_array array;
    array.data = (void *)(uintptr_t)data;
    array.step = 3 * skl_itemsize(dtype);
    array.ndim = 0;
    return array;
}

skl_code skl_forward_kinematics_trs_run(skl_forward_kinematics_trs_job *job) {
    const skl_array rest = rest_translations(job->skeleton, job->dtype);
    const skl_array *translations = job->translations.data ? &job->translations : &rest;
    const skl_array *const arrays[] = {&job->rotations, translations, &job->scales, &job->out};
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    skl_code code = skl_check_shapes(arrays, 3, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    code = skl_check_quaternions(&job->rotations, job->skeleton->num_joints, job->dtype, "rotations", &job->status);
    if (code != SKL_OK) return code;
    const skl_kernel_set *kernels = skl_kernels_for(job->dtype);
    skl_walk w;
    for (skl_walk_begin(&w, arrays, 4, shape, ndim); w.remaining > 0; skl_walk_next(&w)) {
        const skl_fk_trs_block block = {job->skeleton->parents,
                                        job->skeleton->num_joints,
                                        w.run,
                                        w.at[0],
                                        w.at[1],
                                        w.at[2],
                                        w.step[0],
                                        job->rotations.step,
                                        w.step[1],
                                        translations->step,
                                        w.step[2],
                                        job->scales.step,
                                        w.at[3],
                                        w.step[3],
                                        job->out.step,
                                        job->out_rows};
        kernels->forward_kinematics_trs(&block);
    }
    return SKL_OK;
}

skl_code skl_skinning_matrices_run(skl_pose_job *job) {
    const skl_array *const arrays[] = {&job->matrices, &job->out};
    const skl_skeleton *skeleton = job->skeleton;
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    const skl_code code = skl_check_shapes(arrays, 1, &job->out, shape, &ndim, &job->status);
    if (code != SKL_OK) return code;
    const skl_kernel_set *kernels = skl_kernels_for(job->dtype);
    const void *right = job->dtype == SKL_FLOAT32 ? (const void *)skeleton->inverse_bind_f32 : skeleton->inverse_bind;
    skl_walk w;
    for (skl_walk_begin(&w, arrays, 2, shape, ndim); w.remaining > 0; skl_walk_next(&w)) {
        const skl_multiply_block block = {skeleton->num_joints, w.run,        w.at[0], w.step[0],
                                          job->matrices.step,   right,        w.at[1], w.step[1],
                                          job->out.step,        job->out_rows};
        kernels->multiply(&block);
    }
    return SKL_OK;
}

/* Every parent of every pose has an inverse; else global_[index] goes into `status`. */
static skl_code check_parents_invert(const skl_pose_job *job, skl_status *status) {
    const skl_skeleton *skeleton = job->skeleton;
    int64_t items = 1;
    for (int d = 0; d < job->matrices.ndim; d++) items *= job->matrices.shape[d];
    for (int64_t i = 0; i < items; i++) {
        const skl_fk_block block = {.parents = skeleton->parents,
                                    .num_joints = skeleton->num_joints,
                                    .count = 1,
                                    .local = skl_item_at(&job->matrices, i),
                                    .local_step = job->matrices.step};
        const int64_t bad = skl_kernels_for(job->dtype)->find_singular_parent(&block);
        if (bad < 0) continue;
        skl_fail(status, SKL_BAD_VALUE, "global_", "a parent's matrix must have an inverse");
        skl_fail_item_index(status, &job->matrices, i);
        skl_fail_index(status, bad);
        return SKL_BAD_VALUE;
    }
    return SKL_OK;
}

skl_code skl_local_from_global_run(skl_pose_job *job) {
    const skl_array *const arrays[] = {&job->matrices, &job->out};
    const skl_skeleton *skeleton = job->skeleton;
    int64_t shape[SKL_MAX_DIMS];
    int ndim;
    job->status.code = SKL_OK;
    skl_code code = skl_check_shapes(arrays, 1, &job->out, shape, &ndim, &job->status);
    if (code == SKL_OK) code = check_parents_invert(job, &job->status);
    if (code != SKL_OK) return code;
    skl_walk w;
    for (skl_walk_begin(&w, arrays, 2, shape, ndim); w.remaining > 0; skl_walk_next(&w)) {
        const skl_fk_block block = {skeleton->parents, skeleton->num_joints, w.run,   w.at[0],
                                    w.step[0],         job->matrices.step,   w.at[1], w.step[1],
                                    job->out.step,     job->out_rows};
        skl_kernels_for(job->dtype)->local_from_global(&block);
    }
    return SKL_OK;
}
