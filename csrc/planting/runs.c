/* SPDX-License-Identifier: MIT */
/* Runs of flags. */
#include "contacts.h"

int skl_next_run(const uint8_t *flags, int64_t count, int64_t from, skl_span *run) {
    while (from < count && !flags[from]) from++;
    if (from >= count) return 0;
    run->first = from;
    while (from < count && flags[from]) from++;
    run->last = from - 1;
    return 1;
}
