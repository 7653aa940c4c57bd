/* SPDX-License-Identifier: MIT */
/* Transforms through skelkin.h alone: every verb on every instruction set and precision, over batches of every length
 * around the number of lanes, in buffers that end at the last element. */
#include "check.h"
#include "skelkin/skelkin.h"

enum { MOST = 37 };

static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon"};

static skl_dtype dtype;

static int64_t itemsize(void) { return dtype == SKL_FLOAT32 ? 4 : 8; }
static double bound(void) { return dtype == SKL_FLOAT32 ? 2e-6 : 1e-12; }

static double get(const skl_array *a, int64_t item, int64_t row, int k) {
    const char *at = (const char *)a->data + (a->ndim ? item * a->strides[0] : 0) + row * a->step;
    return dtype == SKL_FLOAT32 ? (double)((const float *)(const void *)at)[k] : ((const double *)(const void *)at)[k];
}

static void put(const skl_array *a, int64_t item, int64_t row, int k, double value) {
    char *at = (char *)a->data + (a->ndim ? item * a->strides[0] : 0) + row * a->step;
    if (dtype == SKL_FLOAT32)
        ((float *)(void *)at)[k] = (float)value;
    else
        ((double *)(void *)at)[k] = value;
}

/* Memory of just these items; `rows` of `width` numbers each. */
static skl_array items(int64_t count, int rows, int width) {
    const int64_t item = rows * width * itemsize();
    skl_array a = {.data = exactly((size_t)(count * item)), .step = width * itemsize(), .ndim = 1, .shape = {count}};
    a.strides[0] = item;
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < width; k++) put(&a, i, r, k, next_number());
    return a;
}

/* The same items in reverse order. */
static skl_array reversed(skl_array a) {
    if (a.shape[0] > 0) a.data = (char *)a.data + (a.shape[0] - 1) * a.strides[0];
    a.strides[0] = -a.strides[0];
    return a;
}

static void release(skl_array *a) { free(a->data); }

static int near_to(double a, double b, double size) { return fabs(a - b) <= bound() * size; }

static void read_quaternion(const skl_array *a, int64_t i, double q[4]) {
    double square = 0;
    for (int k = 0; k < 4; k++) {
        q[k] = get(a, i, 0, k);
        square += q[k] * q[k];
    }
    for (int k = 0; k < 4; k++) q[k] /= sqrt(square);
}

static void rotate(const double q[4], const double v[3], double out[3]) {
    const double c[3] = {q[2] * v[2] - q[3] * v[1], q[3] * v[0] - q[1] * v[2], q[1] * v[1] - q[2] * v[0]};
    const double d[3] = {q[2] * c[2] - q[3] * c[1], q[3] * c[0] - q[1] * c[2], q[1] * c[1] - q[2] * c[0]};
    for (int k = 0; k < 3; k++) out[k] = v[k] + 2 * (q[0] * c[k] + d[k]);
}

static void composed_matrices_fall_apart_into_what_made_them(int64_t count) {
    skl_array t = items(count, 1, 3), q = items(count, 1, 4), s = items(count, 1, 3), m = items(count, 4, 4);
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) put(&s, i, 0, k, 1.5 + get(&s, i, 0, k));
    skl_compose_job compose = {dtype, t, q, s, m, 4, 0, {0}};
    CHECK(skl_compose_run(&compose) == SKL_OK);
    skl_array t2 = items(count, 1, 3), q2 = items(count, 1, 4), s2 = items(count, 1, 3), h = items(count, 3, 3);
    skl_decompose_job decompose = {dtype, reversed(m), reversed(t2), reversed(q2), reversed(s2), reversed(h), {0}};
    CHECK(skl_decompose_run(&decompose) == SKL_OK);
    for (int64_t i = 0; i < count; i++) {
        double unit[4], column[3];
        read_quaternion(&q, i, unit);
        for (int k = 0; k < 4; k++) CHECK(near_to(get(&q2, i, 0, k), unit[0] < 0 ? -unit[k] : unit[k], 4));
        for (int k = 0; k < 3; k++) {
            double axis[3] = {k == 0, k == 1, k == 2};
            rotate(unit, axis, column);
            for (int r = 0; r < 3; r++) {
                CHECK(near_to(get(&m, i, r, k), column[r] * get(&s, i, 0, k), 4));
                CHECK(near_to(get(&h, i, r, k), r == k, 4));
            }
            CHECK(near_to(get(&t2, i, 0, k), get(&t, i, 0, k), 0) && near_to(get(&m, i, 3, k), 0, 0));
            CHECK(near_to(get(&s2, i, 0, k), get(&s, i, 0, k), 4));
        }
        CHECK(near_to(get(&m, i, 3, 3), 1, 0));
    }
    skl_array *all[] = {&t, &q, &s, &m, &t2, &q2, &s2, &h};
    for (int i = 0; i < 8; i++) release(all[i]);
}

