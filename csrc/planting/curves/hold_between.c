/* SPDX-License-Identifier: MIT */
/* Values that are missing lie on straight lines between those that are known. */
#include <math.h>

#include "curves.h"

int skl_hold_between(double *values, int64_t count) {
    int64_t before = -1;
    for (int64_t t = 0; t <= count; t++) {
        if (t < count && !isfinite(values[t])) continue;
        if (t == count && before < 0) return 0;
        const double slope = before < 0 || t == count ? 0.0 : (values[t] - values[before]) / (double)(t - before);
        for (int64_t k = before + 1; k < t; k++)
            values[k] = before < 0 ? values[t] : values[before] + slope * (double)(k - before);
        before = t;
    }
    return 1;
}
