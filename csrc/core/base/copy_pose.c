/* SPDX-License-Identifier: MIT */
#include "copy_pose.h"

#include <string.h>

#include "numbers.h"

void skl_copy_pose(const skl_pose_copy *copy, const char *from, char *to) {
    const int64_t row = copy->dtype == SKL_FLOAT32 ? 16 : 32, matrix = row * copy->to_rows;
    const int32_t rows = copy->from_rows < copy->to_rows ? copy->from_rows : copy->to_rows;
    if (from == to) return;
    if (copy->from_rows == copy->to_rows && copy->from_step == matrix && copy->to_step == matrix) {
        memcpy(to, from, (size_t)(copy->num_joints * matrix));
        return;
    }
    for (int64_t j = 0; j < copy->num_joints; j++, from += copy->from_step, to += copy->to_step) {
        memcpy(to, from, (size_t)(rows * row));
        if (rows < copy->to_rows)
            for (int k = 12; k < 16; k++) skl_put(to, copy->dtype, k, k == 15);
    }
}
