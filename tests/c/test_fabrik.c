/* SPDX-License-Identifier: MIT */
/* FABRIK on every instruction set, as isas.h says, in memory that ends with the last joint; what is refused. */
#include "isas.h"

enum { JOINTS = 9, LEAVES = 3 };

static const int32_t parents[JOINTS] = {-1, 0, 1, 2, 1, 4, 0, 6, 4}, leaves[LEAVES] = {3, 5, 7};
static numbers positions, targets, poles;
static int has_pole, is_tree;

static void solve(int64_t first, int64_t count, void *out) {
    unsigned char *status = exactly((size_t)count);
    int32_t *iterations = exactly((size_t)count * sizeof(int32_t));
    char *error = exactly((size_t)(count * size));
    const int64_t goals = is_tree ? LEAVES : 1;
    skl_solve_fabrik_job job = {.dtype = dtype,
                                .num_joints = JOINTS,
                                .parents = is_tree ? parents : NULL,
                                .num_targets = goals,
                                .leaves = is_tree ? leaves : NULL,
                                .tolerance = 1e-3,
                                .max_iterations = 5,
                                .positions = slice(&positions, first, count, JOINTS * 3, 3),
                                .target = slice(&targets, first, count, LEAVES * 3, 3),
                                .out = poses_at(out, count, JOINTS * 3, 3),
                                .out_error = poses_at(error, count, 1, 1)};
    if (has_pole) job.pole = slice(&poles, first, count, 3, 3);
    job.out_status = (skl_array){.data = status, .ndim = 1, .shape = {count}, .strides = {1}};
    job.out_iterations = (skl_array){.data = iterations, .ndim = 1, .shape = {count}, .strides = {4}};
    CHECK(skl_solve_fabrik_run(&job) == SKL_OK);
    for (int64_t i = 0; i < count; i++) CHECK(status[i] <= SKL_NOT_CONVERGED && iterations[i] <= 5);
    free(status);
    free(iterations);
    free(error);
}

static void chain(int64_t first, int64_t count, void *out) {
    is_tree = has_pole = 0;
    solve(first, count, out);
}

static void chain_with_pole(int64_t first, int64_t count, void *out) {
    is_tree = 0;
    has_pole = 1;
    solve(first, count, out);
}

static void tree(int64_t first, int64_t count, void *out) {
    is_tree = 1;
    has_pole = 0;
    solve(first, count, out);
}

static const isa_verb verbs[] = {{"chain", chain, JOINTS * 3, 0},
                                 {"chain with a pole", chain_with_pole, JOINTS * 3, 0},
                                 {"tree", tree, JOINTS * 3, 0}};

static void refused(skl_solve_fabrik_job job, const char *wanted) {
    char text[200];
    CHECK(skl_solve_fabrik_run(&job) != SKL_OK);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text), wanted);
}

static void what_is_no_chain_is_refused(void) {
    double points[JOINTS * 3] = {0}, error = 7;
    unsigned char status;
    int32_t iterations;
    static const int32_t upward[3] = {-1, 2, 1}, inner[2] = {1, 3}, twice[2] = {3, 3};
    use_dtype(SKL_FLOAT64);
    const skl_solve_fabrik_job good = {.dtype = SKL_FLOAT64,
                                       .num_joints = JOINTS,
                                       .parents = parents,
                                       .num_targets = 2,
                                       .leaves = leaves,
                                       .tolerance = 1e-3,
                                       .max_iterations = 5,
                                       .positions = {.data = points, .step = 24},
                                       .target = {.data = points, .step = 24},
                                       .out = {.data = points, .step = 24},
                                       .out_status = {.data = &status},
                                       .out_error = {.data = &error},
                                       .out_iterations = {.data = &iterations}};
    skl_solve_fabrik_job job = good;
    job.num_joints = 1;
    refused(job, "positions: a chain has at least two joints");
    job = good;
    job.num_joints = 3;
    job.parents = upward;
    refused(job, "parents[1] is 2: the first joint is the root (-1), and a parent must come before its child");
    job = good;
    job.leaves = inner;
    refused(job, "target[1] is 3: there is a target above its joint already");
    job.leaves = twice;
    refused(job, "target[1] is 3: its joint has a target already, itself or below it");
    job = good;
    job.tolerance = 1;
    refused(job, "tolerance is 1: it must be above 0 and below 1");
    job = good;
    job.max_iterations = 0;
    refused(job, "max_iterations is 0: it must be at least 1");
    job = good;
    job.pole.data = points;
    refused(job, "pole: a pole needs a chain with one target");
    CHECK(error >= 7 && error <= 7);
}

int main(void) {
    random_numbers(&positions, POSES * JOINTS * 3, 1, 0);
    random_numbers(&targets, POSES * LEAVES * 3, 2, 0);
    random_numbers(&poles, POSES * 3, 3, 0);
    try_verbs(verbs, sizeof verbs / sizeof *verbs);
    what_is_no_chain_is_refused();
    free_numbers(&positions);
    free_numbers(&targets);
    free_numbers(&poles);
    return REPORT();
}
