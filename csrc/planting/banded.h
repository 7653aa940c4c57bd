/* SPDX-License-Identifier: MIT */
/* Symmetric positive definite matrices whose rows meet only their near neighbours, in double.
 *
 * Column j is at `columns + j * width`: its diagonal, then what is below it, `width` numbers in all; those beyond the
 * last row are there and count nothing. */
#ifndef SKL_BANDED_H
#define SKL_BANDED_H

#include <stdint.h>

/* A becomes its factors L D L^T, L with ones on the diagonal, which D takes. What rounding leaves of a pivot
 * that is not positive becomes so large that its unknown stays 0. */
void skl_banded_factor(int64_t size, int64_t width, double *columns);

/* A x = b, in place; `columns` are the factors. */
void skl_banded_solve(int64_t size, int64_t width, const double *columns, double *x);

#endif
