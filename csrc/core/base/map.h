/* SPDX-License-Identifier: MIT */
/* Running a map kernel over the broadcast items of a job. */
#pragma once

#include "dispatch.h"
#include "skelkin/skelkin.h"

/* What every item of an input must be. */
typedef enum skl_rule {
    SKL_ANY,
    SKL_UNIT_3, /* three numbers that have a direction */
    SKL_UNIT_4, /* a quaternion */
    SKL_INVERTIBLE,
    SKL_FINITE_1, /* one number */
    SKL_FINITE_3
} skl_rule;

typedef struct skl_map_input {
    const skl_array *array;
    const char *name;
    skl_rule rule;
    const char *member; /* of the job, where that has another name; or NULL */
} skl_map_input;

/* Rows of an item, `step` bytes apart, and numbers of each; none of a vector is a row. */
typedef struct skl_map_output {
    const skl_array *array;
    const char *name;
    int32_t numbers, rows;
} skl_map_output;

typedef struct skl_map_job {
    skl_map_verb verb;
    skl_dtype dtype;
    int32_t inputs, outputs;
    skl_map_input in[SKL_MAP_INPUTS];
    skl_map_output out[SKL_MAP_OUTPUTS];
    int32_t out_rows;
    int32_t spoils_out; /* what is in the output after a failure does not matter */
    skl_status *status;
} skl_map_job;

/* Check shapes and rules, then write. On a broken rule the first input that breaks one is named with index and value.
 */
skl_code skl_map_run(const skl_map_job *job);

/* Check the rule of the only input and write nothing; the outputs do not count. */
skl_code skl_map_check(const skl_map_job *job);
