/* SPDX-License-Identifier: MIT */
#include "validate.h"

#include "dispatch.h"
#include "numbers.h"
#include "parallel_walk.h"
#include "status.h"
#include "stop.h"
#include "view.h"

/* Index of item `number` of the array's own leading dimensions, in C order. */
void skl_fail_item_index(skl_status *status, const skl_array *array, int64_t number) {
    int64_t index[SKL_MAX_DIMS];
    for (int d = array->ndim - 1; d >= 0; d--) {
        index[d] = number % array->shape[d];
        number /= array->shape[d];
    }
    for (int d = 0; d < array->ndim; d++) skl_fail_index(status, index[d]);
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

/* Quaternions between two checks whether to go on. */
enum { ENOUGH_QUATERNIONS = 64 * 1024 };

typedef struct quaternion_search {
    const skl_kernel_set *kernels;
    int bad, cut;
} quaternion_search;

static void search_piece(void *context, const skl_walk *w, int worker) {
    quaternion_search *search = context;
    const skl_quaternion_block block = {w->at[0], w->step[0], w->run};
    (void)worker;
    search->bad = search->bad || search->kernels->find_bad_quaternion(&block) >= 0;
}

/* Look at the quaternions of all items. The joints become one more dimension of the walk, so that a batch without gaps
 * is one run; single joints are one run over the items each. */
static void search_all(const skl_array *rotations, const skl_joint_list *list, quaternion_search *search) {
    if (rotations->ndim == 0 && !list->joints) {
        const skl_quaternion_block block = {rotations->data, rotations->step, list->count};
        search->bad = search->kernels->find_bad_quaternion(&block) >= 0;
        return;
    }
    const int whole = !list->joints && rotations->ndim < SKL_MAX_DIMS;
    const int64_t walks = whole ? 1 : list->count;
    skl_array array = *rotations;
    if (whole) {
        array.shape[array.ndim] = list->count;
        array.strides[array.ndim++] = rotations->step;
    }
    for (int64_t k = 0; k < walks && !search->bad && !search->cut; k++) {
        if (!whole) array.data = (char *)rotations->data + (list->joints ? list->joints[k] : k) * rotations->step;
        skl_batch batch;
        skl_walk w;
        skl_batch_of(&batch, &array);
        skl_walk_begin(&w, &batch);
        search->cut = skl_walk_parallel(&w, ENOUGH_QUATERNIONS, 1, search_piece, search);
    }
}

skl_code skl_check_dtype(skl_dtype dtype, skl_status *status) {
    if (dtype == SKL_FLOAT32 || dtype == SKL_FLOAT64) return SKL_OK;
    return skl_fail_number(status, "dtype", dtype, "it must be SKL_FLOAT32 or SKL_FLOAT64");
}

skl_code skl_check_skeleton(const skl_skeleton *skeleton, skl_status *status) {
    if (skeleton && skeleton->parents) return SKL_OK;
    return skl_fail(status, SKL_BAD_VALUE, "skeleton", "it is missing: skl_skeleton_init makes one");
}

skl_code skl_check_weights(const skl_weights *weights, const char *name, skl_status *status) {
    if (weights && weights->block_groups) return SKL_OK;
    return skl_fail(status, SKL_BAD_VALUE, name, "they are missing: skl_weights_init makes them");
}

skl_code skl_check_pointers(const skl_pointer *pointers, int count, skl_status *status) {
    for (int k = 0; k < count; k++)
        if (!pointers[k].at) return skl_fail(status, SKL_BAD_VALUE, pointers[k].name, SKL_IS_MISSING);
    return SKL_OK;
}

skl_code skl_check_counted(const void *at, int64_t count, const char *name, skl_status *status) {
    if (count == 0 || (count > 0 && at)) return SKL_OK;
    return skl_fail(status, SKL_BAD_VALUE, name,
                    count < 0 ? "its number is negative" : "it is missing, and its number is not 0");
}

skl_code skl_check_joint(const skl_skeleton *skeleton, int64_t joint, const char *argument, skl_status *status) {
    if (joint >= 0 && joint < skeleton->num_joints) return SKL_OK;
    return skl_fail_number(status, argument, (double)joint, "it must be at least 0 and less than the number of joints");
}

skl_code skl_check_rows(int32_t rows, const char *argument, skl_status *status) {
    if (rows == 3 || rows == 4) return SKL_OK;
    return skl_fail_number(status, argument, rows, "a matrix has 4 rows, or 3 without the last");
}

skl_code skl_check_quaternions(const skl_array *rotations, const skl_joint_list *list, skl_dtype dtype,
                               const char *argument, skl_status *status) {
    quaternion_search search = {skl_kernels_for(dtype), 0, 0};
    search_all(rotations, list, &search);
    if (!search.bad) return skl_done_unless(search.cut, status);
    int64_t items = 1;
    for (int d = 0; d < rotations->ndim; d++) items *= rotations->shape[d];
    for (int64_t i = 0; i < items && skl_slowly_goes_on(i); i++)
        for (int64_t k = 0; k < list->count; k++) {
            const int64_t joint = list->joints ? list->joints[k] : k;
            const char *at = skl_item_at(rotations, i) + joint * rotations->step;
            const skl_quaternion_block block = {at, rotations->step, 1};
            if (skl_kernels_for(dtype)->find_bad_quaternion(&block) < 0) continue;
            skl_fail(status, SKL_BAD_VALUE, argument, "a quaternion must be finite and not zero");
            skl_fail_item_index(status, rotations, i);
            skl_fail_index(status, joint);
            for (int n = 0; n < 4; n++) skl_fail_value(status, skl_number(at, dtype, n));
            return SKL_BAD_VALUE;
        }
    if (skl_done(status) != SKL_OK) return SKL_STOPPED;
    return skl_fail(status, SKL_BAD_VALUE, argument,
                    "a quaternion must be finite and not zero"); /* changed meanwhile */
}

static int is_within(double value, const skl_bounds *b) {
    const int above = b->open & SKL_OPEN_BELOW ? value > b->least : value >= b->least;
    return above && (b->open & SKL_OPEN_ABOVE ? value < b->most : value <= b->most);
}

skl_code skl_check_numbers(const skl_array *array, skl_dtype dtype, const skl_bounds *bounds, const char *argument,
                           const char *rule, skl_status *status) {
    int64_t index[SKL_MAX_DIMS] = {0}, items = array->data ? 1 : 0;
    for (int d = 0; d < array->ndim; d++) items *= array->shape[d];
    const char *at = array->data;
    for (int64_t n = 0; n < items && skl_goes_on(n); n++) {
        const double value = skl_number(at, dtype, 0);
        if (!is_within(value, bounds)) {
            skl_fail(status, SKL_BAD_VALUE, argument, rule);
            for (int d = 0; d < array->ndim; d++) skl_fail_index(status, index[d]);
            return skl_fail_value(status, value);
        }
        for (int d = array->ndim - 1; d >= 0; d--) {
            at += array->strides[d];
            if (++index[d] < array->shape[d]) break;
            at -= array->strides[d] * array->shape[d];
            index[d] = 0;
        }
    }
    return skl_done_after(items, status);
}
