/* SPDX-License-Identifier: MIT */
/* The core through skelkin.h alone: results against plain loops, bad input, buffers that end at the last element. */
#include "check.h"
#include "skelkin/skelkin.h"

enum { JOINTS = 7, POSES = 5, VERTICES = 19, INFLUENCES = 3 };

static const int64_t parents[JOINTS] = {-1, 0, 1, 0, -1, 4, 4};
static skl_status status;
static char text[300];

static void rest_pose(double rest[JOINTS * 16]) {
    for (int j = 0; j < JOINTS; j++)
        for (int i = 0; i < 16; i++)
            rest[16 * j + i] = i == 15 ? 1 : i >= 12 ? 0 : i % 5 == 0 ? 1 + 0.2 * next_number() : 0.3 * next_number();
}

static skl_skeleton make_skeleton(void) {
    double rest[JOINTS * 16];
    skl_skeleton skeleton;
    rest_pose(rest);
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    return skeleton;
}

/* An array of `count` items that lie behind each other. */
static skl_array array_of(void *data, int64_t count, int64_t item_bytes, int64_t step) {
    skl_array array = {.data = data, .step = step, .ndim = 1, .shape = {count}, .strides = {item_bytes}};
    return array;
}

/* Numbers in a buffer of one precision. */
static void *random_numbers(skl_dtype dtype, size_t count, double *copy) {
    void *memory = exactly(count * (dtype == SKL_FLOAT32 ? 4 : 8));
    for (size_t i = 0; i < count; i++) {
        const double number = next_number();
        if (dtype == SKL_FLOAT32)
            ((float *)memory)[i] = (float)number;
        else
            ((double *)memory)[i] = number;
        if (copy) copy[i] = dtype == SKL_FLOAT32 ? (double)(float)number : number;
    }
    return memory;
}

static double number_at(const void *memory, skl_dtype dtype, size_t i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static double tolerance(skl_dtype dtype) { return dtype == SKL_FLOAT32 ? 2e-5 : 1e-13; }

/* out = a @ b for 3 x 4. */
static void multiply(const double *a, const double *b, double *out) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            double sum = k == 3 ? a[4 * i + 3] : 0;
            for (int n = 0; n < 3; n++) sum += a[4 * i + n] * b[4 * n + k];
            out[4 * i + k] = sum;
        }
}

static void forward_kinematics_is_the_product_along_the_chain(skl_dtype dtype) {
    skl_skeleton skeleton = make_skeleton();
    const int64_t size = dtype == SKL_FLOAT32 ? 4 : 8;
    double local[POSES * JOINTS * 12], wanted[JOINTS * 12];
    void *in = random_numbers(dtype, POSES * JOINTS * 12, local), *out = exactly((size_t)(POSES * JOINTS * 12 * size));
    skl_pose_job job = {.skeleton = &skeleton,
                        .dtype = dtype,
                        .matrices = array_of(in, POSES, JOINTS * 12 * size, 12 * size),
                        .out = array_of(out, POSES, JOINTS * 12 * size, 12 * size),
                        .out_rows = 3};
    CHECK(skl_forward_kinematics_run(&job) == SKL_OK);
    double worst = 0;
    for (int p = 0; p < POSES; p++)
        for (int j = 0; j < JOINTS; j++) {
            const double *mine = local + 12 * (p * JOINTS + j);
            if (parents[j] < 0)
                memcpy(wanted + 12 * j, mine, 12 * sizeof(double));
            else
                multiply(wanted + 12 * parents[j], mine, wanted + 12 * j);
            for (int i = 0; i < 12; i++) {
                const double got = number_at(out, dtype, (size_t)(12 * (p * JOINTS + j) + i));
                worst = fmax(worst, fabs(got - wanted[12 * j + i]));
            }
        }
    CHECK(worst < tolerance(dtype));
    free(in);
    free(out);
    skl_skeleton_free(&skeleton);
}

