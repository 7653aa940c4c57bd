/* SPDX-License-Identifier: MIT */
/* Which kernels are in use. */
#pragma once

#include "core/base/numbers.h"
#include "kernels/kernels.h"
#include "skelkin/skelkin.h"

/* The table chosen at import, or the best one where nothing was chosen. */
const skl_kernels *skl_dispatch(void);

/* The kernels for one precision. */
static inline const skl_kernel_set *skl_kernels_for(skl_dtype dtype) {
    return &skl_dispatch()->set[skl_is_wide(dtype)];
}
