/* SPDX-License-Identifier: MIT */
/* Kinematics on every instruction set, as isas.h says. */
#include "isas.h"

enum { JOINTS = 29 };

static skl_skeleton skeleton;
static numbers local, rotations, translations, scales, globals;

static void pose_verb(skl_code (*run)(skl_pose_job *), const numbers *from, int64_t first, int64_t count, void *out) {
    skl_pose_job job = {.skeleton = &skeleton,
                        .dtype = dtype,
                        .matrices = slice(from, first, count, JOINTS * 12, 12),
                        .out = poses_at(out, count, JOINTS * 12, 12),
                        .out_rows = 3};
    CHECK(run(&job) == SKL_OK);
}

static void forward(int64_t first, int64_t count, void *out) {
    pose_verb(skl_forward_kinematics_run, &local, first, count, out);
}
static void backward(int64_t first, int64_t count, void *out) {
    pose_verb(skl_local_from_global_run, &globals, first, count, out);
}
static void skinning(int64_t first, int64_t count, void *out) {
    pose_verb(skl_skinning_matrices_run, &globals, first, count, out);
}

static void forward_trs(int64_t first, int64_t count, void *out) {
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton,
                                          .dtype = dtype,
                                          .rotations = slice(&rotations, first, count, JOINTS * 4, 4),
                                          .translations = slice(&translations, first, count, JOINTS * 3, 3),
                                          .scales = slice(&scales, first, count, JOINTS * 3, 3),
                                          .out = poses_at(out, count, JOINTS * 12, 12),
                                          .out_rows = 3};
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_OK);
}

static void rest_relative(int64_t first, int64_t count, void *out, int32_t rest_axes) {
    skl_rest_relative_job job = {.skeleton = &skeleton,
                                 .dtype = dtype,
                                 .rotations = slice(&rotations, first, count, JOINTS * 4, 4),
                                 .rest_axes = rest_axes,
                                 .out_rotations = poses_at(out, count, JOINTS * 7, 7),
                                 .out_translations = poses_at((char *)out + 4 * size, count, JOINTS * 7, 7)};
    CHECK(skl_rest_relative_run(&job) == SKL_OK);
}
static void relative_posed(int64_t first, int64_t count, void *out) { rest_relative(first, count, out, 0); }
static void relative_rest(int64_t first, int64_t count, void *out) { rest_relative(first, count, out, 1); }

/* Rotations alone at the end of their memory. */
static void relative_apart(int64_t first, int64_t count, void *out) {
    char *turns = exactly((size_t)(count * JOINTS * 4 * size));
    skl_rest_relative_job job = {.skeleton = &skeleton,
                                 .dtype = dtype,
                                 .rotations = slice(&rotations, first, count, JOINTS * 4, 4),
                                 .out_rotations = poses_at(turns, count, JOINTS * 4, 4),
                                 .out_translations = poses_at((char *)out + 4 * JOINTS * size, count, JOINTS * 7, 3)};
    CHECK(skl_rest_relative_run(&job) == SKL_OK);
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)out + i * JOINTS * 7 * size, turns + i * JOINTS * 4 * size, (size_t)(JOINTS * 4 * size));
    free(turns);
}

static const isa_verb verbs[] = {
    {"forward_kinematics", forward, JOINTS * 12, 0},
    {"local_from_global", backward, JOINTS * 12, 0},
    {"skinning_matrices", skinning, JOINTS * 12, 0},
    {"forward_kinematics_trs", forward_trs, JOINTS * 12, 0},
    {"rest_relative, posed axes", relative_posed, JOINTS * 7, 0},
    {"rest_relative, rest axes", relative_rest, JOINTS * 7, 0},
    {"rest_relative, arrays apart", relative_apart, JOINTS * 7, 0},
};

static void make_inputs(void) {
    int64_t parents[JOINTS];
    double rest[JOINTS * 16] = {0};
    for (int j = 0; j < JOINTS; j++) {
        parents[j] = j == 0 || j == 20 ? -1 : j % 3 == 0 ? j / 2 : j - 1;
        for (int i = 0; i < 4; i++) rest[16 * j + 5 * i] = 1;
        for (int i = 0; i < 3; i++) rest[16 * j + 4 * i + 3] = next_number();
    }
    skl_status status;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    random_numbers(&local, POSES * JOINTS * 12, 0.6, 0);
    random_numbers(&rotations, POSES * JOINTS * 4, 1, 0);
    random_numbers(&translations, POSES * JOINTS * 3, 0.3, 0);
    random_numbers(&scales, POSES * JOINTS * 3, 0.1, 1);
    /* Matrices with an inverse. */
    make_numbers(&globals, POSES * JOINTS * 12);
    use_dtype(SKL_FLOAT64);
    CHECK(skl_isa_select("scalar"));
    forward_trs(0, POSES, globals.wide);
    narrow_numbers(&globals);
}

int main(void) {
    make_inputs();
    try_verbs(verbs, sizeof verbs / sizeof *verbs);
    numbers *const made[] = {&local, &rotations, &translations, &scales, &globals};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) free_numbers(made[i]);
    skl_skeleton_free(&skeleton);
    return REPORT();
}
