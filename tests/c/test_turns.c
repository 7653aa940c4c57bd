/* SPDX-License-Identifier: MIT */
/* Jobs that turn joints, through the public header: what they find, what they refuse, and what they leave alone. */
#include "check.h"
#include "skelkin/turns.h"

enum { JOINTS = 4, POSES = 37, NUMBERS = JOINTS * 16 };

static skl_skeleton skeleton;
static double local[POSES * NUMBERS], out[POSES * NUMBERS];

/* A chain along y, in poses that turn about z. */
static void make_rig(void) {
    const int64_t parents[JOINTS] = {-1, 0, 1, 2};
    skl_status status;
    for (int i = 0; i < POSES * NUMBERS; i++) local[i] = i % 16 / 4 == i % 4;
    for (int k = 0; k < POSES * JOINTS; k++) {
        double *m = local + 16 * k;
        const double angle = k < JOINTS ? 0 : next_number();
        m[0] = m[5] = cos(angle);
        m[4] = sin(angle);
        m[1] = -m[4];
        m[7] = k % JOINTS > 0;
    }
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, local, NULL, &status) == SKL_OK);
}

static skl_array poses_of(double *data) {
    return (skl_array){.data = data, .step = 128, .ndim = 1, .shape = {POSES}, .strides = {8 * NUMBERS}};
}

static skl_array vector_of(double *data) { return (skl_array){.data = data}; }

static skl_turned_poses all_poses(void) {
    return (skl_turned_poses){.skeleton = &skeleton,
                              .dtype = SKL_FLOAT64,
                              .local = poses_of(local),
                              .local_rows = 4,
                              .out = poses_of(out),
                              .out_rows = 4};
}

/* Where the joint of a pose is in the space of the model. */
static void place_of(const double *pose, int joint, double p[3]) {
    for (int i = 0; i < 3; i++) p[i] = 0;
    for (int j = joint; j >= 0; j--) {
        const double *m = pose + 16 * j, v[3] = {p[0], p[1], p[2]};
        for (int i = 0; i < 3; i++) p[i] = m[4 * i] * v[0] + m[4 * i + 1] * v[1] + m[4 * i + 2] * v[2] + m[4 * i + 3];
    }
}

/* The sine of the angle between joint -> below and a direction, or 2 where they look away from each other. */
static double miss(const double *pose, int joint, int below, const double aim[3]) {
    double a[3], b[3], dot = 0, square = 0, sizes[2] = {0, 0};
    place_of(pose, joint, a);
    place_of(pose, below, b);
    for (int i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, n = (i + 2) % 3;
        const double cross = (b[k] - a[k]) * aim[n] - (b[n] - a[n]) * aim[k];
        dot += (b[i] - a[i]) * aim[i];
        square += cross * cross;
        sizes[0] += (b[i] - a[i]) * (b[i] - a[i]);
        sizes[1] += aim[i] * aim[i];
    }
    return dot > 0 ? sqrt(square / sizes[0] / sizes[1]) : 2;
}

static void test_a_joint_points_at_a_place_and_others_stay(void) {
    double target[3] = {3, 1, 2};
    skl_points_at_job job = {.poses = all_poses(), .joint = 1, .tip_joint = -1, .target = vector_of(target)};
    CHECK(skl_points_at_run(&job) == SKL_OK);
    for (int p = 0; p < POSES; p++) {
        const double *pose = out + p * NUMBERS;
        double at[3], aim[3];
        place_of(pose, 1, at);
        for (int i = 0; i < 3; i++) aim[i] = target[i] - at[i];
        CHECK(miss(pose, 1, 2, aim) < 1e-14);
        for (int i = 0; i < NUMBERS; i++)
            if (i / 16 != 1 || i % 4 == 3 || i % 16 >= 12) CHECK(memcmp(pose + i, local + p * NUMBERS + i, 8) == 0);
    }
}

