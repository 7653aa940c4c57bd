/* SPDX-License-Identifier: MIT */
/* Jobs that are told to stop: who is asked, on which thread, what ends, and that the next job is as always. */
#include "core/base/os_threads.h" /* first: it says which system headers show what */

#include <pthread.h>
#ifndef NO_FORKS
#include <sys/wait.h>
#endif
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "core/base/parallel.h"
#include "core/base/parallel_walk.h"
#include "skelkin/skelkin.h"
#include "core/base/stop.h"

enum { BLOCKS = 4000, MANY_QUESTIONS = 1000 * 1000 };

/* Answers 1 from question number `last` on. */
typedef struct asked {
    pthread_t caller;
    int questions, last, strangers;
    int (*meanwhile)(void);
    int went_well;
} asked;

static int answer(void *context) {
    asked *a = context;
    a->strangers += !pthread_equal(a->caller, pthread_self());
    if (a->meanwhile) a->went_well = a->meanwhile();
    return ++a->questions >= a->last;
}

static asked ask_until(int last) { return (asked){.caller = pthread_self(), .last = last}; }

static void nap(int milliseconds) {
    const struct timespec time = {0, milliseconds * 1000 * 1000L};
    (void)nanosleep(&time, NULL);
}

static void set_threads(int64_t n) {
    skl_status status;
    CHECK(skl_set_num_threads(n, &status) == SKL_OK);
}

/* Blocks of a millisecond: all of them would take seconds. */
static void slow_block(void *context, int64_t begin, int64_t end, int worker) {
    unsigned char *met = context;
    (void)worker;
    for (int64_t i = begin; i < end; i++) met[i]++;
    nap(1);
}

static void quick_block(void *context, int64_t begin, int64_t end, int worker) {
    unsigned char *met = context;
    (void)worker;
    for (int64_t i = begin; i < end; i++) met[i]++;
}

static int64_t run_blocks(int64_t count, skl_block_fn function) {
    unsigned char *met = calloc((size_t)count, 1);
    int64_t once = 0;
    if (!met) abort();
    (void)skl_parallel_for(count, 1, skl_parallel_workers(count, 1), function, met);
    for (int64_t i = 0; i < count; i++) once += met[i] == 1;
    for (int64_t i = 0; i < count; i++) CHECK(met[i] <= 1);
    free(met);
    return once;
}

static int all_quick_blocks(void) { return run_blocks(BLOCKS, quick_block) == BLOCKS; }

static void test_nobody_is_asked_unless_told(void) {
    CHECK(!skl_may_stop());
    CHECK(run_blocks(100, slow_block) == 100);
    CHECK(!skl_stopped());
}

static void test_a_call_ends_between_blocks(int64_t threads) {
    skl_status status = {.code = SKL_OK};
    char text[100];
    set_threads(threads);
    asked a = ask_until(2);
    skl_set_stop(answer, &a);
    const int64_t done = run_blocks(BLOCKS, slow_block);
    CHECK(done > 1 && done < BLOCKS / 2);
    CHECK(a.questions == 2 && a.strangers == 0);
    CHECK(skl_done(&status) == SKL_STOPPED && status.code == SKL_STOPPED);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "stopped");
    CHECK(run_blocks(BLOCKS, slow_block) == 0); /* the next does not even begin, unasked */
    CHECK(a.questions == 2);
    skl_set_stop(NULL, NULL);
    CHECK(skl_done(&status) == SKL_OK);
    CHECK(all_quick_blocks());
}

static void test_going_on_is_as_if_not_asked(int64_t threads) {
    set_threads(threads);
    asked a = ask_until(MANY_QUESTIONS);
    skl_set_stop(answer, &a);
    const int64_t begin = skl_nanoseconds();
    CHECK(run_blocks(300, slow_block) == 300);
    /* Not after every block, but every 20 ms at most, however slow the machine is. */
    CHECK(a.questions > 0 && a.questions <= (skl_nanoseconds() - begin) / (20 * 1000 * 1000) + 1);
    CHECK(a.strangers == 0);
    skl_set_stop(NULL, NULL);
}