static void a_matrix_times_its_inverse_is_the_identity(int64_t count) {
    skl_array m = items(count, 3, 4), out = items(count, 3, 4);
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++) put(&m, i, r, r, 3 + get(&m, i, r, r));
    skl_matrix_job job = {dtype, reversed(m), reversed(out), 3, 1, {0}};
    CHECK(skl_invert_run(&job) == SKL_OK);
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) {
                double sum = c == 3 ? get(&m, i, r, 3) : 0;
                for (int k = 0; k < 3; k++) sum += get(&m, i, r, k) * get(&out, i, k, c);
                CHECK(near_to(sum, r == c, 16));
            }
    release(&m);
    release(&out);
}

static void quaternions_do_what_vectors_show(int64_t count) {
    skl_array p = items(count, 1, 4), q = items(1, 1, 4), v = items(count, 1, 3), pq = items(count, 1, 4);
    skl_array turned = items(count, 1, 3), arc = items(count, 1, 4), m = items(count, 3, 3), back = items(count, 1, 4);
    q.ndim = 0; /* one for all */
    skl_quaternion_job multiply = {dtype, reversed(p), q, {0}, reversed(pq), 0, {0}};
    skl_quaternion_job turn = {dtype, pq, v, {0}, turned, 0, {0}};
    skl_quaternion_job between = {dtype, v, turned, {0}, arc, 1, {0}};
    skl_quaternion_job matrix = {dtype, p, {0}, {0}, m, 0, {0}}, quaternion = {dtype, m, {0}, {0}, back, 0, {0}};
    CHECK(skl_quaternion_multiply_run(&multiply) == SKL_OK && skl_quaternion_rotate_run(&turn) == SKL_OK);
    CHECK(skl_quaternion_between_run(&between) == SKL_OK && skl_quaternion_to_matrix_run(&matrix) == SKL_OK);
    CHECK(skl_quaternion_from_matrix_run(&quaternion) == SKL_OK);
    for (int64_t i = 0; i < count; i++) {
        double a[4], b[4], c[4], from[3], first[3], both[3], third[3];
        read_quaternion(&p, i, a);
        read_quaternion(&q, 0, b);
        read_quaternion(&arc, i, c);
        for (int k = 0; k < 3; k++) from[k] = get(&v, i, 0, k);
        rotate(b, from, first);
        rotate(a, first, both);
        rotate(c, from, third);
        for (int k = 0; k < 3; k++) {
            CHECK(near_to(get(&turned, i, 0, k), both[k], 8) && near_to(third[k], both[k], 8));
            const double row = get(&m, i, k, 0) * from[0] + get(&m, i, k, 1) * from[1] + get(&m, i, k, 2) * from[2];
            rotate(a, from, first);
            CHECK(near_to(row, first[k], 8));
        }
        CHECK(get(&arc, i, 0, 0) >= 0);
        for (int k = 0; k < 4; k++) CHECK(near_to(get(&back, i, 0, k), a[0] < 0 ? -a[k] : a[k], 8));
    }
    skl_array *all[] = {&p, &q, &v, &pq, &turned, &arc, &m, &back};
    for (int i = 0; i < 8; i++) release(all[i]);
}

