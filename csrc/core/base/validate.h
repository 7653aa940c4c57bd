/* SPDX-License-Identifier: MIT */
/* Checks of values that several jobs share. */
#pragma once

#include "skelkin/skelkin.h"

/* Some joints of a pose: `joints`, or where that is NULL the first `count`. */
typedef struct skl_joint_list {
    int64_t count;
    const int32_t *joints;
} skl_joint_list;

/* A precision; a skeleton or weights that were made. What was never set is 0. */
skl_code skl_check_dtype(skl_dtype dtype, skl_status *status);
skl_code skl_check_skeleton(const skl_skeleton *skeleton, skl_status *status);
skl_code skl_check_weights(const skl_weights *weights, const char *name, skl_status *status);

/* `joint` is one of the skeleton's. */
skl_code skl_check_joint(const skl_skeleton *skeleton, int64_t joint, const char *argument, skl_status *status);

/* A pointer of a job. */
typedef struct skl_pointer {
    const void *at;
    const char *name;
} skl_pointer;

/* None of them is NULL; else the first is named. */
skl_code skl_check_pointers(const skl_pointer *pointers, int count, skl_status *status);
#define SKL_CHECK_POINTERS(pointers, status)                                                                           \
    skl_check_pointers((pointers), (int)(sizeof(pointers) / sizeof *(pointers)), (status))

/* `count` of something at `at`, which may be NULL where there is none. */
skl_code skl_check_counted(const void *at, int64_t count, const char *name, skl_status *status);

/* Matrices have 3 or 4 rows: `argument`, a count of rows that was never set, is 0. */
skl_code skl_check_rows(int32_t rows, const char *argument, skl_status *status);

/* Every quaternion of these joints of every item is finite and not zero; else `argument[index]` and the quaternion go
 * into `status`. */
skl_code skl_check_quaternions(const skl_array *rotations, const skl_joint_list *list, skl_dtype dtype,
                               const char *argument, skl_status *status);

/* Bounds of a number, with themselves or, where open, without. */
typedef enum skl_open { SKL_CLOSED = 0, SKL_OPEN_BELOW = 1, SKL_OPEN_ABOVE = 2 } skl_open;
typedef struct skl_bounds {
    double least, most;
    skl_open open;
} skl_bounds;

/* Every number of `array` (data NULL: none) is within; else `argument[index]` and the number go into `status`. */
skl_code skl_check_numbers(const skl_array *array, skl_dtype dtype, const skl_bounds *bounds, const char *argument,
                           const char *rule, skl_status *status);

/* Address of item `number` of the array's own leading dimensions in C order, and its index for a message. */
const char *skl_item_at(const skl_array *array, int64_t number);
void skl_fail_item_index(skl_status *status, const skl_array *array, int64_t number);
