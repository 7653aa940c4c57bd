/* SPDX-License-Identifier: MIT */
/* A small pool of threads. Each worker owns a range of blocks and takes from its front; one whose range is used up
 * steals the rear half of another's. Waiting is done on conditions only.
 *
 * One call has the pool at a time (`busy`). The lock of the pool guards all of it; it is never held while blocks run.
 * A range has a lock of its own, and nobody ever holds two locks. */
#include "os_threads.h" /* first: it says which system headers show what */

#include "parallel.h"
#include "status.h"
#include "stop.h"
#include "skelkin/skelkin.h"

/* The blocks first .. last - 1 are still to be done, unless the call has been stopped. */
typedef struct block_range {
    skl_lock lock;
    int64_t first, last;
    int stopped;
} block_range;

/* A thread and its place in the pool, 1 ..: place 0 is that of the calling thread. */
typedef struct pool_worker {
    block_range range;
    skl_condition wake;
    skl_thread thread;
    int place;
    int called; /* it shall take part in the call */
    int retire; /* it shall end */
} pool_worker;

typedef struct parallel_call {
    int64_t count, grain;
    int workers;
    skl_block_fn function;
    void *context;
} parallel_call;

static struct thread_pool {
    skl_lock lock;
    skl_condition done; /* the last worker at work has finished */
    int watched;        /* for forks and the exit */
    int prepared;       /* locks and conditions are initialised */
    int num_threads;    /* the setting */
    int busy;           /* somebody's call, or a change of the workers */
    int started;        /* threads: the places 1 .. started */
    int working;        /* threads inside of the call */
    int forks;          /* that this process came out of */
    parallel_call call;
    pool_worker workers[SKL_MAX_THREADS];
} pool = {.lock = SKL_LOCK_INIT, .num_threads = 1};

/* --- fork and exit ------------------------------------------------------------------------------------------------ */

static void before_fork(void) { skl_lock_take(&pool.lock); }
static void after_fork_in_parent(void) { skl_lock_give(&pool.lock); }

/* Only the forking thread is here. What the others held or waited for is made again when it is needed. */
static void after_fork_in_child(void) {
    pool.prepared = pool.busy = pool.started = pool.working = 0;
    pool.forks++;
    skl_lock_give(&pool.lock);
}

static void retire_surplus(void);

/* Threads that wait are ended in good order; a call that still runs in a thread of the program is left alone, as the
 * end of the process cannot wait for it. */
static void at_exit(void) {
    skl_lock_take(&pool.lock);
    pool.num_threads = 1;
    retire_surplus();
    skl_lock_give(&pool.lock);
}

