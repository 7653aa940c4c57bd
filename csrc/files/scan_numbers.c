/* SPDX-License-Identifier: MIT */
/* Words of a text, and decimals by one division: digits below 2^53 and powers of ten up to 10^22 are exact in a double,
 * so that their quotient is the correctly rounded number. */
#include <math.h>

#include "motion_text.h"
#include "core/base/stop.h"

#define MOST_CHARACTERS 18 /* whose digits an int64 holds */
#define EXACT ((uint64_t)1 << 53)

static const double powers[MOST_CHARACTERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8, 1e9,
                                                   1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18};

void skl_count_words(const uint8_t *text, int64_t size, int64_t *num_words, int64_t *num_lines) {
    int64_t words = size > 0 && text[0] > 32, lines = size > 0 && text[0] == '\n';
    for (int64_t i = 1; i < size; i++) {
        words += (text[i] > 32) & (text[i - 1] <= 32);
        lines += text[i] == '\n';
    }
    *num_words = words;
    *num_lines = lines + (size > 0 && text[size - 1] != '\n');
}

/* Read the word that begins at `i` and return where it ends; its value is NaN if it is not a number or has too many
 * digits for one division. */
static int64_t read_word(const uint8_t *text, int64_t i, int64_t size, double *value) {
    const int64_t start = i, sign = text[i] == '-' || text[i] == '+';
    uint64_t whole = 0;
    int64_t point = -1;
    int plain = 1;
    for (i += sign; i < size && text[i] > 32; i++) {
        const unsigned digit = text[i] - (unsigned)'0';
        if (digit < 10)
            whole = whole * 10 + digit;
        else if (text[i] == '.' && point < 0)
            point = i;
        else
            plain = 0;
    }
    const int64_t digits = i - start - sign - (point >= 0);
    if (!plain || !digits || i - start > MOST_CHARACTERS || whole >= EXACT) {
        *value = NAN;
    } else {
        const double read = (double)whole / powers[point < 0 ? 0 : i - 1 - point];
        *value = text[start] == '-' ? -read : read;
    }
    return i;
}

static int is_space(uint8_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void skl_scan_run(skl_scan_job *job) {
    const uint8_t *text = job->text;
    int64_t word = 0, line = 0, i = 0;
    job->odd = 0;
    while (i < job->size && skl_goes_on(word)) {
        if (text[i] > 32) {
            job->starts[word] = i;
            i = read_word(text, i, job->size, &job->values[word]);
            job->ends[word++] = i;
            continue;
        }
        if (text[i] == '\n')
            job->line_ends[line++] = i;
        else if (!is_space(text[i]))
            job->odd = 1;
        i++;
    }
    if (job->size && text[job->size - 1] != '\n') job->line_ends[line] = job->size;
}
