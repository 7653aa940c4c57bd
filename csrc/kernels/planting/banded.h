/* SPDX-License-Identifier: MIT */
/* Symmetric positive definite matrices whose rows meet only their near neighbours, in double.
 *
 * Column j is at `columns + start[j]`: its diagonal, then the start[j + 1] - start[j] - 1 numbers under it. No column
 * ends above one that is left of it. */
#ifndef SKL_KERNELS_BANDED_H
#define SKL_KERNELS_BANDED_H

#include <stdint.h>

/* Where `triples` is set, columns come in threes that end at the same row. */
typedef struct skl_banded {
    int64_t size;
    const int64_t *start; /* size + 1 */
    double *columns;
    int triples;
} skl_banded;

typedef struct skl_banded_kernels {
    /* A becomes its factors L D L^T, L with ones on the diagonal, which D takes. What rounding leaves of a pivot that
     * is not positive becomes so large that its unknown stays 0. */
    void (*factor)(const skl_banded *matrix);
    /* A x = b, in place, of the factors. */
    void (*solve)(const skl_banded *matrix, double *x);
    /* out += A x, of the matrix itself. */
    void (*multiply)(const skl_banded *matrix, const double *x, double *out);
} skl_banded_kernels;

#endif