static void slerp_goes_the_shorter_way_at_constant_speed(int64_t count) {
    skl_array p = items(count, 1, 4), q = items(count, 1, 4), t = items(count, 1, 1), out = items(count, 1, 4);
    for (int64_t i = 0; i < count; i++) put(&t, i, 0, 0, 3 * get(&t, i, 0, 0)); /* beyond the ends as well */
    skl_quaternion_job job = {dtype, p, reversed(reversed(q)), t, out, 0, {0}};
    CHECK(skl_quaternion_slerp_run(&job) == SKL_OK);
    for (int64_t i = 0; i < count; i++) {
        double a[4], b[4], dot = 0, at = get(&t, i, 0, 0);
        read_quaternion(&p, i, a);
        read_quaternion(&q, i, b);
        for (int k = 0; k < 4; k++) dot += a[k] * b[k];
        const double angle = acos(fabs(dot)), sign = dot < 0 ? -1 : 1;
        const double from = sin((1 - at) * angle) / sin(angle), to = sign * sin(at * angle) / sin(angle);
        for (int k = 0; k < 4; k++) CHECK(near_to(get(&out, i, 0, k), from * a[k] + to * b[k], 8));
    }
    skl_array *all[] = {&p, &q, &t, &out};
    for (int i = 0; i < 4; i++) release(all[i]);
}

static void angles_come_back_as_the_same_turn(int64_t count) {
    skl_array q = items(count, 1, 4), axes = items(count, 1, 3), angles = items(count, 1, 1),
              euler = items(count, 1, 3);
    skl_array again = items(count, 1, 4), third = items(count, 1, 4);
    skl_axis_angle_job apart = {dtype, axes, angles, q, 0, {0}}, together = {dtype, axes, angles, again, 0, {0}};
    skl_euler_job to = {dtype, {1, 0, 2}, reversed(euler), reversed(q), 0, {0}};
    skl_euler_job from = {dtype, {1, 0, 2}, euler, third, 0, {0}};
    CHECK(skl_quaternion_to_axis_angle_run(&apart) == SKL_OK && skl_quaternion_to_euler_run(&to) == SKL_OK);
    CHECK(skl_quaternion_from_axis_angle_run(&together) == SKL_OK && skl_quaternion_from_euler_run(&from) == SKL_OK);
    for (int64_t i = 0; i < count; i++) {
        double a[4], dot = 0;
        read_quaternion(&q, i, a);
        for (int k = 0; k < 4; k++) dot += a[k] * get(&third, i, 0, k);
        for (int k = 0; k < 4; k++) {
            CHECK(near_to(get(&again, i, 0, k), a[0] < 0 ? -a[k] : a[k], 8));
            CHECK(near_to(get(&third, i, 0, k), dot < 0 ? -a[k] : a[k], 8));
        }
    }
    from.order[1] = 1;
    CHECK(skl_quaternion_from_euler_run(&from) == SKL_BAD_VALUE);
    skl_array *all[] = {&q, &axes, &angles, &euler, &again, &third};
    for (int i = 0; i < 6; i++) release(all[i]);
}

static void points_and_transforms_change_basis_alike(int64_t count) {
    skl_array m = items(count, 3, 4), from = items(1, 4, 4), to = items(count, 3, 4), p = items(count, 1, 3);
    skl_array m2 = items(count, 4, 4), p2 = items(count, 1, 3), moved = items(count, 1, 3), moved2 = items(count, 1, 3);
    from.shape[0] = 1;
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++) put(&to, i, r, r, 3 + get(&to, i, r, r));
    for (int r = 0; r < 3; r++) put(&from, 0, r, r, 3 + get(&from, 0, r, r));
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++) {
            double sum = get(&m, i, r, 3);
            for (int k = 0; k < 3; k++) sum += get(&m, i, r, k) * get(&p, i, 0, k);
            put(&moved, i, 0, r, sum);
        }
    skl_change_basis_job matrices = {dtype, m, from, to, m2, 4, {0}}, points = {dtype, p, from, to, p2, 4, {0}};
    skl_change_basis_job again = {dtype, moved, from, to, moved2, 4, {0}};
    CHECK(skl_change_basis_run(&matrices) == SKL_OK && skl_change_basis_points_run(&points) == SKL_OK);
    CHECK(skl_change_basis_points_run(&again) == SKL_OK);
    for (int64_t i = 0; i < count; i++)
        for (int r = 0; r < 3; r++) {
            double sum = get(&m2, i, r, 3);
            for (int k = 0; k < 3; k++) sum += get(&m2, i, r, k) * get(&p2, i, 0, k);
            CHECK(near_to(sum, get(&moved2, i, 0, r), 64));
        }
    skl_array *all[] = {&m, &from, &to, &p, &m2, &p2, &moved, &moved2};
    for (int i = 0; i < 8; i++) release(all[i]);
}

