/* SPDX-License-Identifier: MIT */
/* What contact detection sees of a foot, of signals whose answer is known. */
#include <math.h>

#include "planting/contacts/find_standing.h"
#include "check.h"

enum { FRAMES = 24, STEPS = FRAMES - 1 };

/* Find the fixed frames of a foot that goes `steps[i]` from frame i to the next, over a ground that goes itself. */
static void find_fixed(const double steps[STEPS], const double rises[STEPS], uint8_t out[FRAMES]) {
    const double ground[3] = {0.25, 0, -0.5};
    double *raw = exactly(3 * STEPS * sizeof *raw), *own_rises = exactly(STEPS * sizeof *own_rises);
    uint8_t *fixed = exactly(FRAMES);
    skl_foot_signal signal = {.num_frames = FRAMES, .raw = raw, .rises = own_rises};
    skl_arena arena = {0};
    for (int i = 0; i < STEPS; i++) {
        const double way[3] = {0.6 * steps[i], 0, 0.8 * steps[i]};
        for (int c = 0; c < 3; c++) raw[3 * i + c] = ground[c] + way[c];
        own_rises[i] = rises[i];
    }
    skl_fixed_frames(&signal, 0.01, ground, &arena, fixed);
    CHECK(!arena.failed && !arena.last);
    memcpy(out, fixed, FRAMES);
    free(raw);
    free(own_rises);
    free(fixed);
}

/* Every frame beside a step that is none to rounding, and on over steps that nearly are; at both ends of a clip too. */
static void a_foot_rests_from_its_first_frame_to_its_last(int first, int rest, int nearly) {
    double steps[STEPS], rises[STEPS] = {0};
    uint8_t out[FRAMES];
    for (int i = 0; i < STEPS; i++) steps[i] = i < first ? 0.01 : i < rest ? 0 : i < nearly ? 3e-5 : 0.01;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == (f >= first && f <= nearly));
}

static void a_foot_that_jitters_by_more_than_rounding_does_not_rest(void) {
    double steps[STEPS], rises[STEPS] = {0};
    uint8_t out[FRAMES];
    for (int i = 0; i < STEPS; i++) steps[i] = i >= 4 && i < 12 ? 5e-7 : 0.01;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == 0);
}

static void a_foot_that_rises_or_falls_does_not_rest(double rise) {
    double steps[STEPS] = {0}, rises[STEPS] = {0};
    uint8_t out[FRAMES];
    rises[9] = rise;
    rises[10] = -rise;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == (f != 10));
}

/* In legs per second, the ground below a foot in its one contact: it goes at -3 on average while it is low, up to 0.5
 * faster while it lands and more slowly while it leaves, if it rolls, and is lowest in the middle of the clip. */
static void the_ground_goes_as_a_foot_does(int rolls, skl_span contact) {
    enum { NUM = 61 };
    static double ankle[3 * NUM], foot[9 * NUM];
    const double up[3] = {0, 1, 0}, fps = 60;
    skl_arena arena = {0};
    skl_foot_model model = {
        .sole = {.heel = {0, -0.1, 0}, .ball = {0, -0.1, 0.15}, .back = {0, -0.1, -0.05}, .along = {0, 0, 0.15}}};
    skl_track track = {.num_frames = NUM, .ankle = ankle, .foot = foot, .length = 1};
    skl_spans contacts = {&contact, 1};
    for (int f = 0; f < NUM; f++) {
        const double t = (f - NUM / 2) / fps;
        ankle[3 * f] = 0;
        ankle[3 * f + 1] = 0.1 + (rolls ? 3.4 * t * t : 0);
        ankle[3 * f + 2] = -3 * t + (rolls ? 2 * t * t : 0);
        for (int i = 0; i < 9; i++) foot[9 * f + i] = i % 4 == 0;
    }
    skl_standing_job job = {
        .num_legs = 1, .tracks = &track, .fps = fps, .arena = &arena, .models = &model, .contacts = &contacts};
    memcpy(job.up, up, sizeof up);
    CHECK(skl_stance_velocity(&job) == SKL_OK && job.limits.moves);
    CHECK(fabs(job.limits.ground_velocity[2] + 3) < 1e-9);
    skl_arena_free(&arena);
}

int main(void) {
    the_ground_goes_as_a_foot_does(0, (skl_span){10, 40});
    the_ground_goes_as_a_foot_does(1, (skl_span){23, 32});
    a_foot_rests_from_its_first_frame_to_its_last(5, 9, 9);
    a_foot_rests_from_its_first_frame_to_its_last(5, 9, 12);
    a_foot_rests_from_its_first_frame_to_its_last(0, 1, 1);
    a_foot_rests_from_its_first_frame_to_its_last(3, STEPS, STEPS);
    a_foot_rests_from_its_first_frame_to_its_last(3, STEPS - 1, STEPS);
    a_foot_that_jitters_by_more_than_rounding_does_not_rest();
    a_foot_that_rises_or_falls_does_not_rest(0.02);
    a_foot_that_rises_or_falls_does_not_rest(-0.02);
    return REPORT();
}
