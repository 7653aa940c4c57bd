/* SPDX-License-Identifier: MIT */
#include "simd/wide_avx512.h"

#define SKL_TABLE skl_kernels_avx512
#define SKL_ISA "avx512"
#include "kernels.inl"