static void take_pool(void) {
    skl_lock_take(&pool.lock);
    if (pool.watched) return;
    skl_process_watch(before_fork, after_fork_in_parent, after_fork_in_child, at_exit);
    pool.watched = 1;
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

static void run_block(const parallel_call *call, int64_t block, int worker) {
    const int64_t begin = block * call->grain;
    const int64_t left = call->count - begin;
    call->function(call->context, begin, begin + (left < call->grain ? left : call->grain), worker);
}

/* The next block of the own range, or -1. */
static int64_t next_block(block_range *range) {
    skl_lock_take(&range->lock);
    const int64_t block = range->first < range->last && !range->stopped ? range->first++ : -1;
    skl_lock_give(&range->lock);
    return block;
}

/* Move the rear half of somebody's blocks into the own range; 0 if nobody has any. */
static int steal(int thief, int workers) {
    for (int i = 1; i < workers; i++) {
        block_range *victim = &pool.workers[(thief + i) % workers].range, *own = &pool.workers[thief].range;
        skl_lock_take(&victim->lock);
        const int64_t last = victim->last, first = victim->stopped ? last : last - (last - victim->first + 1) / 2;
        victim->last = first;
        skl_lock_give(&victim->lock);
        if (first == last) continue;
        skl_lock_take(&own->lock);
        own->first = first;
        own->last = last;
        skl_lock_give(&own->lock);
        return 1;
    }
    return 0;
}

static void work(const parallel_call *call, int place) {
    do {
        for (int64_t block; (block = next_block(&pool.workers[place].range)) >= 0;) run_block(call, block, place);
    } while (steal(place, call->workers));
}

/* Let nobody begin another block. */
static void stop_all(int workers) {
    for (int i = 0; i < workers; i++) {
        skl_lock_take(&pool.workers[i].range.lock);
        pool.workers[i].range.stopped = 1;
        skl_lock_give(&pool.workers[i].range.lock);
    }
}

/* Check whether to go on. 0 if that came with a fork: in the child nobody else is there, and who held which lock
 * is lost. */
static int check_outside(const parallel_call *call) {
    const int forks = pool.forks;
    const int stopped = skl_stopped();
    if (pool.forks != forks) return 0;
    if (stopped) stop_all(call->workers);
    return 1;
}

/* The part of the calling thread, which checks between its blocks. 0 if it has been left alone by a fork. */
static int work_and_check(const parallel_call *call) {
    do {
        for (int64_t block; (block = next_block(&pool.workers[0].range)) >= 0;) {
            const int forks = pool.forks;
            run_block(call, block, 0);
            if (pool.forks != forks || !check_outside(call)) return 0;
        }
    } while (steal(0, call->workers));
    return 1;
}

/* Block after block. */
static void work_alone(const parallel_call *call, int64_t blocks) {
    for (int64_t block = 0; block < blocks; block++) {
        if (block > 0 && skl_stopped()) return;
        run_block(call, block, 0);
    }
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

static skl_thread_result SKL_THREAD_CALL worker_main(void *context) {
    pool_worker *self = context;
    skl_lock_take(&pool.lock);
    while (!self->retire) {
        if (!self->called) {
            skl_condition_wait(&self->wake, &pool.lock);
            continue;
        }
        self->called = 0;
        pool.working++;
        const parallel_call call = pool.call;
        skl_lock_give(&pool.lock);
        work(&call, self->place);
        skl_lock_take(&pool.lock);
        if (--pool.working == 0) skl_condition_wake(&pool.done);
    }
    skl_lock_give(&pool.lock);
    return 0;
}

/* Under the lock, and busy: have as many threads as possible, up to `wanted`. */
static void start_up_to(int wanted) {
    if (!pool.prepared) {
        skl_condition_init(&pool.done);
        for (int i = 0; i < SKL_MAX_THREADS; i++) {
            skl_lock_init(&pool.workers[i].range.lock);
            skl_condition_init(&pool.workers[i].wake);
        }
        pool.prepared = 1;
    }
    for (; pool.started < wanted; pool.started++) {
        pool_worker *worker = &pool.workers[pool.started + 1];
        worker->place = pool.started + 1;
        worker->called = worker->retire = 0;
        if (!skl_thread_start(&worker->thread, worker_main, worker)) return;
    }
}

/* Under the lock, which is given up meanwhile: end the threads that the setting has no place for, unless there is a
 * call; then its end does it. */
static void retire_surplus(void) {
    while (!pool.busy && pool.started > pool.num_threads - 1) {
        const int keep = pool.num_threads - 1, started = pool.started;
        pool.busy = 1;
        for (int i = keep + 1; i <= started; i++) {
            pool.workers[i].retire = 1;
            skl_condition_wake(&pool.workers[i].wake);
        }
        skl_lock_give(&pool.lock);
        for (int i = keep + 1; i <= started; i++) skl_thread_join(pool.workers[i].thread);
        skl_lock_take(&pool.lock);
        pool.started = keep;
        pool.busy = 0;
    }
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

/* Under the lock, and busy: share the blocks out and call the threads. Returns the number of workers. */
static int begin_call(parallel_call *call, int64_t blocks) {
    start_up_to(call->workers - 1);
    if (call->workers > pool.started + 1) call->workers = pool.started + 1;
    pool.call = *call;
    const int64_t share = blocks / call->workers, rest = blocks % call->workers;
    for (int i = 0; i < call->workers; i++) {
        /* No thread looks at a range outside of a call, so this needs no lock; those who look later come by the
         * pool's. */
        pool.workers[i].range.first = i * share + (i < rest ? i : rest);
        pool.workers[i].range.last = pool.workers[i].range.first + share + (i < rest);
        pool.workers[i].range.stopped = 0;
    }
    for (int i = 1; i < call->workers; i++) {
        pool.workers[i].called = 1;
        skl_condition_wake(&pool.workers[i].wake);
    }
    return call->workers;
}

/* Under the lock: who has not woken up by now is not needed any more; wait for the others, and check meanwhile, as a
 * block may take long. 0 if a fork has left this thread alone. */
static int end_call(const parallel_call *call) {
    for (int i = 1; i < call->workers; i++) pool.workers[i].called = 0;
    while (pool.working > 0) {
        if (!skl_may_stop()) {
            skl_condition_wait(&pool.done, &pool.lock);
            continue;
        }
        skl_condition_wait_for(&pool.done, &pool.lock, 20);
        if (pool.working == 0) break;
        skl_lock_give(&pool.lock);
        const int together = check_outside(call);
        skl_lock_take(&pool.lock);
        if (!together) return 0;
    }
    pool.busy = 0;
    retire_surplus();
    return 1;
}

int skl_parallel_for(int64_t count, int64_t grain, int workers, skl_block_fn function, void *context) {
    parallel_call call = {count, grain, workers, function, context};
    const int64_t blocks = (count + grain - 1) / grain;
    int mine = 0;
    if (blocks > 1 && skl_cut()) return 1;
    if (workers > 1 && blocks > 1) {
        take_pool();
        mine = !pool.busy;
        if (mine) {
            pool.busy = 1;
            call.workers = begin_call(&call, blocks);
        }
        skl_lock_give(&pool.lock);
    }
    int together = mine && work_and_check(&call);
    if (together) {
        skl_lock_take(&pool.lock);
        together = end_call(&call);
        skl_lock_give(&pool.lock);
    }
    if (!together) work_alone(&call, blocks);
    return blocks > 1 && skl_cut();
}

int skl_worker_stopped(int worker) {
    if (worker == 0) return skl_stopped();
    block_range *range = &pool.workers[worker].range;
    skl_lock_take(&range->lock);
    const int stopped = range->stopped;
    skl_lock_give(&range->lock);
    return stopped;
}

int skl_parallel_workers(int64_t count, int64_t grain) {
    if (count <= grain) return 1;
    const int64_t blocks = (count + grain - 1) / grain;
    const int threads = skl_num_threads();
    return blocks < threads ? (int)blocks : threads;
}

int skl_num_threads(void) {
    take_pool();
    const int threads = pool.num_threads;
    skl_lock_give(&pool.lock);
    return threads;
}

skl_code skl_set_num_threads(int64_t num_threads, skl_status *status) {
    if (num_threads < 1 || num_threads > SKL_MAX_THREADS)
        return skl_fail_number(status, "num_threads", (double)num_threads, "it must be 1 .. 256");
    status->code = SKL_OK;
    take_pool();
    pool.num_threads = (int)num_threads;
    retire_surplus();
    skl_lock_give(&pool.lock);
    return SKL_OK;
}
