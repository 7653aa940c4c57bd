/* SPDX-License-Identifier: MIT */
/* A text with some of its parts replaced. */
#include <string.h>

#include "motion_text.h"

int64_t skl_splice_size(const skl_splice_job *job) {
    int64_t at = job->start, size = 0;
    if (at < 0 || job->stop > job->size) return -1;
    for (int64_t k = 0; k < job->num_parts; k++) {
        if (job->begins[k] < at || job->ends[k] < job->begins[k]) return -1;
        if (job->piece_begins[k] < 0 || job->piece_ends[k] < job->piece_begins[k] ||
            job->piece_ends[k] > job->pieces_size)
            return -1;
        size += job->begins[k] - at + job->piece_ends[k] - job->piece_begins[k];
        at = job->ends[k];
    }
    return job->stop < at ? -1 : size + job->stop - at;
}

static uint8_t *copied(uint8_t *out, const uint8_t *text, int64_t begin, int64_t end) {
    if (end > begin) memcpy(out, text + begin, (size_t)(end - begin));
    return out + (end - begin);
}

void skl_splice_run(const skl_splice_job *job) {
    uint8_t *out = job->out;
    int64_t at = job->start;
    for (int64_t k = 0; k < job->num_parts; k++) {
        out = copied(out, job->text, at, job->begins[k]);
        out = copied(out, job->pieces, job->piece_begins[k], job->piece_ends[k]);
        at = job->ends[k];
    }
    copied(out, job->text, at, job->stop);
}
