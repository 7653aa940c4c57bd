/* SPDX-License-Identifier: MIT */
#ifndef __aarch64__ /* a build for two CPUs at once, which macOS has, compiles this for the other too */
#include "simd/wide_avx2.h"

#define SKL_TABLE skl_kernels_avx2
#define SKL_ISA "avx2"
#include "kernels.inl"
#endif