static void every_batch_on_every_instruction_set(void) {
    for (size_t k = 0; k < sizeof isas / sizeof isas[0]; k++) {
        if (!skl_isa_select(isas[k])) continue;
        for (int d = 0; d < 2; d++) {
            dtype = d ? SKL_FLOAT64 : SKL_FLOAT32;
            for (int64_t count = 0; count < MOST; count++) {
                composed_matrices_fall_apart_into_what_made_them(count);
                a_matrix_times_its_inverse_is_the_identity(count);
                quaternions_do_what_vectors_show(count);
                slerp_goes_the_shorter_way_at_constant_speed(count);
                angles_come_back_as_the_same_turn(count);
                points_and_transforms_change_basis_alike(count);
            }
        }
    }
    (void)skl_isa_select(NULL);
}

static void what_breaks_a_rule_is_named_and_nothing_is_written(void) {
    char text[512];
    dtype = SKL_FLOAT64;
    skl_array p = items(19, 1, 4), out = items(19, 1, 4), m = items(5, 3, 4), inverse = items(5, 3, 4);
    const double before = get(&out, 0, 0, 0);
    for (int k = 0; k < 4; k++) put(&p, 17, 0, k, 0);
    skl_quaternion_job job = {dtype, p, p, {0}, out, 0, {0}};
    CHECK(skl_quaternion_multiply_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text),
               "p[17] is [0, 0, 0, 0]: a quaternion must be finite and not zero");
    CHECK(near_to(get(&out, 0, 0, 0), before, 0));
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 4; k++) put(&m, 3, r, k, r == k && r < 2);
    skl_matrix_job invert = {dtype, m, inverse, 3, 0, {0}};
    CHECK(skl_invert_run(&invert) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&invert.status, text, sizeof text),
               "matrices[3] is [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]: a singular matrix has no inverse");
    skl_array *all[] = {&p, &out, &m, &inverse};
    for (int i = 0; i < 4; i++) release(all[i]);
}

static void a_far_root_costs_no_digits_between_its_descendants(void) {
    const int64_t parents[4] = {-1, 0, 0, 2};
    double rest[64] = {0}, found[12];
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 4; k++) rest[16 * j + 5 * k] = 1;
    rest[3] = 1e8;
    rest[16 + 3] = 0.125;
    rest[32 + 7] = 2;
    rest[48 + 11] = -0.1;
    skl_skeleton skeleton;
    skl_status status;
    CHECK(skl_skeleton_init(&skeleton, 4, parents, rest, NULL, &status) == SKL_OK);
    skl_relative_transform_job job = {&skeleton,       SKL_FLOAT64, 3,  1, {.data = rest, .step = 128},
                                      {.data = found}, 3,           {0}};
    job.out.step = 32;
    CHECK(skl_relative_transform_run(&job) == SKL_OK);
    CHECK(fabs(found[3] + 0.125) < 1e-15 && fabs(found[7] - 2) < 1e-15 && fabs(found[11] + 0.1) < 1e-15);
    job.to_joint = 4;
    CHECK(skl_relative_transform_run(&job) == SKL_BAD_VALUE);
    skl_skeleton_free(&skeleton);
}

int main(void) {
    every_batch_on_every_instruction_set();
    what_breaks_a_rule_is_named_and_nothing_is_written();
    a_far_root_costs_no_digits_between_its_descendants();
    return REPORT();
}