static void local_from_global_is_the_way_back(skl_dtype dtype) {
    skl_skeleton skeleton = make_skeleton();
    const int64_t size = dtype == SKL_FLOAT32 ? 4 : 8, pose = JOINTS * 12 * size;
    double local[POSES * JOINTS * 12];
    void *in = random_numbers(dtype, POSES * JOINTS * 12, local), *global = exactly((size_t)(POSES * pose));
    void *out = exactly((size_t)(POSES * pose));
    skl_pose_job there = {.skeleton = &skeleton,
                          .dtype = dtype,
                          .matrices = array_of(in, POSES, pose, 12 * size),
                          .out = array_of(global, POSES, pose, 12 * size),
                          .out_rows = 3};
    skl_pose_job back = {.skeleton = &skeleton,
                         .dtype = dtype,
                         .matrices = there.out,
                         .out = array_of(out, POSES, pose, 12 * size),
                         .out_rows = 3};
    CHECK(skl_forward_kinematics_run(&there) == SKL_OK);
    CHECK(skl_local_from_global_run(&back) == SKL_OK);
    double worst = 0;
    for (size_t i = 0; i < POSES * JOINTS * 12; i++) worst = fmax(worst, fabs(number_at(out, dtype, i) - local[i]));
    CHECK(worst < (dtype == SKL_FLOAT32 ? 2e-2 : 1e-10)); /* random matrices are far from rotations */
    memset(global, 0, (size_t)(JOINTS * 12 * size));
    CHECK(skl_local_from_global_run(&back) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&back.status, text, sizeof text),
               "global_[0, 0]: a parent's matrix must have an inverse");
    free(in);
    free(global);
    free(out);
    skl_skeleton_free(&skeleton);
}

static void any_strides_give_the_bits_of_a_packed_batch(void) {
    enum { ROWS = 3, COLUMNS = 4, POSE = JOINTS * 12 };
    skl_skeleton skeleton = make_skeleton();
    double *in = random_numbers(SKL_FLOAT64, ROWS * COLUMNS * POSE, NULL), packed[ROWS * COLUMNS * POSE];
    double *wide = exactly(2 * ROWS * COLUMNS * POSE * sizeof(double));
    const int64_t item = POSE * sizeof(double), step = 12 * sizeof(double);
    skl_pose_job job = {.skeleton = &skeleton, .dtype = SKL_FLOAT64, .out_rows = 3};
    job.matrices = array_of(in, ROWS * COLUMNS, item, step);
    job.out = array_of(packed, ROWS * COLUMNS, item, step);
    CHECK(skl_forward_kinematics_run(&job) == SKL_OK);
    /* rows backwards, and every second item of the output left out */
    job.matrices = (skl_array){.data = in + (ROWS - 1) * COLUMNS * POSE,
                               .step = step,
                               .ndim = 2,
                               .shape = {ROWS, COLUMNS},
                               .strides = {-COLUMNS * item, item}};
    job.out = (skl_array){.data = wide + (ROWS - 1) * COLUMNS * 2 * POSE + POSE,
                          .step = step,
                          .ndim = 2,
                          .shape = {ROWS, COLUMNS},
                          .strides = {-COLUMNS * 2 * item, 2 * item}};
    CHECK(skl_forward_kinematics_run(&job) == SKL_OK);
    int same = 1;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        same &= memcmp(packed + i * POSE, wide + (2 * i + 1) * POSE, (size_t)item) == 0;
    CHECK(same);
    job.out.shape[1] = COLUMNS - 1;
    CHECK(skl_forward_kinematics_run(&job) == SKL_BAD_SHAPE);
    free(in);
    free(wide);
    skl_skeleton_free(&skeleton);
}

static void rotations_without_scale_stay_rotations(skl_dtype dtype) {
    skl_skeleton skeleton = make_skeleton();
    const int64_t size = dtype == SKL_FLOAT32 ? 4 : 8;
    void *in = random_numbers(dtype, POSES * JOINTS * 4, NULL), *out = exactly((size_t)(POSES * JOINTS * 16 * size));
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton,
                                          .dtype = dtype,
                                          .rotations = array_of(in, POSES, JOINTS * 4 * size, 4 * size),
                                          .out = array_of(out, POSES, JOINTS * 16 * size, 16 * size),
                                          .out_rows = 4};
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_OK);
    double worst = 0;
    for (size_t m = 0; m < POSES * JOINTS; m++)
        for (size_t a = 0; a < 3; a++)
            for (size_t b = 0; b < 3; b++) {
                double dot = 0;
                for (size_t i = 0; i < 3; i++)
                    dot += number_at(out, dtype, 16 * m + 4 * i + a) * number_at(out, dtype, 16 * m + 4 * i + b);
                worst = fmax(worst, fabs(dot - (a == b)));
            }
    CHECK(worst < tolerance(dtype));
    free(in);
    free(out);
    skl_skeleton_free(&skeleton);
}

