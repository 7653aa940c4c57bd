/* SPDX-License-Identifier: MIT */
/* Symmetric positive definite matrices whose rows meet only their near neighbours, in double.
 *
 * Column j is at `columns + start[j]`: its diagonal, then the numbers under it, then SKL_BANDED_ZEROS zeros, up to
 * `start[j + 1]`: whole registers of four may be read from any number on. No column ends above one that is left of it.
 * Where `triples` is set, columns come in threes that begin at the first one's diagonal and end at the same row; what
 * is above the diagonal of the others is of no account. Vectors have room for as many numbers, which are finite, behind
 * their last. */
#pragma once

#include <stdint.h>

enum { SKL_BANDED_ZEROS = 3 };

typedef struct skl_banded {
    int64_t size;
    const int64_t *start; /* size + 1 */
    double *columns;
    int triples;
} skl_banded;

typedef struct skl_banded_kernels {
    /* A becomes its factors L D L^T, L with ones on the diagonal, which D takes. What rounding leaves of a pivot that
     * is not positive becomes so large that its unknown stays 0. Of the columns from `first` to below `last`: those
     * before them are done, and those that they meet are there. */
    void (*factor)(const skl_banded *matrix, int64_t first, int64_t last);
    /* L y = b, in place, of the same columns' unknowns; then D L^T x = y of all. */
    void (*forward)(const skl_banded *matrix, int64_t first, int64_t last, double *x);
    void (*backward)(const skl_banded *matrix, double *x);
    /* out += A x, of the matrix itself: what the same columns add, which is all there is for rows above `last`. */
    void (*multiply)(const skl_banded *matrix, int64_t first, int64_t last, const double *x, double *out);
} skl_banded_kernels;
