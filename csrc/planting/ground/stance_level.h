/* SPDX-License-Identifier: MIT */
/* Heights at which feet stand, together. */
#ifndef SKL_STANCE_LEVEL_H
#define SKL_STANCE_LEVEL_H

#include "levels.h"

/* The median of heights, each counted by its weight; 0 where memory failed. */
int skl_stance_level(const double *heights, const double *weights, int64_t count, skl_arena *arena, double *out);

#endif
