/* SPDX-License-Identifier: MIT */
#include "simd/wide_sse2.h"

#define SKL_TABLE skl_kernels_sse2
#define SKL_ISA "sse2"
#include "kernels.inl"
