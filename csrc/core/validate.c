/* SPDX-License-Identifier: MIT */
#include "validate.h"

#include "dispatch.h"
#include "status.h"

/* Index of item `number` of the array's own leading dimensions, in C order. */
void skl_fail_item_index(skl_status *status, const skl_array *array, int64_t number) {
    int64_t index[SKL_MAX_DIMS];
    for (int d = array->ndim - 1; d >= 0; d--) {
        index[d] = number % array->shape[d];
        number /= array->shape[d];
    }
    for (int d = 0; d < array->ndim; d++) skl_fail_index(status, index[d]);
}

static double number_at(const char *at, skl_dtype dtype, int64_t i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)(const void *)at)[i] : ((const double *)(const void *)at)[i];
}

/* Address of item `number` in C order. */
const char *skl_item_at(const skl_array *array, int64_t number) {
    const char *at = array->data;
    for (int d = array->ndim - 1; d >= 0; d--) {
        at += number % array->shape[d] * array->strides[d];
        number /= array->shape[d];
    }
    return at;
}

skl_code skl_check_quaternions(const skl_array *rotations, int64_t per_item, skl_dtype dtype, const char *argument,
                               skl_status *status) {
    int64_t items = 1;
    for (int d = 0; d < rotations->ndim; d++) items *= rotations->shape[d];
    const skl_kernel_set *kernels = skl_kernels_for(dtype);
    for (int64_t i = 0; i < items; i++) {
        const char *at = skl_item_at(rotations, i);
        const skl_quaternion_block block = {at, rotations->step, per_item};
        const int64_t bad = kernels->find_bad_quaternion(&block);
        if (bad < 0) continue;
        skl_fail(status, SKL_BAD_VALUE, argument, "a quaternion must be finite and not zero");
        skl_fail_item_index(status, rotations, i);
        skl_fail_index(status, bad);
        for (int n = 0; n < 4; n++) skl_fail_value(status, number_at(at + bad * rotations->step, dtype, n));
        return SKL_BAD_VALUE;
    }
    return SKL_OK;
}
