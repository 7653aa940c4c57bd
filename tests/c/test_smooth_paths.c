/* SPDX-License-Identifier: MIT */
/* Paths of a body and two ankles on memory that ends with them: what is held, what bounds, and who stops them. The
 * numbers themselves are compared in tests/python/planting/paths. */
#include "check.h"
#include "planting/paths/smooth_paths.h"
#include "skelkin/skelkin.h"

enum { LEGS = 2 };

/* A job and all that it reads and writes. */
typedef struct steps {
    skl_smooth_paths_job job;
    skl_path_leg legs[LEGS];
    double *numbers[LEGS][9];
    uint8_t *flags[LEGS + 1];
} steps;

static double *numbers_of(int64_t count) { return exactly((size_t)(count > 0 ? count : 1) * sizeof(double)); }

/* Legs that stand in turn for ten frames, up to 0.1 off their way; in the air they are to be raised a little. */
static void open_steps(steps *s, int64_t frames) {
    *s = (steps){.job = {.num_frames = frames, .num_legs = LEGS, .up = {0, 1, 0}, .length = 1, .frame_time = 1.0 / 60}};
    s->job.weights = (skl_path_weights){20, 0.2, 1000, 0.1, 1e7, 3000, 20};
    s->job.body_moves = 1;
    s->job.body = numbers_of(3 * frames);
    uint8_t *const is_free = s->flags[LEGS] = exactly((size_t)frames);
    memset(is_free, 1, (size_t)frames);
    s->job.free = is_free;
    s->job.legs = s->legs;
    for (int k = 0; k < LEGS; k++) {
        double **const n = s->numbers[k];
        uint8_t *const stands = s->flags[k] = exactly((size_t)frames);
        for (int i = 0; i < 9; i++) n[i] = numbers_of(i < 5 ? 3 * frames : frames);
        for (int64_t i = 0; i < 3 * frames; i++) {
            n[0][i] = 0.01 * (double)(i / 3) + (i % 3 == 1 ? 0.92 : 0);
            n[1][i] = 0.01 * (double)(i / 3);
            n[2][i] = 0.1 * sin(0.2 * (double)((i + 7 * k) / 30));
            n[4][i] = i % 3 == 1 ? 0.92 : 0.01;
        }
        for (int64_t f = 0; f < frames; f++) {
            n[5][f] = 1;
            n[6][f] = 0.8;
            n[7][f] = 0.995;
            n[8][f] = 0.02;
            stands[f] = (f / 10 + k) % 2 == 0;
        }
        s->legs[k] = (skl_path_leg){.hip = n[0],
                                    .ankle = n[1],
                                    .held = n[2],
                                    .offset = n[3],
                                    .line = n[4],
                                    .bones = n[5],
                                    .flexion = n[6],
                                    .reach = n[7],
                                    .lowest = n[8],
                                    .stands = stands};
    }
}

static void close_steps(steps *s) {
    free(s->job.body);
    for (int k = 0; k <= LEGS; k++) free(s->flags[k]);
    for (int k = 0; k < LEGS; k++)
        for (int i = 0; i < 9; i++) free(s->numbers[k][i]);
}

static void feet_are_where_they_are_held_and_else_above_their_floor(int64_t frames) {
    steps s;
    open_steps(&s, frames);
    CHECK(skl_smooth_paths_run(&s.job) == SKL_OK && s.job.status.code == SKL_OK);
    CHECK(s.job.rounds >= 1 && isfinite(s.job.objective));
    for (int k = 0; k < LEGS; k++)
        for (int64_t f = 0; f < frames; f++) {
            const skl_path_leg *const leg = s.legs + k;
            const double *const offset = leg->offset + 3 * f;
            double apart = 0;
            for (int i = 0; i < 3; i++) {
                const double by = leg->hip[3 * f + i] + s.job.body[3 * f + i] - leg->ankle[3 * f + i] - offset[i];
                apart += by * by;
            }
            CHECK(sqrt(apart) <= leg->reach[f] + 1e-8);
            if (leg->stands[f])
                CHECK(memcmp(offset, leg->held + 3 * f, 3 * sizeof *offset) == 0);
            else
                CHECK(offset[1] >= leg->lowest[f] - 1e-8);
        }
    close_steps(&s);
}

static void the_same_job_gives_the_same_bits(void) {
    steps a, b;
    open_steps(&a, 200);
    open_steps(&b, 200);
    CHECK(skl_smooth_paths_run(&a.job) == SKL_OK && skl_smooth_paths_run(&b.job) == SKL_OK);
    CHECK(memcmp(a.job.body, b.job.body, 600 * sizeof(double)) == 0);
    CHECK(memcmp(a.legs[1].offset, b.legs[1].offset, 600 * sizeof(double)) == 0);
    close_steps(&a);
    close_steps(&b);
}

static int at_once(void *context) {
    ++*(int *)context;
    return 1;
}

static void who_asks_to_stop_gets_nothing_written(void) {
    enum { FRAMES = 20000 };
    steps s;
    int questions = 0;
    open_steps(&s, FRAMES);
    for (int i = 0; i < 3 * FRAMES; i++) s.job.body[i] = s.legs[0].offset[i] = 7;
    skl_set_stop(at_once, &questions);
    CHECK(skl_smooth_paths_run(&s.job) == SKL_STOPPED && s.job.status.code == SKL_STOPPED);
    skl_set_stop(NULL, NULL);
    CHECK(questions == 1);
    CHECK(s.job.body[0] == 7 && s.legs[0].offset[3 * FRAMES - 1] == 7);
    close_steps(&s);
}

int main(void) {
    for (int64_t frames = 1; frames < 6; frames++) feet_are_where_they_are_held_and_else_above_their_floor(frames);
    feet_are_where_they_are_held_and_else_above_their_floor(300);
    the_same_job_gives_the_same_bits();
    who_asks_to_stop_gets_nothing_written();
    return REPORT();
}
