/* SPDX-License-Identifier: MIT */
#include "numbers.h"

#include <math.h>

/* Between these bounds squares neither overflow nor vanish. */
static const double TINY = 1e-60, HUGE_SIZE = 1e60;

double skl_length(const double v[3]) {
    const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (square > TINY && square < HUGE_SIZE) return sqrt(square);
    const double largest = skl_larger(fabs(v[0]), skl_larger(fabs(v[1]), fabs(v[2])));
    if (!(largest > 1e-300)) return largest;
    const double x = v[0] / largest, y = v[1] / largest, z = v[2] / largest;
    return largest * sqrt(x * x + y * y + z * z);
}