static void test_poses_may_be_written_over_themselves(void) {
    double target[3] = {3, 1, 2}, *own = exactly(sizeof local);
    skl_points_at_job job = {.poses = all_poses(), .joint = 2, .tip_joint = 3, .target = vector_of(target)};
    CHECK(skl_points_at_run(&job) == SKL_OK);
    memcpy(own, local, sizeof local);
    job.poses.local = job.poses.out = poses_of(own);
    CHECK(skl_points_at_run(&job) == SKL_OK);
    CHECK(memcmp(own, out, sizeof out) == 0);
    free(own);
}

static void test_a_chain_follows_positions(void) {
    const int32_t chain[JOINTS] = {0, 1, 2, 3};
    double positions[JOINTS * 3] = {0, 0, 0, 1, 2, 3, -1, 2, 4, 0, 0, 9};
    skl_rotations_from_positions_job job = {.poses = all_poses(), .chain = chain, .num_joints = JOINTS};
    job.positions = (skl_array){.data = positions, .step = 24};
    for (int world = 0; world < 2; world++) {
        job.world = world;
        CHECK(skl_rotations_from_positions_run(&job) == SKL_OK);
        for (int p = 0; p < POSES; p++)
            for (int k = 0; k + 1 < JOINTS; k++) {
                const double *a = positions + 3 * k, aim[3] = {a[3] - a[0], a[4] - a[1], a[5] - a[2]};
                CHECK(miss(out + p * NUMBERS, k, k + 1, aim) < 1e-14);
            }
    }
}

static void test_soles_lie_along_the_ground(void) {
    double normal[3] = {0, 1, 1}, up[3] = {0, 1, 0}, hinge[3] = {1, 0, 0};
    skl_align_to_ground_job foot = {.poses = all_poses(), .foot = 0, .normal = vector_of(normal), .up = vector_of(up)};
    CHECK(skl_align_to_ground_run(&foot) == SKL_OK);
    const double *m = out + NUMBERS * (POSES - 1); /* its second column is the sole's normal, along the ground's */
    CHECK(fabs(m[1]) < 1e-15 && fabs(m[5] - m[9]) < 1e-15 && m[5] > 0);
    skl_roll_toe_job toe = {.poses = all_poses(), .toe = 0, .normal = vector_of(normal), .up = vector_of(up)};
    CHECK(skl_roll_toe_run(&toe) == SKL_BAD_VALUE);
    CHECK_TEXT(toe.status.argument, "hinge");
    toe.hinge = vector_of(hinge);
    CHECK(skl_roll_toe_run(&toe) == SKL_OK);
    CHECK(fabs(out[1]) < 1e-15 && fabs(out[5] - out[9]) < 1e-15);
}

static void test_slopes_have_a_limit(void) {
    double normals[9] = {0, 2, 0, 1, 1, 0, 0, -1, 0}, up[3] = {0, 1, 0}, most = 0.5, slopes[9];
    skl_limit_slope_job job = {.dtype = SKL_FLOAT64, .up = vector_of(up), .max_slope = vector_of(&most)};
    job.normal = (skl_array){.data = normals, .ndim = 1, .shape = {3}, .strides = {24}};
    job.out = (skl_array){.data = slopes, .ndim = 1, .shape = {3}, .strides = {24}};
    CHECK(skl_limit_slope_run(&job) == SKL_OK);
    CHECK(fabs(slopes[1] - 1) < 1e-15 && fabs(slopes[3] - sin(0.5)) < 1e-15 && fabs(slopes[4] - cos(0.5)) < 1e-15);
    CHECK(fabs(slopes[7] - 1) < 1e-15); /* straight down: all are as near */
    most = 4;
    CHECK(skl_limit_slope_run(&job) == SKL_BAD_VALUE);
}

