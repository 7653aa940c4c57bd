/* SPDX-License-Identifier: MIT */
#include "simd/wide_scalar.h"

#define SKL_TABLE skl_kernels_scalar
#define SKL_ISA "scalar"
#include "kernels.inl"
