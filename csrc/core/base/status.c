/* SPDX-License-Identifier: MIT */
#include "status.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

skl_code skl_fail(skl_status *status, skl_code code, const char *argument, const char *rule) {
    status->code = code;
    status->argument = argument;
    status->rule = rule;
    status->num_indices = 0;
    status->num_values = 0;
    return code;
}

skl_code skl_fail_index(skl_status *status, int64_t index) {
    if (status->num_indices < SKL_MAX_DIMS + 2) status->index[status->num_indices++] = index;
    return status->code;
}

skl_code skl_fail_value(skl_status *status, double value) {
    if (status->num_values < 12) status->value[status->num_values++] = value;
    return status->code;
}

skl_code skl_fail_vector(skl_status *status, const double value[3]) {
    for (int i = 0; i < 3; i++) skl_fail_value(status, value[i]);
    return status->code;
}

skl_code skl_fail_number(skl_status *status, const char *argument, double value, const char *rule) {
    skl_fail(status, SKL_BAD_VALUE, argument, rule);
    return skl_fail_value(status, value);
}

skl_code skl_fail_in(skl_status *status, const char *argument, int64_t first, int64_t second, const char *rule) {
    skl_fail(status, SKL_BAD_VALUE, argument, rule);
    skl_fail_index(status, first);
    return skl_fail_index(status, second);
}

skl_code skl_fail_at(skl_status *status, const char *argument, int64_t index, double value, const char *rule) {
    skl_fail(status, SKL_BAD_VALUE, argument, rule);
    skl_fail_index(status, index);
    return skl_fail_value(status, value);
}

/* A text that grows inside of a buffer of fixed size. */
typedef struct skl_text {
    char *begin;
    size_t size;
    size_t used;
} skl_text;

static void append(skl_text *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const size_t room = text->size - text->used;
    const int written = vsnprintf(text->begin + text->used, room, format, list);
    va_end(list);
    if (written > 0) text->used += (size_t)written < room ? (size_t)written : room - 1;
}

char *skl_status_text(const skl_status *status, char *text, size_t size) {
    skl_text out = {text, size, 0};
    if (size == 0) return text;
    text[0] = 0;
    const char *const word = status->code == SKL_OK          ? "ok"
                             : status->code == SKL_NO_MEMORY ? "out of memory"
                             : status->code == SKL_STOPPED   ? "stopped"
                                                             : NULL;
    if (word) {
        append(&out, "%s", word);
        return text;
    }
    append(&out, "%s", status->argument);
    for (int32_t i = 0; i < status->num_indices; i++)
        append(&out, "%s%lld", i == 0 ? "[" : ", ", (long long)status->index[i]);
    if (status->num_indices > 0) append(&out, "]");
    for (int32_t i = 0; i < status->num_values; i++) {
        const char *before = i > 0 ? ", " : status->num_values > 1 ? " is [" : " is ";
        /* indices are shown with all their digits */
        const int whole = fabs(status->value[i]) < 1e15 && floor(status->value[i]) == status->value[i];
        /* the sign of what is not a number says nothing and is printed by some systems only */
        if (isnan(status->value[i]))
            append(&out, "%snan", before);
        else
            append(&out, whole ? "%s%.0f" : "%s%.9g", before, status->value[i]);
    }
    if (status->num_values > 1) append(&out, "]");
    append(&out, ": %s", status->rule);
    return text;
}