static void test_a_joint_turns_by_what_is_given(void) {
    double rotation[4] = {2, 0, 0, 2}, weight = 1;
    skl_turn_joint_job job = {
        .poses = all_poses(), .joint = 0, .rotation = vector_of(rotation), .weight = vector_of(&weight)};
    CHECK(skl_turn_joint_run(&job) == SKL_OK);
    CHECK(fabs(out[0]) < 1e-15 && fabs(out[4] - 1) < 1e-15); /* a quarter turn about z */
    weight = 0;
    CHECK(skl_turn_joint_run(&job) == SKL_OK);
    CHECK(memcmp(out, local, sizeof out) == 0);
    rotation[0] = rotation[3] = 0;
    CHECK(skl_turn_joint_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(job.status.argument, "rotation");
}

/* Runs `job` and checks that it says this and writes nothing. */
static void refuses(skl_points_at_job *job, const char *wanted) {
    char text[300];
    memset(out, 7, sizeof out);
    CHECK(skl_points_at_run(job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job->status, text, sizeof text), wanted);
    for (size_t i = 0; i < sizeof out; i++)
        if (((unsigned char *)out)[i] != 7) {
            CHECK(0 && "a job that failed has written");
            break;
        }
}

static void test_what_is_wrong_is_named_and_nothing_written(void) {
    double target[3] = {3, 1, 2}, weights[POSES], zeros[9] = {0}, kept[3][3];
    skl_points_at_job job = {.poses = all_poses(), .joint = 2, .tip_joint = -1, .target = vector_of(target)};
    job.joint = 9;
    refuses(&job, "joint is 9: it must be at least 0 and less than the number of joints");
    job.joint = 3;
    refuses(&job, "tip: the joint has no child: say what points");
    job.tip_joint = 1;
    refuses(&job, "tip: it must lie below the joint that turns");
    job.joint = 2;
    job.tip_joint = 3;
    job.target.data = NULL;
    job.target_joint = 3;
    refuses(&job, "target_joint: it moves with the joint that turns");
    job.target = vector_of(target);
    for (int i = 0; i < POSES; i++) weights[i] = i == 5 ? 1.5 : 0.5;
    job.weight = (skl_array){.data = weights, .ndim = 1, .shape = {POSES}, .strides = {8}};
    refuses(&job, "weight[5] is 1.5: it must lie within 0 .. 1");
    job.weight.data = NULL;
    for (int i = 0; i < 3; i++) memcpy(kept[i], local + 35 * NUMBERS + 16 + 4 * i, 24);
    for (int i = 0; i < 3; i++) memcpy(local + 35 * NUMBERS + 16 + 4 * i, zeros, 24);
    refuses(&job, "local[35, 1] is [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]: a singular matrix has no inverse");
    for (int i = 0; i < 3; i++) memcpy(local + 35 * NUMBERS + 16 + 4 * i, kept[i], 24);
}

static void test_threads_give_the_same_bits(void) {
    enum { MANY = 4000 };
    double target[3] = {3, 1, 2}, *results[2];
    skl_status status;
    for (int n = 0; n < 2; n++) {
        results[n] = exactly(sizeof(double) * NUMBERS * MANY);
        skl_points_at_job job = {.poses = all_poses(), .joint = 2, .tip_joint = 3, .target = vector_of(target)};
        job.poses.local.ndim = 2;
        job.poses.local.shape[0] = MANY / 32;
        job.poses.local.shape[1] = 32;
        job.poses.local.strides[0] = 0;
        job.poses.local.strides[1] = 8 * NUMBERS;
        job.poses.out = job.poses.local;
        job.poses.out.data = results[n];
        job.poses.out.strides[0] = 32 * 8 * NUMBERS;
        CHECK(skl_set_num_threads(1 + 3 * n, &status) == SKL_OK);
        CHECK(skl_points_at_run(&job) == SKL_OK);
    }
    CHECK(memcmp(results[0], results[1], sizeof(double) * NUMBERS * MANY) == 0);
    CHECK(skl_set_num_threads(1, &status) == SKL_OK);
    free(results[0]);
    free(results[1]);
}

int main(void) {
    make_rig();
    test_a_joint_points_at_a_place_and_others_stay();
    test_poses_may_be_written_over_themselves();
    test_a_chain_follows_positions();
    test_soles_lie_along_the_ground();
    test_slopes_have_a_limit();
    test_a_joint_turns_by_what_is_given();
    test_what_is_wrong_is_named_and_nothing_written();
    test_threads_give_the_same_bits();
    skl_skeleton_free(&skeleton);
    return REPORT();
}