static void test_little_work_is_not_asked(void) {
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    CHECK(run_blocks(1, slow_block) == 1);
    CHECK(a.questions == 0);
    skl_set_stop(NULL, NULL);
}

static void *call_elsewhere(void *unused) {
    (void)unused;
    return all_quick_blocks() ? &checks_done : NULL;
}

static void test_other_threads_calls_are_their_own(void) {
    asked a = ask_until(1);
    void *good;
    pthread_t other;
    skl_set_stop(answer, &a);
    CHECK(run_blocks(BLOCKS, slow_block) < BLOCKS / 2);
    CHECK(pthread_create(&other, NULL, call_elsewhere, NULL) == 0);
    pthread_join(other, &good);
    CHECK(good != NULL);
    skl_set_stop(NULL, NULL);
}

static void test_the_answer_may_run_jobs(int64_t threads) {
    set_threads(threads);
    asked a = ask_until(2);
    a.meanwhile = all_quick_blocks;
    skl_set_stop(answer, &a);
    CHECK(run_blocks(BLOCKS, slow_block) < BLOCKS / 2);
    CHECK(a.went_well && a.questions == 2);
    skl_set_stop(NULL, NULL);
}

/* The blocks of a second worker do not end by themselves. */
static void endless_block(void *context, int64_t begin, int64_t end, int worker) {
    int *stopped = context;
    (void)begin;
    (void)end;
    nap(5);
    for (int i = 0; i < 1000 && !skl_worker_stopped(worker); i++) nap(10);
    stopped[worker] = skl_worker_stopped(worker);
}

static void test_a_long_block_ends_in_its_middle(int64_t threads) {
    int stopped[SKL_MAX_THREADS] = {0};
    set_threads(threads);
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    skl_parallel_for(threads, 1, skl_parallel_workers(threads, 1), endless_block, stopped);
    CHECK(stopped[0]);
    CHECK(a.questions == 1);
    skl_set_stop(NULL, NULL);
}

static void other_block_is_endless(void *context, int64_t begin, int64_t end, int worker) {
    if (worker > 0) endless_block(context, begin, end, worker);
    nap(1);
}

static void test_the_caller_asks_while_it_waits(void) {
    int stopped[SKL_MAX_THREADS] = {0};
    set_threads(2);
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    skl_parallel_for(200, 1, 2, other_block_is_endless, stopped);
    CHECK(a.questions == 1 && skl_stopped());
    skl_set_stop(NULL, NULL);
}

/* --- walks and jobs ----------------------------------------------------------------------------------------------- */

typedef struct piece_count {
    int64_t items, pieces, longest;
    int naps;
} piece_count;

static void count_piece(void *context, const skl_walk *piece, int worker) {
    piece_count *count = context;
    (void)worker;
    count->items += piece->run;
    count->pieces++;
    if (piece->run > count->longest) count->longest = piece->run;
    if (count->naps) nap(1);
}

static piece_count walk(int64_t outer, int64_t inner, int64_t grain, int naps) {
    skl_array array = {.data = &array, .ndim = 2, .shape = {outer, inner}, .strides = {7, 1}};
    skl_batch batch;
    piece_count count = {.naps = naps};
    skl_walk w;
    skl_batch_of(&batch, &array);
    skl_walk_begin(&w, &batch);
    skl_walk_parallel(&w, grain, 1, count_piece, &count);
    return count;
}

