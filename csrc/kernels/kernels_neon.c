/* SPDX-License-Identifier: MIT */
#include "simd/wide_neon.h"

#define SKL_TABLE skl_kernels_neon
#define SKL_ISA "neon"
#include "kernels.inl"
