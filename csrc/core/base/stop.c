/* SPDX-License-Identifier: MIT */
#include "os_threads.h" /* first: it says which system headers show what */

#include "stop.h"
#include "status.h"
#include "thread_local.h"
#include "skelkin/skelkin.h"

#define MILLISECOND ((int64_t)1000 * 1000)
/* Between two checks; one that takes long (to get a lock, say) is made less often, as a twentieth of the time. */
#define SHORTEST (20 * MILLISECOND)
#define LONGEST (100 * MILLISECOND)
#define SHARE 20

/* Of one thread. */
typedef struct stop_check {
    skl_stop_fn stop;
    void *context;
    int stopped;
    int64_t next; /* when to check; 0 where no job has looked at the clock yet */
} stop_check;

static SKL_THREAD_LOCAL stop_check current;

void skl_set_stop(skl_stop_fn stop, void *context) {
    stop_check *const q = &current;
    q->stop = stop;
    q->context = context;
    q->stopped = 0;
    q->next = 0;
}

int skl_may_stop(void) { return current.stop != NULL; }

/* Jobs that run inside of the check have checks of their own. */
static void run_check(stop_check *q, int64_t now) {
    stop_check before = *q;
    skl_set_stop(NULL, NULL);
    before.stopped = before.stop(before.context) != 0;
    const int64_t then = skl_nanoseconds(), pause = SHARE * (then - now);
    before.next = then + (pause < SHORTEST ? SHORTEST : pause < LONGEST ? pause : LONGEST);
    *q = before;
}

int skl_stopped(void) {
    stop_check *const q = &current;
    if (!q->stop || q->stopped) return q->stopped;
    const int64_t now = skl_nanoseconds();
    if (q->next == 0)
        q->next = now + SHORTEST;
    else if (now >= q->next)
        run_check(q, now);
    return q->stopped;
}

skl_code skl_done_unless(int cut, skl_status *status) {
    return cut ? skl_fail(status, SKL_STOPPED, "job", "stopped") : SKL_OK;
}

skl_code skl_done(skl_status *status) { return skl_done_unless(current.stopped, status); }

int skl_cut(void) { return current.stopped; }
