/* SPDX-License-Identifier: MIT */
/* Spans of frames. */
#pragma once

#include <string.h>

#include "skelkin/planting.h"

static inline int64_t skl_span_frames(skl_span span) { return span.last - span.first + 1; }

static inline int64_t skl_fewer(int64_t a, int64_t b) { return a < b ? a : b; }

static inline int64_t skl_more(int64_t a, int64_t b) { return a > b ? a : b; }

/* Frames of all spans together. */
static inline int64_t skl_spans_frames(skl_spans spans) {
    int64_t count = 0;
    for (int64_t i = 0; i < spans.count; i++) count += skl_span_frames(spans.at[i]);
    return count;
}

static inline int skl_same_spans(skl_spans a, skl_spans b) {
    return a.count == b.count && (!a.count || !memcmp(a.at, b.at, (size_t)a.count * sizeof *a.at));
}

/* Find the first run of flags at or behind `from` that are set; returns 0 if there is none before `count`. */
int skl_next_run(const uint8_t *flags, int64_t count, int64_t from, skl_span *run);

/* The runs of set flags within spans, into `out`, which has room for all; returns their number. A single frame of a
 * longer span is left out. */
int64_t skl_runs_within(skl_spans spans, const uint8_t *flags, skl_span *out);

/* The most runs that so many flags can have. */
static inline int64_t skl_most_runs(int64_t count) { return (count + 1) / 2; }

/* A flag per frame: whether it lies in one of the spans. */
void skl_span_mask(skl_spans spans, int64_t count, uint8_t *out);
