/* SPDX-License-Identifier: MIT */
/* The pool: every block runs once, whoever calls, however often the number of threads changes, and after a fork. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#ifndef NO_FORKS
#include <sys/wait.h>
#endif
#include <unistd.h>

#include "check.h"
#include "core/base/parallel.h"
#include "skelkin/skelkin.h"

enum { ITEMS = 10007, GRAIN = 10, CALLERS = 4, ROUNDS = 50 };

/* What a call has done: how often each item was met, and by which worker. */
typedef struct tally {
    unsigned char met[ITEMS];
    unsigned char worker[ITEMS];
    int64_t largest;
    int workers;
    double sink[SKL_MAX_THREADS];
} tally;

static void count_items(void *context, int64_t begin, int64_t end, int worker) {
    tally *t = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        t->met[i]++;
        t->worker[i] = (unsigned char)worker;
        for (int k = 1; k < 50; k++) sum += 1.0 / (double)(i + k);
    }
    t->sink[worker] += sum; /* a race if a worker were two threads */
}

/* Every item once, by workers that there are. */
static int all_once(const tally *t, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (t->met[i] != 1 || t->worker[i] >= t->workers) return 0;
    return 1;
}

static int run(int64_t count, int64_t grain) {
    tally *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->workers = skl_parallel_workers(count, grain);
    skl_parallel_for(count, grain, t->workers, count_items, t);
    const int good = all_once(t, count);
    free(t);
    return good;
}

static void set_threads(int64_t n) {
    skl_status status;
    CHECK(skl_set_num_threads(n, &status) == SKL_OK);
}

static void test_setting(void) {
    skl_status status;
    char text[200];
    CHECK(skl_num_threads() == 1);
    CHECK(skl_set_num_threads(0, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "num_threads is 0: it must be 1 .. 256");
    CHECK(skl_set_num_threads(SKL_MAX_THREADS + 1, &status) == SKL_BAD_VALUE);
    CHECK(skl_num_threads() == 1);
    set_threads(3);
    CHECK(skl_num_threads() == 3);
    CHECK(skl_parallel_workers(100, 100) == 1);
    CHECK(skl_parallel_workers(101, 100) == 2);
    CHECK(skl_parallel_workers(1000, 100) == 3);
    CHECK(skl_parallel_workers(0, 100) == 1);
}

static void test_every_item_once(void) {
    const int64_t threads[] = {1, 2, 3, 8, 64, SKL_MAX_THREADS, 2, 1, 4};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        set_threads(threads[i]);
        CHECK(run(0, GRAIN));
        CHECK(run(1, GRAIN));
        CHECK(run(GRAIN, GRAIN));
        CHECK(run(GRAIN + 1, GRAIN));
        CHECK(run(ITEMS, GRAIN));
        CHECK(run(ITEMS, 1));
        CHECK(run(ITEMS, ITEMS - 1));
    }
}

static void *call_often(void *unused) {
    int64_t good = 1;
    for (int i = 0; i < ROUNDS; i++) good &= run(ITEMS, 100);
    (void)unused;
    return good ? &checks_done : NULL;
}

static void *change_often(void *unused) {
    skl_status status;
    for (int i = 0; i < 4 * ROUNDS; i++) (void)skl_set_num_threads(1 + i % 5, &status);
    (void)unused;
    return NULL;
}

static void test_several_callers(void) {
    pthread_t callers[CALLERS], changer;
    set_threads(4);
    for (int i = 0; i < CALLERS; i++) CHECK(pthread_create(&callers[i], NULL, call_often, NULL) == 0);
    CHECK(pthread_create(&changer, NULL, change_often, NULL) == 0);
    for (int i = 0; i < CALLERS; i++) {
        void *good;
        pthread_join(callers[i], &good);
        CHECK(good != NULL);
    }
    pthread_join(changer, NULL);
}

static void nested(void *context, int64_t begin, int64_t end, int worker) {
    unsigned char *good = context;
    (void)worker;
    for (int64_t i = begin; i < end; i++) good[i] = (unsigned char)run(1000, GRAIN);
}

static void test_nested(void) {
    unsigned char good[20] = {0};
    int all = 1;
    set_threads(3);
    skl_parallel_for(20, 1, skl_parallel_workers(20, 1), nested, good);
    for (int i = 0; i < 20; i++) all &= good[i];
    CHECK(all);
}

/* --- the verbs ---------------------------------------------------------------------------------------------------- */

enum { JOINTS = 11, POSES = 4000, VERTICES = 5000, INFLUENCES = 3 };

static skl_array batch(void *data, int64_t step, int64_t item_bytes) {
    skl_array array;
    array.data = data;
    array.step = step;
    array.ndim = 1;
    array.shape[0] = POSES;
    array.strides[0] = item_bytes;
    return array;
}

static skl_skeleton make_skeleton(void) {
    skl_skeleton skeleton;
    skl_status status;
    int64_t parents[JOINTS];
    double *rest = exactly(sizeof(double) * 16 * JOINTS);
    for (int j = 0; j < JOINTS; j++) {
        parents[j] = (j + 1) / 2 - 1;
        for (int k = 0; k < 16; k++) rest[16 * j + k] = k % 5 == 0 ? 1 : k % 4 == 3 && k < 12 ? next_number() : 0;
    }
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    free(rest);
    return skeleton;
}

