/* SPDX-License-Identifier: MIT */
/* Every verb over poses on every instruction set that is compiled in and that this CPU has: near plain C, the same bits
 * as the others that round alike, and the same bits however a batch is cut. */
#include "check.h"
#include "skelkin.h"

enum { POSES = 41, JOINTS = 29, VERTICES = 197, INFLUENCES = 5, VERBS = 7, MOST_ISAS = 5 };

static skl_skeleton skeleton;
static skl_weights weights;
static skl_dtype dtype;
static int64_t size;

/* Inputs of one precision: the second table is the first, rounded. */
static double local_64[POSES * JOINTS * 12], rotations_64[POSES * JOINTS * 4], translations_64[POSES * JOINTS * 3];
static double scales_64[POSES * JOINTS * 3], points_64[POSES * VERTICES * 3], globals_64[POSES * JOINTS * 12];
static float local_32[POSES * JOINTS * 12], rotations_32[POSES * JOINTS * 4], translations_32[POSES * JOINTS * 3];
static float scales_32[POSES * JOINTS * 3], points_32[POSES * VERTICES * 3], globals_32[POSES * JOINTS * 12];

#define INPUT(name) (dtype == SKL_FLOAT32 ? (void *)name##_32 : (void *)name##_64)

static void fill(double *wide, float *narrow, size_t count, double scale, double offset) {
    for (size_t i = 0; i < count; i++) narrow[i] = (float)(wide[i] = scale * next_number() + offset);
}
#define FILL(name, scale, offset) fill(name##_64, name##_32, sizeof name##_64 / sizeof *name##_64, scale, offset)

/* Poses first .. first + count - 1 of `per_pose` numbers, `step` of them per joint or vertex. */
static skl_array slice(void *data, int64_t first, int64_t count, int64_t per_pose, int64_t step) {
    return (skl_array){.data = (char *)data + first * per_pose * size,
                       .step = step * size,
                       .ndim = 1,
                       .shape = {count},
                       .strides = {per_pose * size}};
}

static void pose_verb(skl_code (*run)(skl_pose_job *), void *from, int64_t first, int64_t count, void *out) {
    skl_pose_job job = {.skeleton = &skeleton,
                        .dtype = dtype,
                        .matrices = slice(from, first, count, JOINTS * 12, 12),
                        .out = slice(out, first, count, JOINTS * 12, 12),
                        .out_rows = 3};
    CHECK(run(&job) == SKL_OK);
}

static void forward(int64_t first, int64_t count, void *out) {
    pose_verb(skl_forward_kinematics_run, INPUT(local), first, count, out);
}
static void backward(int64_t first, int64_t count, void *out) {
    pose_verb(skl_local_from_global_run, INPUT(globals), first, count, out);
}
static void skinning(int64_t first, int64_t count, void *out) {
    pose_verb(skl_skinning_matrices_run, INPUT(globals), first, count, out);
}

static void forward_trs(int64_t first, int64_t count, void *out) {
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton,
                                          .dtype = dtype,
                                          .rotations = slice(INPUT(rotations), first, count, JOINTS * 4, 4),
                                          .translations = slice(INPUT(translations), first, count, JOINTS * 3, 3),
                                          .scales = slice(INPUT(scales), first, count, JOINTS * 3, 3),
                                          .out = slice(out, first, count, JOINTS * 12, 12),
                                          .out_rows = 3};
    CHECK(skl_forward_kinematics_trs_run(&job) == SKL_OK);
}

static void rest_relative(int64_t first, int64_t count, void *out) {
    skl_rest_relative_job job = {.skeleton = &skeleton,
                                 .dtype = dtype,
                                 .rotations = slice(INPUT(rotations), first, count, JOINTS * 4, 4),
                                 .out_rotations = slice(out, first, count, JOINTS * 7, 7),
                                 .out_translations = slice((char *)out + 4 * size, first, count, JOINTS * 7, 7)};
    CHECK(skl_rest_relative_run(&job) == SKL_OK);
}

static void skin(skl_array points, int64_t first, int64_t count, void *out) {
    skl_skin_points_job job = {.weights = &weights,
                               .dtype = dtype,
                               .points = points,
                               .matrices = slice(INPUT(globals), first, count, JOINTS * 12, 12),
                               .out = slice(out, first, count, VERTICES * 3, 3)};
    CHECK(skl_skin_points_run(&job) == SKL_OK);
}
static void skin_shared(int64_t first, int64_t count, void *out) {
    skl_array points = slice(INPUT(points), 0, 1, VERTICES * 3, 3);
    points.ndim = 0;
    skin(points, first, count, out);
}
static void skin_own(int64_t first, int64_t count, void *out) {
    skin(slice(INPUT(points), first, count, VERTICES * 3, 3), first, count, out);
}

static const struct {
    const char *name;
    void (*run)(int64_t first, int64_t count, void *out);
    int64_t per_pose;
} verbs[VERBS] = {
    {"forward_kinematics", forward, JOINTS * 12},          {"local_from_global", backward, JOINTS * 12},
    {"skinning_matrices", skinning, JOINTS * 12},          {"forward_kinematics_trs", forward_trs, JOINTS * 12},
    {"rest_relative", rest_relative, JOINTS * 7},          {"skin_points, shared", skin_shared, VERTICES * 3},
    {"skin_points, of each pose", skin_own, VERTICES * 3},
};