static void test_a_walk_is_cut_only_where_somebody_is_asked(void) {
    set_threads(1);
    const piece_count whole = walk(3, 1000, 10, 0);
    CHECK(whole.items == 3000 && whole.pieces == 3 && whole.longest == 1000);
    asked a = ask_until(MANY_QUESTIONS);
    skl_set_stop(answer, &a);
    const piece_count cut = walk(3, 1000, 10, 0), shorter = walk(3, 90, 10, 0), little = walk(3, 10, 10, 0);
    CHECK(cut.items == 3000 && cut.pieces == 39 && cut.longest == 80);
    CHECK(shorter.items == 270 && shorter.pieces == 6 && shorter.longest == 80);
    CHECK(little.items == 30 && little.pieces == 3 && little.longest == 10);
    asked b = ask_until(1);
    skl_set_stop(answer, &b);
    const piece_count one_run = walk(1, 1000 * 1000, 100, 1);
    CHECK(one_run.items > 100 && one_run.items < 500 * 1000);
    skl_set_stop(answer, &b);
    const piece_count short_runs = walk(1000 * 1000, 1, 1, 1);
    CHECK(short_runs.items > 1 && short_runs.items < 500 * 1000);
    skl_set_stop(NULL, NULL);
}

/* One joint, very often. */
static void test_a_job_says_that_it_was_stopped(int64_t threads) {
    enum { POSES = 60 * 1000, TIMES = 400 };
    const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const int64_t parents[1] = {-1};
    skl_skeleton skeleton;
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .out_rows = 4};
    double *out = exactly(sizeof(double) * 16 * (TIMES + POSES)), turn[4] = {1, 0, 0, 0};
    CHECK(skl_skeleton_init(&skeleton, 1, parents, identity, NULL, &job.status) == SKL_OK);
    job.rotations = (skl_array){.data = turn, .step = 32, .ndim = 2, .shape = {TIMES, POSES}, .strides = {0, 0}};
    job.out = (skl_array){.data = out, .step = 128, .ndim = 2, .shape = {TIMES, POSES}, .strides = {128, 128}};
    set_threads(1); /* the same memory is written again and again */
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_STOPPED);
    CHECK(job.status.code == SKL_STOPPED && a.questions == 1);
    skl_set_stop(NULL, NULL);
    set_threads(threads);
    job.rotations.shape[0] = job.out.shape[0] = 1;
    memset(out, 0, sizeof(double) * 16 * POSES);
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_OK);
    CHECK(memcmp(out + 16 * (POSES - 1), identity, sizeof identity) == 0);
    free(out);
    skl_skeleton_free(&skeleton);
}

static void test_turning_joints_can_be_stopped(int64_t threads) {
    enum { POSES = 60 * 1000, TIMES = 200 };
    const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const int64_t parents[1] = {-1};
    double target[3] = {0, 3, 0}, tip[3] = {1, 0, 0}, *out = exactly(sizeof(double) * 16 * (TIMES + POSES));
    skl_skeleton skeleton;
    skl_points_at_job job = {.tip = {.data = tip}, .target = {.data = target}};
    CHECK(skl_skeleton_init(&skeleton, 1, parents, identity, NULL, &job.status) == SKL_OK);
    job.poses = (skl_turned_poses){.skeleton = &skeleton, .dtype = SKL_FLOAT64, .local_rows = 4, .out_rows = 4};
    job.poses.local = (skl_array){.data = (void *)(uintptr_t)identity, .step = 128};
    job.poses.out = (skl_array){.data = out, .step = 128, .ndim = 2, .shape = {TIMES, POSES}, .strides = {128, 128}};
    job.target.ndim = 2;
    job.target.shape[0] = TIMES;
    job.target.shape[1] = POSES;
    set_threads(1); /* the same memory is written again and again */
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    CHECK(skl_points_at_run(&job) == SKL_STOPPED);
    CHECK(job.status.code == SKL_STOPPED && a.questions == 1);
    skl_set_stop(NULL, NULL);
    set_threads(threads);
    job.target.shape[0] = job.poses.out.shape[0] = 1;
    CHECK(skl_points_at_run(&job) == SKL_OK);
    CHECK(fabs(out[16 * (POSES - 1) + 4] - 1) < 1e-15);
    free(out);
    skl_skeleton_free(&skeleton);
}

