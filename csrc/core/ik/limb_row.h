/* SPDX-License-Identifier: MIT */
/* One limb of a job between positions, to and from a tile of doubles. `at` holds its addresses by SKL_LIMB_ number. */
#pragma once

#include "limb.h"

/* Into row i of the tile. */
void skl_limb_row_read(skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype);

/* Out of row i of the solved tile; status and error are measured on what is written. */
void skl_limb_row_write(const skl_limb_tile *tile, int i, char *const *at, skl_dtype dtype);
