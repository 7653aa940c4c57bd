/* SPDX-License-Identifier: MIT */
/* The next run of flags, and flags of spans. */
#include <string.h>

#include "spans.h"

int skl_next_run(const uint8_t *flags, int64_t count, int64_t from, skl_span *run) {
    while (from < count && !flags[from]) from++;
    if (from >= count) return 0;
    run->first = from;
    while (from < count && flags[from]) from++;
    run->last = from - 1;
    return 1;
}

void skl_span_mask(skl_spans spans, int64_t count, uint8_t *out) {
    memset(out, 0, (size_t)count);
    for (int64_t i = 0; i < spans.count; i++) memset(out + spans.at[i].first, 1, (size_t)skl_span_frames(spans.at[i]));
}
