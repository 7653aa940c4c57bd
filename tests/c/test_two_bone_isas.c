/* SPDX-License-Identifier: MIT */
/* Two bones between positions on every instruction set, as isas.h says. */
#include "isas.h"

enum { OUT = 16 }; /* knee, end, two quaternions, error, stretch */

static numbers hips, knees, ankles, targets, poles, parts; /* parts: between 0.1 and 0.9 */

static skl_array numbers_of(const numbers *from, int64_t first, int64_t count, int64_t width) {
    return (skl_array){
        .data = (char *)data_of(from) + first * width * size, .ndim = 1, .shape = {count}, .strides = {width * size}};
}

static skl_array result_at(void *out, int64_t count, int64_t number) {
    return (skl_array){.data = (char *)out + number * size, .ndim = 1, .shape = {count}, .strides = {OUT * size}};
}

static void solve(int64_t first, int64_t count, void *out, skl_two_bone_options options) {
    int8_t *status = exactly((size_t)count);
    skl_solve_two_bone_job job = {.dtype = dtype,
                                  .a = numbers_of(&hips, first, count, 3),
                                  .b = numbers_of(&knees, first, count, 3),
                                  .c = numbers_of(&ankles, first, count, 3),
                                  .target = numbers_of(&targets, first, count, 3),
                                  .options = options,
                                  .out_b = result_at(out, count, 0),
                                  .out_c = result_at(out, count, 3),
                                  .out_upper = result_at(out, count, 6),
                                  .out_lower = result_at(out, count, 10),
                                  .out_error = result_at(out, count, 14),
                                  .out_stretch = result_at(out, count, 15)};
    job.out_status = (skl_array){.data = status, .ndim = 1, .shape = {count}, .strides = {1}};
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    if (!options.weight.data && !options.soften.data) {
        int reached = 1;
        for (int64_t i = 0; i < count; i++) {
            const double error = number_at(out, (size_t)(i * OUT + 14));
            reached &= status[i] == SKL_REACHED && error <= (dtype == SKL_FLOAT32 ? 4e-6 : 1e-13);
        }
        CHECK(reached);
    }
    free(status);
}

static void plain(int64_t first, int64_t count, void *out) { solve(first, count, out, (skl_two_bone_options){0}); }

static void minimal(int64_t first, int64_t count, void *out) {
    solve(first, count, out, (skl_two_bone_options){.minimal_roll = 1, .bend = numbers_of(&poles, first, count, 3)});
}

static void poled(int64_t first, int64_t count, void *out) {
    solve(first, count, out, (skl_two_bone_options){.pole = numbers_of(&poles, first, count, 3)});
}

static void softened(int64_t first, int64_t count, void *out) {
    static float narrow = 1.3F;
    static double wide = 1.3;
    void *stretch = dtype == SKL_FLOAT32 ? (void *)&narrow : (void *)&wide;
    solve(first, count, out,
          (skl_two_bone_options){.soften = numbers_of(&parts, first, count, 1), .stretch = {.data = stretch}});
}

static void in_part(int64_t first, int64_t count, void *out) {
    const skl_array amount = numbers_of(&parts, first, count, 1);
    solve(first, count, out, (skl_two_bone_options){.twist = amount, .weight = amount});
}

static const isa_verb verbs[] = {
    {"solve_two_bone", plain, OUT, 1e-12},
    {"solve_two_bone, roll minimal, bend", minimal, OUT, 1e-12},
    {"solve_two_bone, pole", poled, OUT, 1e-12},
    {"solve_two_bone, soften, stretch", softened, OUT, 1e-12},
    {"solve_two_bone, twist, weight", in_part, OUT, 1e-12},
};

/* A bone between two points, no shorter than a third of the other; a target well inside of the reach. */
static void make_inputs(void) {
    numbers *const vectors[] = {&hips, &knees, &ankles, &targets, &poles};
    for (int k = 0; k < 5; k++) random_numbers(vectors[k], 3 * POSES, 1, 0);
    random_numbers(&parts, POSES, 0.4, 0.5);
    for (size_t i = 0; i < POSES; i++) {
        double *a = hips.wide + 3 * i, *b = knees.wide + 3 * i, *c = ankles.wide + 3 * i, *t = targets.wide + 3 * i;
        const double turn = 3 * next_number(), bend = 0.4 + 0.9 * fabs(next_number()), part = parts.wide[i];
        const double u[3] = {cos(turn), sin(turn), 0.5}, v[3] = {cos(turn + bend), 0.3, sin(turn + bend)};
        const double n[3] = {u[0] + v[0] + 0.4 * next_number(), u[1] + v[1] + 0.4 * next_number(), u[2] + v[2]};
        const double aim = (0.8 + part) / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++) {
            b[k] = a[k] + u[k];
            c[k] = b[k] + v[k];
            t[k] = a[k] + aim * n[k];
        }
    }
    for (int k = 0; k < 5; k++) narrow_numbers(vectors[k]);
}

int main(void) {
    make_inputs();
    try_verbs(verbs, sizeof verbs / sizeof *verbs);
    numbers *const made[] = {&hips, &knees, &ankles, &targets, &poles, &parts};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) free_numbers(made[i]);
    return REPORT();
}
