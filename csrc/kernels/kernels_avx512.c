/* SPDX-License-Identifier: MIT */
#ifndef __aarch64__ /* a build for two CPUs at once, which macOS has, compiles this for the other too */
#include "simd/wide_avx512.h"

#define SKL_TABLE skl_kernels_avx512
#define SKL_ISA "avx512"
#include "kernels.inl"
#endif