static void make_inputs(void) {
    int64_t parents[JOINTS], joints[VERTICES * INFLUENCES];
    double rest[JOINTS * 16] = {0}, values[VERTICES * INFLUENCES];
    for (int j = 0; j < JOINTS; j++) {
        parents[j] = j == 0 || j == 20 ? -1 : j % 3 == 0 ? j / 2 : j - 1;
        for (int i = 0; i < 4; i++) rest[16 * j + 5 * i] = 1;
        for (int i = 0; i < 3; i++) rest[16 * j + 4 * i + 3] = next_number();
    }
    for (int i = 0; i < VERTICES * INFLUENCES; i++) {
        joints[i] = (int64_t)((next_number() + 1) * 0.5 * JOINTS);
        values[i] = i / INFLUENCES % 6 > i % INFLUENCES ? 0.5 + 0.5 * next_number() : 0; /* 0 .. 5 influences */
    }
    skl_status status;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    CHECK(skl_weights_init(&weights, VERTICES, INFLUENCES, JOINTS, NULL, joints, values, &status) == SKL_OK);
    FILL(local, 0.6, 0);
    FILL(rotations, 1, 0);
    FILL(translations, 0.3, 0);
    FILL(scales, 0.1, 1);
    FILL(points, 1, 0);
    /* Matrices with an inverse. */
    dtype = SKL_FLOAT64;
    size = sizeof(double);
    CHECK(skl_isa_select("scalar"));
    forward_trs(0, POSES, globals_64);
    for (size_t i = 0; i < POSES * JOINTS * 12; i++) globals_32[i] = (float)globals_64[i];
}

static double number_at(const void *memory, size_t i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static int rounds_once(const char *isa) { return strcmp(isa, "scalar") != 0 && strcmp(isa, "sse2") != 0; }

static void near_plain_c(const char *isa, int verb, const void *found, const void *plain) {
    double worst = 0, largest = 1;
    for (size_t i = 0; i < (size_t)(POSES * verbs[verb].per_pose); i++) {
        largest = fmax(largest, fabs(number_at(plain, i)));
        worst = fmax(worst, fabs(number_at(found, i) - number_at(plain, i)));
    }
    const int good = worst <= (dtype == SKL_FLOAT32 ? 4e-6 : 1e-14) * largest;
    CHECK(good);
    if (!good) printf("%s on %s: %g of %g\n", verbs[verb].name, isa, worst, largest);
}

static void cut_anywhere(const char *isa, int verb, const void *whole) {
    const size_t bytes = (size_t)(POSES * verbs[verb].per_pose * size);
    char *parts = exactly(bytes);
    for (int64_t length = 1; length <= 18; length++) {
        memset(parts, 0, bytes);
        for (int64_t first = 0; first < POSES; first += length)
            verbs[verb].run(first, POSES - first < length ? POSES - first : length, parts);
        const int same = memcmp(parts, whole, bytes) == 0;
        CHECK(same);
        if (!same) printf("%s on %s in runs of %d\n", verbs[verb].name, isa, (int)length);
    }
    free(parts);
}

static void try_verb(int verb) {
    const size_t bytes = (size_t)(POSES * verbs[verb].per_pose * size);
    void *found[MOST_ISAS], *plain = NULL, *kin[2] = {NULL, NULL};
    int count = 0;
    for (; skl_isa_compiled(count); count++) {
        const char *isa = skl_isa_compiled(count);
        found[count] = NULL;
        if (!skl_isa_select(isa)) continue; /* not on this CPU */
        found[count] = exactly(bytes);
        memset(found[count], 0, bytes);
        verbs[verb].run(0, POSES, found[count]);
        cut_anywhere(isa, verb, found[count]);
        void **relative = &kin[rounds_once(isa)];
        const int same = !*relative || memcmp(*relative, found[count], bytes) == 0;
        CHECK(same);
        if (!same) printf("%s on %s\n", verbs[verb].name, isa);
        *relative = found[count];
        plain = found[count]; /* the last one */
    }
    for (int i = 0; i < count; i++) {
        if (found[i]) near_plain_c(skl_isa_compiled(i), verb, found[i], plain);
        free(found[i]);
    }
}

int main(void) {
    make_inputs();
    for (dtype = SKL_FLOAT32; dtype <= SKL_FLOAT64; dtype++) {
        size = dtype == SKL_FLOAT32 ? 4 : 8;
        for (int verb = 0; verb < VERBS; verb++) try_verb(verb);
    }
    for (int i = 0; skl_isa_compiled(i); i++)
        if (!skl_isa_select(skl_isa_compiled(i)))
            printf("not run: %s (needs a CPU that has it)\n", skl_isa_compiled(i));
    skl_skeleton_free(&skeleton);
    skl_weights_free(&weights);
    return REPORT();
}
