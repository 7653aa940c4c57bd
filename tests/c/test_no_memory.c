/* SPDX-License-Identifier: MIT */
/* Every allocation of every init and job fails in turn: SKL_NO_MEMORY, nothing written, nothing leaked. */
#include "check.h"
#include "no_memory.h"
#include "planting/paths/smooth_paths.h"
#include "skelkin/skelkin.h"

enum { JOINTS = 40, POSES = 21, VERTICES = 700, INFLUENCES = 5 };

static skl_skeleton skeleton;
static skl_weights weights;
static skl_status status;
static int64_t parents[JOINTS];
static double rest[JOINTS * 16];
static int64_t ids[VERTICES * INFLUENCES];
static double values[VERTICES * INFLUENCES];

static void fill(double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) numbers[i] = next_number();
}

static void fill_rigs(void) {
    fill(rest, JOINTS * 16);
    fill(values, VERTICES * INFLUENCES);
    for (int j = 0; j < JOINTS; j++) {
        parents[j] = j - 1 - (j > 3 ? j % 3 : 0);
        for (int i = 0; i < 16; i++) rest[16 * j + i] = i >= 12 ? i == 15 : rest[16 * j + i] + (i % 5 ? 0 : 2);
    }
    for (int i = 0; i < VERTICES * INFLUENCES; i++) {
        ids[i] = (i * 7) % JOINTS;
        if (i % 3 == 0) values[i] = 0;
    }
}

static skl_code make_skeleton(void *data) {
    (void)data;
    return skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status);
}

static skl_code make_weights(void *data) {
    (void)data;
    return skl_weights_init(&weights, VERTICES, INFLUENCES, JOINTS, NULL, ids, values, &status);
}

static skl_array batch(double *data, int64_t poses, int64_t count, int64_t numbers) {
    const int64_t size = (int64_t)sizeof *data;
    skl_array array = {
        .data = data, .step = numbers * size, .ndim = 1, .shape = {poses}, .strides = {count * numbers * size}};
    return array;
}

static double *results(size_t count) {
    double *numbers = exactly(count * sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = 7;
    return numbers;
}

#define ATTEMPT(verb, type)                                                                                            \
    static skl_code try_##verb(void *job) { return skl_##verb##_run((type *)job); }
ATTEMPT(forward_kinematics, skl_pose_job)
ATTEMPT(local_from_global, skl_pose_job)
ATTEMPT(skinning_matrices, skl_pose_job)
ATTEMPT(skin_points, skl_skin_points_job)
ATTEMPT(change_basis_points, skl_change_basis_job)
ATTEMPT(solve_fabrik, skl_solve_fabrik_job)
ATTEMPT(rotations_from_positions, skl_rotations_from_positions_job)

static void jobs_without_memory_write_nothing(int64_t poses) {
    static double matrices[POSES * JOINTS * 12], points[VERTICES * 3];
    fill(matrices, POSES * JOINTS * 12);
    fill(points, VERTICES * 3);
    const size_t pose_size = (size_t)poses * JOINTS * 12, mesh_size = (size_t)poses * VERTICES * 3;
    double *pose = results(pose_size), *mesh = results(mesh_size);
    skl_pose_job pose_job = {.skeleton = &skeleton,
                             .dtype = SKL_FLOAT64,
                             .matrices = batch(matrices, poses, JOINTS, 12),
                             .out = batch(pose, poses, JOINTS, 12),
                             .out_rows = 3};
    const attempt verbs[] = {try_forward_kinematics, try_local_from_global, try_skinning_matrices};
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < pose_size; k++) pose[k] = 7;
        sweep(verbs[i], &pose_job, 0, pose, pose_size);
    }
    skl_skin_points_job skin_job = {.weights = &weights,
                                    .dtype = SKL_FLOAT64,
                                    .points = batch(points, 1, VERTICES, 3),
                                    .matrices = batch(matrices, poses, JOINTS, 12),
                                    .out = batch(mesh, poses, VERTICES, 3)};
    sweep(try_skin_points, &skin_job, 0, mesh, mesh_size);
    free(pose);
    free(mesh);
}

static void followers_without_memory_write_nothing(void) {
    static const int32_t chain[3] = {0, 1, 2};
    double positions[POSES * 9], matrices[POSES * JOINTS * 12], *pose = results(POSES * JOINTS * 12);
    fill(positions, POSES * 9);
    fill(matrices, POSES * JOINTS * 12);
    skl_rotations_from_positions_job job = {.poses = {.skeleton = &skeleton,
                                                      .dtype = SKL_FLOAT64,
                                                      .local = batch(matrices, POSES, JOINTS, 12),
                                                      .local_rows = 3,
                                                      .out = batch(pose, POSES, JOINTS, 12),
                                                      .out_rows = 3},
                                            .chain = chain,
                                            .num_joints = 3,
                                            .positions = batch(positions, POSES, 3, 3)};
    CHECK(sweep(try_rotations_from_positions, &job, 0, pose, POSES * JOINTS * 12) == 1);
    free(pose);
}