static skl_weights make_weights(void) {
    skl_weights weights;
    skl_status status;
    enum { ENTRIES = VERTICES * INFLUENCES };
    int64_t *joints = exactly(sizeof(int64_t) * ENTRIES);
    double *values = exactly(sizeof(double) * ENTRIES);
    for (int i = 0; i < ENTRIES; i++) {
        joints[i] = i % JOINTS;
        values[i] = i % 5 == 0 ? 0 : next_number();
    }
    CHECK(skl_weights_init(&weights, VERTICES, INFLUENCES, JOINTS, NULL, joints, values, &status) == SKL_OK);
    free(joints);
    free(values);
    return weights;
}

static float *random_floats(int64_t count) {
    float *numbers = exactly((size_t)count * sizeof(float));
    for (int64_t i = 0; i < count; i++) numbers[i] = (float)next_number();
    return numbers;
}

/* Rotations to globals to the skinned points of some poses, and all in one, with this many threads. */
static void run_verbs(int64_t threads, const skl_skeleton *skeleton, const skl_weights *weights, float *rotations,
                      float *points, float *globals, float *out) {
    enum { F = sizeof(float), SKINNED = 40 };
    set_threads(threads);
    skl_forward_kinematics_trs_job fk = {.skeleton = skeleton, .dtype = SKL_FLOAT32, .out_rows = 4};
    fk.rotations = batch(rotations, 4 * F, 4 * F * JOINTS);
    fk.out = batch(globals, 16 * F, 16 * F * JOINTS);
    CHECK(skl_forward_kinematics_trs_run(&fk) == SKL_OK);
    skl_skin_points_job skin = {.weights = weights, .dtype = SKL_FLOAT32, .matrices = fk.out};
    skin.points.data = points;
    skin.points.step = 3 * F;
    skin.out = batch(out, 3 * F, 3 * F * VERTICES);
    skin.matrices.shape[0] = skin.out.shape[0] = SKINNED;
    CHECK(skl_skin_points_run(&skin) == SKL_OK);
    skl_skin_poses_job poses = {.weights = weights, .skeleton = skeleton, .dtype = SKL_FLOAT32, .points = skin.points};
    poses.rotations = fk.rotations;
    poses.out_points = batch(out + (int64_t)SKINNED * VERTICES * 3, 3 * F, 3 * F * VERTICES);
    poses.rotations.shape[0] = poses.out_points.shape[0] = SKINNED;
    CHECK(skl_skin_poses_run(&poses) == SKL_OK);
}

static void test_verbs_give_the_bits_of_one_thread(void) {
    enum { GLOBALS = POSES * JOINTS * 16, OUT = 2 * 40 * VERTICES * 3 };
    skl_skeleton skeleton = make_skeleton();
    skl_weights weights = make_weights();
    float *rotations = random_floats((int64_t)POSES * JOINTS * 4), *points = random_floats((int64_t)VERTICES * 3);
    float *globals[2], *out[2];
    for (int i = 0; i < 2; i++) {
        globals[i] = exactly(sizeof(float) * GLOBALS);
        out[i] = exactly(sizeof(float) * OUT);
        run_verbs(i ? 3 : 1, &skeleton, &weights, rotations, points, globals[i], out[i]);
    }
    CHECK(memcmp(globals[0], globals[1], sizeof(float) * GLOBALS) == 0);
    CHECK(memcmp(out[0], out[1], sizeof(float) * OUT) == 0);
    for (int i = 0; i < 2; i++) {
        free(globals[i]);
        free(out[i]);
    }
    free(rotations);
    free(points);
    skl_weights_free(&weights);
    skl_skeleton_free(&skeleton);
}

/* --- forks -------------------------------------------------------------------------------------------------------- */

/* ThreadSanitizer does not follow a process into its children; there AddressSanitizer waits for locks of its own
 * allocator that other threads held. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_FORKS 1
#elif __has_feature(address_sanitizer)
#define NO_BUSY_FORKS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define NO_FORKS 1
#elif defined(__SANITIZE_ADDRESS__)
#define NO_BUSY_FORKS 1
#endif
#ifdef NO_FORKS
#define NO_BUSY_FORKS 1
#endif

#ifndef NO_FORKS
static int exit_code(pid_t child) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

static void test_fork(void) {
    set_threads(3);
    CHECK(run(ITEMS, GRAIN));
    for (int i = 0; i < 10; i++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            alarm(100);
            _exit(run(ITEMS, GRAIN) && skl_num_threads() == 3 && run(ITEMS, GRAIN) ? 7 : 1);
        }
        CHECK(exit_code(child) == 7);
        CHECK(run(ITEMS, GRAIN));
    }
}

#endif

#ifndef NO_BUSY_FORKS
static void test_fork_while_the_pool_works(void) {
    pthread_t callers[CALLERS];
    set_threads(3);
    for (int i = 0; i < CALLERS; i++) CHECK(pthread_create(&callers[i], NULL, call_often, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(100);
            _exit(run(ITEMS, GRAIN) ? 7 : 1);
        }
        CHECK(exit_code(child) == 7);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(callers[i], NULL);
}
#endif

int main(void) {
    test_setting();
    test_every_item_once();
    test_several_callers();
    test_nested();
    test_verbs_give_the_bits_of_one_thread();
#ifndef NO_FORKS
    test_fork();
#endif
#ifndef NO_BUSY_FORKS
    test_fork_while_the_pool_works();
#endif
    set_threads(4);
    CHECK(run(ITEMS, GRAIN)); /* threads are there when the program ends */
    return REPORT();
}
