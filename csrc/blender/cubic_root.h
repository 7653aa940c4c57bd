/* SPDX-License-Identifier: MIT */
/* The root of a cubic between 0 and 1. */
#ifndef SKL_CUBIC_ROOT_H
#define SKL_CUBIC_ROOT_H

/* Where c[0] + c[1] x + c[2] x^2 + c[3] x^3 is 0 for 0 <= x <= 1; the nearest end where it is not. */
double skl_rising_root(const float c[4]);

#endif
