/* SPDX-License-Identifier: MIT */
/* A pose as it is, from where one array has it to where another wants it. */
#pragma once

#include "skelkin/base.h"

/* How two arrays of poses hold their matrices: `from_rows` and `to_rows` of them are 3 or 4, the steps in bytes. */
typedef struct skl_pose_copy {
    skl_dtype dtype;
    int64_t num_joints, from_step, to_step;
    int32_t from_rows, to_rows;
} skl_pose_copy;

/* The bits of one pose; a last row that the source lacks is 0 0 0 1. A pose that is there already is left alone. */
void skl_copy_pose(const skl_pose_copy *copy, const char *from, char *to);
