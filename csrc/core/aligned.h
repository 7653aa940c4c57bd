/* SPDX-License-Identifier: MIT */
/* Scratch memory that starts at a cache line. */
#ifndef SKL_ALIGNED_H
#define SKL_ALIGNED_H

#include <stdint.h>

/* Bytes of a cache line. */
#define SKL_ALIGNMENT 64

/* NULL if there is no memory. */
void *skl_aligned_alloc(int64_t bytes);
void skl_aligned_free(void *memory);

#endif
