/* SPDX-License-Identifier: MIT */
/* Numbers as decimal text: rounded to an integer of the last decimal, half to even, and its digits from the right. */
#include <math.h>
#include <string.h>

#include "motion_text.h"
#include "core/base/stop.h"

#define BOUND 1e15         /* below it the integers are exact */
#define MOST_CHARACTERS 18 /* of a number: a sign, a point, and 16 digits, one before the point at least */

static const double powers[SKL_MOST_DECIMALS + 1] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

int64_t skl_format_room(const skl_format_job *job) {
    return job->num_rows * (job->before_size + job->behind_size + job->num_columns * (MOST_CHARACTERS + 1));
}

static uint8_t *write_number(uint8_t *text, double value, int64_t decimals) {
    uint64_t whole = (uint64_t)rint(fabs(value) * powers[decimals]);
    uint8_t digits[MOST_CHARACTERS], *first = digits + MOST_CHARACTERS;
    const int negative = value < 0 && whole > 0; /* no minus before a number that rounds to zero */
    for (int64_t k = 0; k < decimals; k++, whole /= 10) *--first = (uint8_t)('0' + whole % 10);
    if (decimals) *--first = '.';
    do {
        *--first = (uint8_t)('0' + whole % 10);
        whole /= 10;
    } while (whole);
    if (negative) *--first = '-';
    const size_t size = (size_t)(digits + MOST_CHARACTERS - first);
    memcpy(text, first, size);
    return text + size;
}

static uint8_t *write_text(uint8_t *text, const uint8_t *what, int64_t size) {
    if (size) memcpy(text, what, (size_t)size);
    return text + size;
}

int skl_format_run(skl_format_job *job) {
    const int64_t columns = job->num_columns;
    for (int64_t i = 0; i < job->num_rows * columns; i++)
        if (!(fabs(job->values[i]) * powers[job->decimals[i % columns]] < BOUND)) return 0;
    uint8_t *text = job->text;
    for (int64_t row = 0; row < job->num_rows && skl_slowly_goes_on(row); row++) {
        text = write_text(text, job->before, job->before_size);
        for (int64_t column = 0; column < columns; column++) {
            if (column) *text++ = ' ';
            text = write_number(text, job->values[row * columns + column], job->decimals[column]);
        }
        text = write_text(text, job->behind, job->behind_size);
        job->stops[row] = text - job->text;
    }
    return 1;
}
