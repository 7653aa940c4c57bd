/* SPDX-License-Identifier: MIT */
/* The roots of cubics between 0 and 1. */
#pragma once

/* As many at a time. */
#define SKL_CUBICS 64

/* A cubic c[0] + c[1] x + c[2] x^2 + c[3] x^3 without its c[0], and what Cardano's formula makes of it. */
typedef struct skl_cubic {
    float c[4];       /* c[0] is not read */
    double c3, shift; /* its roots are those of x^3 + 3 p x + 2 q, less the shift */
    double base;      /* of q, which is half of its sum with c[0] / c[3] */
    double p3, size;  /* p^3, and the root of -p where it has one */
    double turn;      /* the root of -p^3 */
} skl_cubic;

skl_cubic skl_cubic_of(const float c[4]);

/* Where c[0] + c[1] x + c[2] x^2 + c[3] x^3 is 0 for 0 <= x <= 1; the nearest end where it is not. */
double skl_rising_root(const float c[4]);

/* The same of up to SKL_CUBICS cubics, each with its own c[0]: those roots rounded to float, bit for bit. */
void skl_rising_roots(const skl_cubic *const *cubics, const float *constants, int count, float *roots);
