/* SPDX-License-Identifier: MIT */
/* How far a chain of bones, with other values of its channels, is from where it has to be. */
#pragma once

#include "skelkin/blender_keys.h"

/* The greatest distance of the chain's points from their targets on a frame for a row of values; without bones the
 * greatest difference of the values from those of `wanted`. */
double skl_chain_miss(const skl_keyed_chain *chain, int64_t frame, int64_t curves, const double *values,
                      const double *wanted);
