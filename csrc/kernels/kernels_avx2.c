/* SPDX-License-Identifier: MIT */
#include "simd/wide_avx2.h"

#define SKL_TABLE skl_kernels_avx2
#define SKL_ISA "avx2"
#include "kernels.inl"
