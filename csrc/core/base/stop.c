/* SPDX-License-Identifier: MIT */
#include "os_threads.h" /* first: it says which system headers show what */

#include "stop.h"
#include "status.h"
#include "thread_local.h"
#include "skelkin/skelkin.h"

#define MILLISECOND ((int64_t)1000 * 1000)
/* Between two questions; one that takes long (to get a lock, say) is asked less often, as a twentieth of the time. */
#define SHORTEST (20 * MILLISECOND)
#define LONGEST (100 * MILLISECOND)
#define SHARE 20

/* Of one thread. */
typedef struct question {
    skl_stop_fn stop;
    void *context;
    int stopped;
    int64_t next; /* when to ask; 0 where no job has looked at the clock yet */
} question;

static SKL_THREAD_LOCAL question asked;

void skl_set_stop(skl_stop_fn stop, void *context) {
    question *const q = &asked;
    q->stop = stop;
    q->context = context;
    q->stopped = 0;
    q->next = 0;
}

int skl_may_stop(void) { return asked.stop != NULL; }

/* Jobs that run inside of the answer have questions of their own. */
static void ask(question *q, int64_t now) {
    question before = *q;
    skl_set_stop(NULL, NULL);
    before.stopped = before.stop(before.context) != 0;
    const int64_t then = skl_nanoseconds(), pause = SHARE * (then - now);
    before.next = then + (pause < SHORTEST ? SHORTEST : pause < LONGEST ? pause : LONGEST);
    *q = before;
}

int skl_stopped(void) {
    question *const q = &asked;
    if (!q->stop || q->stopped) return q->stopped;
    const int64_t now = skl_nanoseconds();
    if (q->next == 0)
        q->next = now + SHORTEST;
    else if (now >= q->next)
        ask(q, now);
    return q->stopped;
}

skl_code skl_done_unless(int cut, skl_status *status) {
    return cut ? skl_fail(status, SKL_STOPPED, "job", "stopped") : SKL_OK;
}

skl_code skl_done(skl_status *status) { return skl_done_unless(asked.stopped, status); }

int skl_cut(void) { return asked.stopped; }
