/* SPDX-License-Identifier: MIT */
#ifndef __x86_64__ /* a build for two CPUs at once, which macOS has, compiles this for the other too */
#include "simd/wide_neon.h"

#define SKL_TABLE skl_kernels_neon
#define SKL_ISA "neon"
#include "kernels.inl"
#endif