/* One pose of a large mesh is work that can be stopped, too. */
static void test_one_large_pose_can_be_stopped(int64_t threads) {
    enum { VERTICES = 200 * 1000 };
    const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    int64_t *joints = calloc(VERTICES, sizeof *joints);
    double *values = calloc(VERTICES, sizeof *values);
    float *points = calloc((size_t)3 * VERTICES, sizeof *points), *out = calloc((size_t)3 * VERTICES, sizeof *out);
    skl_weights weights;
    skl_skin_points_job job = {.weights = &weights, .dtype = SKL_FLOAT32};
    if (!joints || !values || !points || !out) abort();
    for (int i = 0; i < VERTICES; i++) values[i] = points[3 * i] = 1;
    CHECK(skl_weights_init(&weights, VERTICES, 1, 1, NULL, joints, values, &job.status) == SKL_OK);
    job.matrices = (skl_array){.data = (void *)(uintptr_t)identity, .step = 64};
    job.points = (skl_array){.data = points, .step = 12};
    job.out = (skl_array){.data = out, .step = 12};
    set_threads(threads);
    asked a = ask_until(1);
    skl_set_stop(answer, &a);
    CHECK(run_blocks(BLOCKS, slow_block) < BLOCKS);
    CHECK(skl_skin_points_run(&job) == SKL_STOPPED); /* as this thread has been told already */
    CHECK(out[0] == 0 && out[3 * (VERTICES - 1)] == 0);
    skl_set_stop(NULL, NULL);
    CHECK(skl_skin_points_run(&job) == SKL_OK);
    CHECK(memcmp(out, points, sizeof(float) * 3 * VERTICES) == 0);
    skl_weights_free(&weights);
    free(joints);
    free(values);
    free(points);
    free(out);
}

/* --- forks -------------------------------------------------------------------------------------------------------- */

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define NO_BUSY_FORKS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define NO_BUSY_FORKS 1
#endif

#ifdef NO_FORKS
#define NO_BUSY_FORKS 1
#endif

#ifndef NO_BUSY_FORKS
static pid_t child_of_answer;

static int fork_once(void) {
    if (child_of_answer == 0) {
        fflush(stdout);
        child_of_answer = fork();
        if (child_of_answer == 0) {
            alarm(100);
            child_of_answer = -1;
        }
    }
    return 1;
}

/* The child has the call, but none of the threads that were at it. */
static int64_t run_all_blocks(int64_t count) {
    unsigned char *met = calloc((size_t)count, 1);
    int64_t some = 0;
    if (!met) abort();
    (void)skl_parallel_for(count, 1, skl_parallel_workers(count, 1), slow_block, met);
    for (int64_t i = 0; i < count; i++) some += met[i] > 0;
    free(met);
    return some;
}

static void test_the_answer_may_fork(void) {
    int status = 0;
    set_threads(3);
    asked a = ask_until(MANY_QUESTIONS);
    a.meanwhile = fork_once;
    skl_set_stop(answer, &a);
    const int64_t done = run_all_blocks(400);
    skl_set_stop(NULL, NULL);
    if (child_of_answer == -1) _exit(done == 400 && all_quick_blocks() ? 7 : 1);
    CHECK(done == 400);
    CHECK(waitpid(child_of_answer, &status, 0) == child_of_answer);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}
#endif

int main(void) {
    test_nobody_is_asked_unless_told();
    for (int64_t threads = 1; threads <= 3; threads++) {
        test_a_call_ends_between_blocks(threads);
        test_going_on_is_as_if_not_asked(threads);
        test_the_answer_may_run_jobs(threads);
        test_a_long_block_ends_in_its_middle(threads);
        test_a_job_says_that_it_was_stopped(threads);
        test_turning_joints_can_be_stopped(threads);
        test_one_large_pose_can_be_stopped(threads);
    }
    test_little_work_is_not_asked();
    test_other_threads_calls_are_their_own();
    test_the_caller_asks_while_it_waits();
    test_a_walk_is_cut_only_where_somebody_is_asked();
#ifndef NO_BUSY_FORKS
    test_the_answer_may_fork();
#endif
    return REPORT();
}