static void bases_without_memory_write_nothing(void) {
    double points[9 * 3], bases[9 * 12], identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, *out = results(9 * 3);
    fill(points, 9 * 3);
    fill(bases, 9 * 12);
    skl_change_basis_job job = {.dtype = SKL_FLOAT64,
                                .values = batch(points, 9, 1, 3),
                                .from_basis = batch(bases, 9, 3, 4),
                                .to_basis = batch(identity, 1, 3, 4),
                                .out = batch(out, 9, 1, 3),
                                .out_rows = 4};
    CHECK(sweep(try_change_basis_points, &job, 0, out, 9 * 3) == 1);
    free(out);
}

static void chains_without_memory_stay_as_they_are(int64_t chains, int is_tree) {
    enum { BONES = 6, LEAVES = 2 };
    static const int32_t above[BONES] = {-1, 0, 1, 1, 3, 2}, leaves[LEAVES] = {4, 5};
    double points[POSES * BONES * 3], targets[POSES * LEAVES * 3], *out = results((size_t)chains * BONES * 3),
                                                                   *error = results((size_t)chains);
    unsigned char codes[POSES];
    int32_t iterations[POSES];
    fill(points, POSES * BONES * 3);
    fill(targets, POSES * LEAVES * 3);
    memset(codes, 77, sizeof codes);
    skl_solve_fabrik_job job = {.dtype = SKL_FLOAT64,
                                .num_joints = BONES,
                                .parents = is_tree ? above : NULL,
                                .num_targets = is_tree ? LEAVES : 1,
                                .leaves = is_tree ? leaves : NULL,
                                .tolerance = 1e-3,
                                .max_iterations = 5,
                                .positions = batch(points, chains, BONES, 3),
                                .target = batch(targets, chains, LEAVES, 3),
                                .out = batch(out, chains, BONES, 3),
                                .out_error = batch(error, chains, 1, 1)};
    job.out_status = (skl_array){.data = codes, .ndim = 1, .shape = {chains}, .strides = {1}};
    job.out_iterations = (skl_array){.data = iterations, .ndim = 1, .shape = {chains}, .strides = {4}};
    CHECK(sweep(try_solve_fabrik, &job, 0, out, (size_t)chains * BONES * 3) == 2);
    for (int64_t i = 0; i < chains; i++) CHECK(codes[i] <= SKL_NOT_CONVERGED);
    free(out);
    free(error);
}

static skl_code try_smooth_paths(void *job) { return skl_smooth_paths_run(job); }

static void paths_without_memory_write_nothing(void) {
    enum { FRAMES = 12 };
    double hip[3 * FRAMES], ankle[3 * FRAMES], line[3 * FRAMES], held[3 * FRAMES], bones[FRAMES], flexion[FRAMES],
        reach[FRAMES], lowest[FRAMES], *out = results(6 * FRAMES);
    uint8_t stands[FRAMES], is_free[FRAMES];
    fill(held, 3 * FRAMES);
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < 3; i++) hip[3 * f + i] = ankle[3 * f + i] = 0.01 * f * i;
        hip[3 * f + 1] += 0.9;
        for (int i = 0; i < 3; i++) line[3 * f + i] = hip[3 * f + i] - ankle[3 * f + i];
        bones[f] = 1;
        flexion[f] = 0.5;
        reach[f] = 0.95;
        lowest[f] = 0;
        stands[f] = f % 6 < 3;
        is_free[f] = 1;
    }
    const skl_path_leg leg = {.hip = hip,
                              .ankle = ankle,
                              .line = line,
                              .bones = bones,
                              .flexion = flexion,
                              .reach = reach,
                              .lowest = lowest,
                              .stands = stands,
                              .held = held,
                              .offset = out};
    skl_smooth_paths_job job = {.num_frames = FRAMES,
                                .num_legs = 1,
                                .legs = &leg,
                                .free = is_free,
                                .up = {0, 1, 0},
                                .length = 1,
                                .frame_time = 1.0 / 30,
                                .body_moves = 1,
                                .weights = {20, 0.2, 1000, 0.1, 1e7, 3000, 20},
                                .body = out + 3 * FRAMES};
    CHECK(sweep(try_smooth_paths, &job, 0, out, 6 * FRAMES) >= 1);
    CHECK(memcmp(out, held, 9 * sizeof *out) == 0); /* the first three frames stand */
    free(out);
}

int main(void) {
    fill_rigs();
    paths_without_memory_write_nothing();
    CHECK(sweep(make_skeleton, NULL, 1, NULL, 0) >= 1);
    CHECK(sweep(make_weights, NULL, 1, NULL, 0) >= 1);
    jobs_without_memory_write_nothing(1);
    jobs_without_memory_write_nothing(POSES);
    followers_without_memory_write_nothing();
    bases_without_memory_write_nothing();
    for (int is_tree = 0; is_tree < 2; is_tree++) {
        chains_without_memory_stay_as_they_are(1, is_tree);
        chains_without_memory_stay_as_they_are(POSES, is_tree);
    }
    CHECK(skl_set_num_threads(3, &status) == SKL_OK); /* scratch for each of them */
    jobs_without_memory_write_nothing(POSES);
    CHECK(skl_set_num_threads(1, &status) == SKL_OK);
    skl_weights_free(&weights);
    skl_skeleton_free(&skeleton);
    return REPORT();
}
