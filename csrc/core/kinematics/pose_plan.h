/* SPDX-License-Identifier: MIT */
/* Which joints forward kinematics evaluates, and in which order. */
#pragma once

#include "core/base/aligned.h"
#include "core/base/numbers.h"
#include "kernels/kinematics/kinematics.h"
#include "skelkin/skelkin.h"

/* The plan of a whole pose (`part` NULL; nothing is allocated) or of a part of it. */
typedef struct skl_pose_plan {
    skl_fk_plan plan;
    int32_t *memory;
} skl_pose_plan;

skl_code skl_pose_plan_init(skl_pose_plan *plan, const skl_skeleton *skeleton, const skl_pose_part *part,
                            skl_status *status);
void skl_pose_plan_free(skl_pose_plan *plan);

/* The rest pose's translations as an array. Jobs only read their inputs, but a caller's inputs need not be const. */
static inline void skl_rest_translations(const skl_skeleton *skeleton, skl_dtype dtype, skl_array *array) {
    const void *data = dtype == SKL_FLOAT32 ? (const void *)skeleton->rest_offsets_f32 : skeleton->rest_offsets;
    array->data = (void *)(uintptr_t)data;
    array->step = 3 * skl_itemsize(dtype);
    array->ndim = 0;
}

/* Poses of a tile go through the caches together: beyond this many bytes of scratch they go one by one. */
enum { SKL_TILE_BYTES = 1024 * 1024 };
