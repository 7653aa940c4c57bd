/* SPDX-License-Identifier: MIT */
/* Scratch memory that starts at a cache line. */
#pragma once

#include <stdint.h>

/* Bytes of a cache line. */
#define SKL_ALIGNMENT 64

/* Where skinning writes, or forward kinematics reads and writes, more bytes, results go past the cache: they would not
 * be read again from there anyway. */
enum { SKL_STREAM_BYTES = 16 * 1024 * 1024 };

/* NULL if there is no memory. */
void *skl_aligned_alloc(int64_t bytes);
void skl_aligned_free(void *memory);

/* Scratch for the kernels: on the stack where it fits, else allocated. */
enum { SKL_STACK_SCRATCH = 32 * 1024 };
typedef struct skl_scratch {
    void *at; /* NULL: no memory */
    void *memory;
    _Alignas(SKL_ALIGNMENT) char stack[SKL_STACK_SCRATCH];
} skl_scratch;

void skl_scratch_init(skl_scratch *scratch, int64_t bytes);
void skl_scratch_free(skl_scratch *scratch);
