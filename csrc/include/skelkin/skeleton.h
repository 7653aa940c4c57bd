/* SPDX-License-Identifier: MIT */
/* The hierarchy of joints and its rest pose. */
#ifndef SKELKIN_SKELETON_H
#define SKELKIN_SKELETON_H

#include "skelkin/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An immutable hierarchy that owns its memory. Matrices are num_joints x 16 numbers. Read, never write. */
typedef struct skl_skeleton {
    int64_t num_joints;
    const int32_t *parents; /* parents[j] < j; -1 for a root */
    const double *rest_local;
    const double *rest_global;
    const double *inverse_bind;
    const double *rest_offsets; /* num_joints x 3: the translations of rest_local */
    const float *rest_offsets_f32;
    const float *inverse_bind_f32;
    void *memory;
} skl_skeleton;

/* Check and copy. `rest_local`: num_joints x 16, last rows 0 0 0 1; `inverse_bind`: the same, or NULL for the inverses
 * of the rest pose's global matrices. On failure nothing needs to be freed. */
skl_code skl_skeleton_init(skl_skeleton *skeleton, int64_t num_joints, const int64_t *parents, const double *rest_local,
                           const double *inverse_bind, skl_status *status);
void skl_skeleton_free(skl_skeleton *skeleton);

#ifdef __cplusplus
}
#endif

#endif
