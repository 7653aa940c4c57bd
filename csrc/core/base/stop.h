/* SPDX-License-Identifier: MIT */
/* Whether a job goes on: what skl_set_stop was given is called between pieces of work. */
#pragma once

#include "skelkin/skelkin.h"

/* 1 if the jobs of this thread shall end. Calls the function of skl_set_stop where enough time has passed; else
 * it costs a look at the clock, or less where there is no function. */
int skl_stopped(void);

/* What the last check said. */
int skl_cut(void);

/* 1 if there is a function to call. */
int skl_may_stop(void);

/* What a job returns whose work is done: SKL_OK, or SKL_STOPPED if it has been cut short. */
skl_code skl_done(skl_status *status);

/* The same, where skl_parallel_for or skl_walk_parallel have said whether they were; small jobs, which cannot have
 * been, do not look at what belongs to the thread. */
skl_code skl_done_unless(int cut, skl_status *status);

/* The same behind a loop over so many items with a check after some of them. */
static inline skl_code skl_done_after(int64_t items, skl_status *status) {
    return items < 64 ? SKL_OK : skl_done(status);
}

/* In the head of a loop over items of some ten nanoseconds each: for (i = 0; i < n && skl_goes_on(i); i++) */
static inline int skl_goes_on(int64_t i) { return (i & 4095) != 4095 || !skl_stopped(); }

/* The same for items of some microseconds each. */
static inline int skl_slowly_goes_on(int64_t i) { return (i & 63) != 63 || !skl_stopped(); }
