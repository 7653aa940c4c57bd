/* SPDX-License-Identifier: MIT */
/* Filling in a skl_status in one line. */
#pragma once

#include "skelkin/skelkin.h"

/* Let a status say what that of a job does; returns its code. */
static inline skl_code skl_pass_on(const skl_status *of_job, skl_status *status) {
    *status = *of_job;
    return status->code;
}

/* Set `status` to code, argument and rule, without index and value; returns the code. */
skl_code skl_fail(skl_status *status, skl_code code, const char *argument, const char *rule);

/* The rule of what was left out and must not be. */
#define SKL_IS_MISSING "it is missing"

/* Add an index, a value or three of them to a status that skl_fail has set; returns the code. */
skl_code skl_fail_index(skl_status *status, int64_t index);
skl_code skl_fail_value(skl_status *status, double value);
skl_code skl_fail_vector(skl_status *status, const double value[3]);

/* The whole of it for one value. */
skl_code skl_fail_number(skl_status *status, const char *argument, double value, const char *rule);

/* The whole of it for two indices. */
skl_code skl_fail_in(skl_status *status, const char *argument, int64_t first, int64_t second, const char *rule);

/* The whole of it for one index and one value. */
skl_code skl_fail_at(skl_status *status, const char *argument, int64_t index, double value, const char *rule);
