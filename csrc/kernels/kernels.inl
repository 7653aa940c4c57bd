/* SPDX-License-Identifier: MIT */
/* Body of every kernels_<isa>.c: each algorithm, for float and for double, and the table.
 *
 * Before it is included: a simd/wide_<isa>.h, SKL_TABLE (name of the table) and SKL_ISA (its name as text).
 * In the .inl files W(add) is an operation of the wide type, R(add) one of the row of four, K(name) the function's own
 * name for this precision, `real` the number. */
#include "kernels.h"
#include "simd/inline.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#define SKL_JOIN_(a, b) a##b
#define SKL_JOIN(a, b) SKL_JOIN_(a, b)

#define real float
#define SKL_IS_F32 1
#define W(name) SKL_JOIN(w32_, name)
#define R(name) SKL_JOIN(r32_, name)
#define K(name) SKL_JOIN(name, _f32)
#include "all.inl"
#undef real
#undef SKL_IS_F32
#undef W
#undef R
#undef K

#define real double
#define SKL_IS_F32 0
#define W(name) SKL_JOIN(w64_, name)
#define R(name) SKL_JOIN(r64_, name)
#define K(name) SKL_JOIN(name, _f64)
#include "all.inl"
#undef real
#undef SKL_IS_F32
#undef W
#undef R
#undef K

#define K32(name) name##_f32
#define K64(name) name##_f64
const skl_kernels SKL_TABLE = {
    SKL_ISA, {SKL_KERNEL_SET(K32), SKL_KERNEL_SET(K64)}, SKL_LIMB_POSES(K32, K64), SKL_BANDED_KERNELS};