static void a_zero_quaternion_is_named_and_nothing_is_written(void) {
    skl_skeleton skeleton = make_skeleton();
    float rotations[POSES * JOINTS * 4], out[POSES * JOINTS * 16];
    for (size_t i = 0; i < POSES * JOINTS * 4; i++) rotations[i] = i % 4 == 0 ? 1e-30f : 0;
    for (size_t i = 0; i < POSES * JOINTS * 16; i++) out[i] = 7;
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton,
                                          .dtype = SKL_FLOAT32,
                                          .rotations = array_of(rotations, POSES, JOINTS * 16, 16),
                                          .out = array_of(out, POSES, JOINTS * 64, 64),
                                          .out_rows = 4};
    rotations[4 * (3 * JOINTS + 5)] = 0;
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text),
               "rotations[3, 5] is [0, 0, 0, 0]: a quaternion must be finite and not zero");
    int untouched = 1;
    for (size_t i = 0; i < POSES * JOINTS * 16; i++) untouched &= out[i] > 6.5f && out[i] < 7.5f;
    CHECK(untouched);
    rotations[4 * (3 * JOINTS + 5)] = INFINITY;
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_BAD_VALUE);
    rotations[4 * (3 * JOINTS + 5)] = 1e-30f;
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_OK); /* tiny is not zero */
    CHECK(fabsf(out[16 * 5] - 1) < 1e-6f);
    skl_skeleton_free(&skeleton);
}

static void skinning_blends_matrices(skl_dtype dtype) {
    const int64_t size = dtype == SKL_FLOAT32 ? 4 : 8;
    int64_t joints[VERTICES * INFLUENCES];
    double values[VERTICES * INFLUENCES], points[VERTICES * 3], matrices[POSES * JOINTS * 12];
    for (int i = 0; i < VERTICES * INFLUENCES; i++) {
        joints[i] = i % JOINTS;
        values[i] = i % 4 == 0 ? 0 : (double)(float)next_number();
    }
    for (int k = 0; k < INFLUENCES; k++) values[INFLUENCES * 4 + k] = 0; /* a vertex that stays */
    skl_weights weights;
    CHECK(skl_weights_init(&weights, VERTICES, INFLUENCES, JOINTS, NULL, joints, values, &status) == SKL_OK);
    void *in = random_numbers(dtype, VERTICES * 3, points),
         *pose = random_numbers(dtype, POSES * JOINTS * 12, matrices);
    void *out = exactly((size_t)(POSES * VERTICES * 3 * size));
    skl_skin_points_job job = {.weights = &weights,
                               .dtype = dtype,
                               .points = {.data = in, .step = 3 * size},
                               .matrices = array_of(pose, POSES, JOINTS * 12 * size, 12 * size),
                               .out = array_of(out, POSES, VERTICES * 3 * size, 3 * size)};
    CHECK(skl_skin_points_run(&job) == SKL_OK);
    double worst = 0;
    for (int p = 0; p < POSES; p++)
        for (int v = 0; v < VERTICES; v++)
            for (int i = 0; i < 3; i++) {
                double sum = 0;
                for (int k = 0; k < INFLUENCES; k++) {
                    const double *m = matrices + 12 * (p * JOINTS + joints[INFLUENCES * v + k]) + 4 * i;
                    const double *x = points + 3 * v;
                    sum += values[INFLUENCES * v + k] * (m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3]);
                }
                if (v == 4) sum = points[3 * v + i];
                worst = fmax(worst, fabs(sum - number_at(out, dtype, (size_t)(3 * (p * VERTICES + v) + i))));
            }
    CHECK(worst < tolerance(dtype));
    free(in);
    free(pose);
    free(out);
    skl_weights_free(&weights);
}

