/* SPDX-License-Identifier: MIT */
/* Runs of flags, and flags of spans. */
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

int64_t skl_runs_within(skl_spans spans, const uint8_t *flags, skl_span *out) {
    int64_t count = 0;
    for (int64_t i = 0; i < spans.count; i++) {
        const skl_span whole = spans.at[i];
        skl_span run;
        for (int64_t from = whole.first; skl_next_run(flags, whole.last + 1, from, &run); from = run.last + 1)
            if (run.first < run.last || whole.first == whole.last) out[count++] = run;
    }
    return count;
}
