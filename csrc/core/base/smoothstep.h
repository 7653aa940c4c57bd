/* SPDX-License-Identifier: MIT */
#pragma once

/* 3x^2 - 2x^3 of x within 0 .. 1: from 0 to 1 with level ends. */
static inline double skl_smoothstep(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}
