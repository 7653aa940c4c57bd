/* SPDX-License-Identifier: MIT */
/* Work on blocks of items by a few threads.
 *
 *     const int workers = skl_parallel_workers(count, grain);    how many there may be, at most
 *     ... scratch for each of them ...
 *     skl_parallel_for(count, grain, workers, function, context);
 *
 * Blocks are [0, grain), [grain, 2 grain) ... whatever the number of threads, so a function that writes to its own
 * items only gives the same bits with any number of them. A block should be worth some 50 microseconds or more: handing
 * it over costs less than one, waking a thread up to ten. */
#pragma once

#include <stdint.h>

/* Work on the items begin .. end - 1. `worker` is below the number of workers of the call, and no two functions with
 * the same worker run at once: it finds the scratch. The function cannot fail and calls nothing outside of the core.
 * Where the calling thread is to stop (stop.h) it may return early: what it leaves is not used. */
typedef void (*skl_block_fn)(void *context, int64_t begin, int64_t end, int worker);

/* Most workers that skl_parallel_for will use for `count` items in blocks of `grain`: 1 .. skl_num_threads(). One block
 * is not worth a look at the setting. */
int skl_parallel_workers(int64_t count, int64_t grain);

/* Call `function` for all blocks, by at most `workers` threads, this one included; returns 0 when all are done, or 1
 * when skl_stopped() said so between two blocks or inside of one. Blocks run one after the other on this thread, as
 * worker 0, where `workers` is 1, where another thread uses the pool, inside of a block, and where no thread can be
 * started. */
int skl_parallel_for(int64_t count, int64_t grain, int workers, skl_block_fn function, void *context);

/* Inside of a block that may take milliseconds: 1 if it may return early. */
int skl_worker_stopped(int worker);
