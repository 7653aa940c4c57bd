/* SPDX-License-Identifier: MIT */
/* Text of motion files: tables of decimal numbers to doubles and back, and angles without jumps. */
#pragma once

#include "skelkin/skelkin.h"

/* How many words (bytes above 32) and lines a text has; a last line may lack its line feed. */
void skl_count_words(const uint8_t *text, int64_t size, int64_t *num_words, int64_t *num_lines);

/* Find the words of a text and read those that are plain decimals. */
typedef struct skl_scan_job {
    const uint8_t *text;
    int64_t size;
    int64_t *starts, *ends; /* of each word, as skl_count_words counts them */
    int64_t *line_ends;     /* of each line: its line feed, or the end of the text */
    double *values;         /* the correctly rounded number; NaN where a word is anything but a few plain digits */
    int odd;                /* set where words are separated by control characters that are no white space */
} skl_scan_job;

void skl_scan_run(skl_scan_job *job);

/* Write rows of numbers with a space between them and given texts around each row. */
typedef struct skl_format_job {
    int64_t num_rows, num_columns;
    const double *values;    /* num_rows × num_columns */
    const int64_t *decimals; /* of each column: 0 … SKL_MOST_DECIMALS */
    const uint8_t *before, *behind;
    int64_t before_size, behind_size;
    uint8_t *text;  /* room for skl_format_room bytes */
    int64_t *stops; /* where each row ends */
} skl_format_job;

#define SKL_MOST_DECIMALS 15

int64_t skl_format_room(const skl_format_job *job);

/* Returns 0, and writes nothing, if a number is not finite or has more than 15 digits. */
int skl_format_run(skl_format_job *job);

/* Replace parts of a text, from left to right. */
typedef struct skl_splice_job {
    const uint8_t *text;
    int64_t size, start, stop; /* what of the text is wanted */
    int64_t num_parts;
    const int64_t *begins, *ends; /* the parts, rising; an empty one is an insertion */
    const uint8_t *pieces;        /* holds what comes there */
    int64_t pieces_size;
    const int64_t *piece_begins, *piece_ends;
    uint8_t *out; /* room for as many bytes as skl_splice_size says */
} skl_splice_job;

/* Size of the result; -1 if parts or pieces overlap or lie outside. */
int64_t skl_splice_size(const skl_splice_job *job);
void skl_splice_run(const skl_splice_job *job);

/* Take the triples of angles, in degrees, that are nearest to those of the frames before: two triples, and any full
 * turn added to them, mean the same rotation. */
typedef struct skl_smooth_job {
    int64_t num_frames;
    const uint8_t *changed; /* frames to be changed */
    const double *angles;   /* num_frames × 3 */
    int known;              /* whether `result` holds angles to begin near to, which stay in all other frames */
    double *result;         /* num_frames × 3 */
} skl_smooth_job;

void skl_smooth_run(const skl_smooth_job *job);
