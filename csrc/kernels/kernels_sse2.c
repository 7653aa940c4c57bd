/* SPDX-License-Identifier: MIT */
#ifndef __aarch64__ /* a build for two CPUs at once, which macOS has, compiles this for the other too */
#include "simd/wide_sse2.h"

#define SKL_TABLE skl_kernels_sse2
#define SKL_ISA "sse2"
#include "kernels.inl"
#endif