static void a_weight_of_zero_never_touches_its_matrix(void) {
    const int64_t joints[2] = {0, 1};
    const double values[2] = {1, 0};
    double matrices[2 * 16], point[3] = {1, 2, 3}, out[3];
    for (int i = 0; i < 32; i++) matrices[i] = i >= 16 ? NAN : i % 5 == 0;
    skl_weights weights;
    CHECK(skl_weights_init(&weights, 1, 2, 2, NULL, joints, values, &status) == SKL_OK);
    skl_skin_points_job job = {.weights = &weights,
                               .dtype = SKL_FLOAT64,
                               .points = {.data = point, .step = 24},
                               .matrices = {.data = matrices, .step = 128},
                               .out = {.data = out, .step = 24}};
    CHECK(skl_skin_points_run(&job) == SKL_OK);
    CHECK(memcmp(out, point, sizeof out) == 0);
    skl_weights_free(&weights);
}

static void bad_parents_and_matrices_are_named(void) {
    double rest[JOINTS * 16];
    int64_t wrong[JOINTS];
    skl_skeleton skeleton;
    rest_pose(rest);
    const struct {
        int joint;
        int64_t parent;
        const char *says;
    } cases[] = {
        {3, 5, "parents[3] is 5: a parent must come before its child"},
        {3, 3, "parents[3] is 3: a joint cannot be its own parent"},
        {3, 99, "parents[3] is 99: there is no joint of this number"},
        {0, -2, "parents[0] is -2: a parent is an earlier joint, or -1 for a root"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memcpy(wrong, parents, sizeof wrong);
        wrong[cases[i].joint] = cases[i].parent;
        CHECK(skl_skeleton_init(&skeleton, JOINTS, wrong, rest, NULL, &status) == SKL_BAD_VALUE);
        CHECK_TEXT(skl_status_text(&status, text, sizeof text), cases[i].says);
    }
    CHECK(skl_skeleton_init(&skeleton, 0, parents, rest, NULL, &status) == SKL_BAD_VALUE);
    rest[16 * 2 + 3] = NAN;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text),
               "rest_local[2]: a matrix must be finite and its last row 0 0 0 1");
    CHECK_TEXT(skl_status_text(&status, text, 12), "rest_local[");
}

static void bad_weights_are_named(void) {
    skl_weights weights;
    int64_t joints[4] = {0, 1, 2, 3};
    double values[4] = {1, 0, 1, 0};
    CHECK(skl_weights_init(&weights, 2, 2, 3, NULL, joints, values, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text),
               "indices[1, 1] is 3: a joint index must be at least 0 and less than num_joints");
    joints[3] = 0;
    values[2] = NAN;
    CHECK(skl_weights_init(&weights, 2, 2, 3, NULL, joints, values, &status) == SKL_BAD_VALUE);
    const int64_t offsets[3] = {0, 3, 2};
    CHECK(skl_weights_init(&weights, 2, 0, 3, offsets, joints, values, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "indptr[2] is 2: offsets must not fall");
}

static void leading_dimensions_broadcast_or_are_refused(void) {
    skl_array a = {.data = text, .ndim = 2, .shape = {4, 1}}, b = {.data = text, .ndim = 3, .shape = {2, 1, 3}};
    const skl_array *both[2] = {&a, &b};
    int64_t shape[SKL_MAX_DIMS];
    CHECK(skl_broadcast(both, 2, shape) == 3 && shape[0] == 2 && shape[1] == 4 && shape[2] == 3);
    a.shape[1] = 2;
    CHECK(skl_broadcast(both, 2, shape) == -1);
}

static void every_kernel_set_can_be_chosen(void) {
    CHECK(skl_isa_select("scalar") == 1);
    CHECK_TEXT(skl_isa(), "scalar");
    CHECK(skl_isa_select("pencil") == 0);
    CHECK(skl_isa_select(NULL) == 1);
}

int main(void) {
    for (int i = 0; skl_isa_compiled(i); i++) {
        if (!skl_isa_select(skl_isa_compiled(i))) continue; /* not on this CPU */
        for (skl_dtype dtype = SKL_FLOAT32; dtype <= SKL_FLOAT64; dtype++) {
            forward_kinematics_is_the_product_along_the_chain(dtype);
            local_from_global_is_the_way_back(dtype);
            rotations_without_scale_stay_rotations(dtype);
            skinning_blends_matrices(dtype);
        }
        a_zero_quaternion_is_named_and_nothing_is_written();
        a_weight_of_zero_never_touches_its_matrix();
        any_strides_give_the_bits_of_a_packed_batch();
    }
    bad_parents_and_matrices_are_named();
    bad_weights_are_named();
    leading_dimensions_broadcast_or_are_refused();
    every_kernel_set_can_be_chosen();
    return REPORT();
}
