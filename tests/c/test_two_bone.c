/* SPDX-License-Identifier: MIT */
/* Two-bone jobs through skelkin.h alone: reach, status, bad rows, buffers that end at the last element. */
#include "check.h"
#include "skelkin/skelkin.h"

enum { TARGETS = 37 };

/* A limb in memory of its own, with one target per item. */
typedef struct limb_buffers {
    double *abc, *targets, *b, *c, *upper, *lower, *error, *stretch;
    int8_t *status;
} limb_buffers;

static double *numbers(size_t count) { return exactly(count * sizeof(double)); }

static skl_array vectors(double *data, int64_t width) {
    skl_array array = {.data = data, .ndim = 1, .shape = {TARGETS}, .strides = {width * (int64_t)sizeof(double)}};
    return array;
}

static limb_buffers make_buffers(void) {
    const limb_buffers m = {numbers(9),           numbers(TARGETS * 3), numbers(TARGETS * 3),
                            numbers(TARGETS * 3), numbers(TARGETS * 4), numbers(TARGETS * 4),
                            numbers(TARGETS),     numbers(TARGETS),     exactly(TARGETS)};
    const double abc[9] = {0, 2, 0, 0, 1, 0.2, 0, 0, 0};
    memcpy(m.abc, abc, sizeof abc);
    for (size_t i = 0; i < TARGETS * 3; i++) m.targets[i] = (i % 3 == 1 ? 1 : 0) + 0.8 * next_number();
    return m;
}

static void free_buffers(limb_buffers *m) {
    double *all[8] = {m->abc, m->targets, m->b, m->c, m->upper, m->lower, m->error, m->stretch};
    for (int i = 0; i < 8; i++) free(all[i]);
    free(m->status);
}

static skl_solve_two_bone_job make_job(const limb_buffers *m) {
    skl_solve_two_bone_job job = {.dtype = SKL_FLOAT64,
                                  .a = {.data = m->abc},
                                  .b = {.data = m->abc + 3},
                                  .c = {.data = m->abc + 6},
                                  .target = vectors(m->targets, 3),
                                  .out_b = vectors(m->b, 3),
                                  .out_c = vectors(m->c, 3),
                                  .out_upper = vectors(m->upper, 4),
                                  .out_lower = vectors(m->lower, 4),
                                  .out_error = vectors(m->error, 1),
                                  .out_stretch = vectors(m->stretch, 1)};
    job.out_status = (skl_array){.data = m->status, .ndim = 1, .shape = {TARGETS}, .strides = {1}};
    return job;
}

static double distance(const double *p, const double *q) {
    const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
    return sqrt(x * x + y * y + z * z);
}

static void every_target_in_reach_is_reached_and_bones_keep_their_lengths(void) {
    limb_buffers m = make_buffers();
    skl_solve_two_bone_job job = make_job(&m);
    const double upper = distance(m.abc, m.abc + 3), lower = distance(m.abc + 3, m.abc + 6);
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    for (size_t i = 0; i < TARGETS; i++) {
        const double *target = m.targets + 3 * i, *b = m.b + 3 * i, *c = m.c + 3 * i;
        CHECK(fabs(distance(m.abc, b) - upper) < 1e-12 && fabs(distance(b, c) - lower) < 1e-12);
        CHECK(fabs(distance(c, target) - m.error[i]) < 1e-12);
        if (distance(m.abc, target) < upper + lower - 1e-6)
            CHECK(m.status[i] == SKL_REACHED && m.error[i] < 1e-11);
        else
            CHECK(m.status[i] == SKL_TOO_FAR);
    }
    free_buffers(&m);
}

static void a_bad_row_harms_only_itself(void) {
    limb_buffers m = make_buffers();
    double b[TARGETS * 3];
    skl_solve_two_bone_job job = make_job(&m);
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    memcpy(b, m.b, sizeof b);
    m.targets[3 * 5 + 1] = NAN;
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    CHECK(m.status[5] == SKL_BAD_INPUT && isnan(m.error[5]));
    CHECK(memcmp(m.b + 15, m.abc + 3, 3 * sizeof(double)) == 0);
    CHECK(memcmp(m.b, b, 15 * sizeof(double)) == 0);
    CHECK(memcmp(m.b + 18, b + 18, (TARGETS - 6) * 3 * sizeof(double)) == 0);
    free_buffers(&m);
}

static void outputs_of_another_shape_are_refused(void) {
    limb_buffers m = make_buffers();
    skl_solve_two_bone_job job = make_job(&m);
    job.out_c.shape[0] = TARGETS - 1;
    CHECK(skl_solve_two_bone_run(&job) == SKL_BAD_SHAPE);
    free_buffers(&m);
}

int main(void) {
    const char *isas[2] = {skl_isa(), "scalar"};
    for (int i = 0; i < 2; i++) {
        CHECK(skl_isa_select(isas[i]) == 1);
        every_target_in_reach_is_reached_and_bones_keep_their_lengths();
        a_bad_row_harms_only_itself();
        outputs_of_another_shape_are_refused();
    }
    return REPORT();
}
