/* SPDX-License-Identifier: MIT */
/* Packed skinning matrices as dual quaternions and residuals, packed for the kernels. */
#pragma once

#include "skelkin/skelkin.h"

/* Matrices as pack_lanes (lanes > 1) or pack_rows (lanes 0) leave them, and where their parts go. */
typedef struct skl_dual_palette {
    skl_dtype dtype;
    int64_t lanes;
    int64_t poses; /* in use; the other lanes get the identity */
    const void *matrices;
    void *duals;     /* [joint][8][lanes], or [joint][8] */
    void *residuals; /* [joint][9][lanes], or [joint][3][4] */
} skl_dual_palette;

/* Numbers per joint and lane. */
enum { SKL_DUAL_NUMBERS = 8, SKL_RESIDUAL_NUMBERS = 12 };

/* Split the matrices of the joints that move anything; returns whether any of them leaves a residual. */
int skl_dual_palette_fill(const skl_dual_palette *palette, const skl_weights *weights);
