/* SPDX-License-Identifier: MIT */
/* Two-bone limbs through skelkin.h: reach, lengths, tiles that are not full, buffers that end at the last element; the
 * axes of joints, and swivels into limits. */
#include "core/ik/hinge_side.h"
#include "core/ik/swivel.h"
#include "check.h"
#include "skelkin/skelkin.h"

enum { MOST = 70, JOINTS = 6 };

static size_t size_of(skl_dtype dtype) { return dtype == SKL_FLOAT32 ? 4 : 8; }

static double number_at(const void *memory, skl_dtype dtype, int64_t i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static void put(void *memory, skl_dtype dtype, int64_t i, double value) {
    if (dtype == SKL_FLOAT32)
        ((float *)memory)[i] = (float)value;
    else
        ((double *)memory)[i] = value;
}

/* `count` items of `numbers` numbers in memory of just that size. */
static skl_array new_array(skl_dtype dtype, int64_t count, int64_t numbers) {
    const size_t item = (size_t)numbers * size_of(dtype);
    skl_array array = {.data = exactly((size_t)count * item), .ndim = 1, .shape = {count}, .strides = {(int64_t)item}};
    for (int64_t i = 0; i < count * numbers; i++) put(array.data, dtype, i, next_number());
    return array;
}

static double distance(const skl_array *a, const skl_array *b, skl_dtype dtype, int64_t i) {
    double square = 0;
    for (int64_t k = 3 * i; k < 3 * i + 3; k++) {
        const double d = number_at(a->data, dtype, k) - number_at(b->data, dtype, k);
        square += d * d;
    }
    return sqrt(square);
}

static skl_solve_two_bone_job new_job(skl_dtype dtype, int64_t count) {
    skl_solve_two_bone_job job = {.dtype = dtype};
    skl_array *const vectors[] = {&job.a, &job.b, &job.c, &job.target, &job.out_b, &job.out_c};
    for (int k = 0; k < 6; k++) *vectors[k] = new_array(dtype, count, 3);
    job.out_upper = new_array(dtype, count, 4);
    job.out_lower = new_array(dtype, count, 4);
    job.out_error = new_array(dtype, count, 1);
    job.out_stretch = new_array(dtype, count, 1);
    job.out_status = (skl_array){.data = exactly((size_t)count), .ndim = 1, .shape = {count}, .strides = {1}};
    return job;
}

static void free_job(skl_solve_two_bone_job *job) {
    skl_array *const all[] = {&job->a,          &job->b,         &job->c,          &job->target,
                              &job->out_b,      &job->out_c,     &job->out_upper,  &job->out_lower,
                              &job->out_status, &job->out_error, &job->out_stretch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]->data);
}

static void limbs_reach_what_they_can_and_keep_their_lengths(skl_dtype dtype, int64_t count) {
    skl_solve_two_bone_job job = new_job(dtype, count);
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    const double bound = dtype == SKL_FLOAT32 ? 2e-6 : 1e-14;
    double worst = 0;
    for (int64_t i = 0; i < count; i++) {
        const double l1 = distance(&job.b, &job.a, dtype, i), l2 = distance(&job.c, &job.b, dtype, i), leg = l1 + l2;
        const double d = distance(&job.target, &job.a, dtype, i);
        const double miss = fmax(0, d - leg) + fmax(0, fabs(l1 - l2) - d);
        worst = fmax(worst, fabs(distance(&job.out_c, &job.target, dtype, i) - miss) / leg);
        worst = fmax(worst, fabs(distance(&job.out_b, &job.a, dtype, i) - l1) / leg);
        worst = fmax(worst, fabs(distance(&job.out_c, &job.out_b, dtype, i) - l2) / leg);
        const int status = ((unsigned char *)job.out_status.data)[i];
        CHECK(status == (miss > 1e-5 * leg ? d > leg ? SKL_TOO_FAR : SKL_TOO_CLOSE : SKL_REACHED) || miss < 1e-4 * leg);
    }
    CHECK(worst < bound);
    free_job(&job);
}

static void a_row_that_is_no_number_stays_alone(skl_dtype dtype) {
    skl_solve_two_bone_job job = new_job(dtype, MOST);
    put(job.target.data, dtype, 3 * 41 + 1, (double)NAN);
    CHECK(skl_solve_two_bone_run(&job) == SKL_OK);
    for (int64_t i = 0; i < MOST; i++) {
        const int status = ((unsigned char *)job.out_status.data)[i];
        CHECK((status == SKL_BAD_INPUT) == (i == 41));
        CHECK(isfinite(number_at(job.out_b.data, dtype, 3 * i)));
    }
    CHECK(number_at(job.out_b.data, dtype, 3 * 41) >= number_at(job.b.data, dtype, 3 * 41));
    free_job(&job);
}

static void bad_options_are_named(void) {
    skl_solve_two_bone_job job = new_job(SKL_FLOAT64, 3);
    double weight[3] = {0, 1, 2};
    char text[200];
    job.options.weight = (skl_array){.data = weight, .ndim = 1, .shape = {3}, .strides = {8}};
    CHECK(skl_solve_two_bone_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text), "weight[2] is 2: it must be between 0 and 1");
    job.options.weight.shape[0] = 2;
    CHECK(skl_solve_two_bone_run(&job) == SKL_BAD_SHAPE);
    free_job(&job);
}

static void poses_change_in_three_joints_only(skl_dtype dtype, int64_t count) {
    static const int64_t parents[JOINTS] = {-1, 0, 1, 2, 3, 4};
    static const int32_t chain[3] = {1, 2, 4}, upwards[3] = {2, 1, 4};
    static const double bend[3] = {0, 0, 1};
    double rest[JOINTS * 16];
    for (int i = 0; i < JOINTS * 16; i++)
        rest[i] = i % 16 == 15 ? 1 : i % 16 >= 12 ? 0 : i % 5 == 0 ? 1 : 0.2 * next_number();
    for (int j = 0; j < JOINTS; j++) rest[16 * j + 7] = -1;
    skl_status status;
    skl_skeleton skeleton;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    const int64_t matrix = 12 * (int64_t)size_of(dtype);
    skl_apply_two_bone_job job = {
        .skeleton = &skeleton, .dtype = dtype, .chains = chain, .bends = bend, .num_chains = 1};
    job.local = new_array(dtype, count, 12 * JOINTS);
    for (int64_t i = 0; i < count * JOINTS; i++)
        for (int k = 0; k < 12; k++) put(job.local.data, dtype, 12 * i + k, rest[16 * (i % JOINTS) + k]);
    job.out = new_array(dtype, count, 12 * JOINTS);
    job.local.step = job.out.step = matrix;
    job.local_rows = job.out_rows = 3;
    job.target = new_array(dtype, count, 3);
    job.out_error = new_array(dtype, count, 1);
    job.out_status = (skl_array){.data = exactly((size_t)count), .ndim = 1, .shape = {count}, .strides = {1}};
    skl_array *const limbs[] = {&job.target, &job.out_error, &job.out_status};
    for (int k = 0; k < 3; k++) { /* one chain: a last dimension of 1 */
        limbs[k]->shape[1] = 1;
        limbs[k]->strides[1] = 0;
        limbs[k]->ndim = 2;
    }
    CHECK(skl_apply_two_bone_run(&job) == SKL_OK);
    for (int64_t i = 0; i < count; i++)
        for (int j = 0; j < JOINTS; j++) {
            const char *before = (char *)job.local.data + (i * JOINTS + j) * matrix;
            const char *after = (char *)job.out.data + (i * JOINTS + j) * matrix;
            CHECK((memcmp(before, after, (size_t)matrix) == 0) == (j == 0 || j == 3 || j == 5));
        }
    job.chains = upwards;
    char text[200];
    CHECK(skl_apply_two_bone_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text),
               "chain[0, 1] is 1: each joint of a chain must be an ancestor of the next");
    job.chains = chain;
    job.end_rotation = SKL_END_GOAL;
    CHECK(skl_apply_two_bone_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text), "end_rotation: the goals are missing");
    job.end_rotation = SKL_KEEP_GLOBAL;
    job.hinge = job.options.pole_direction = job.target;
    CHECK(skl_apply_two_bone_run(&job) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&job.status, text, sizeof text),
               "hinge: give hinge, or pole or pole_direction, not both");
    job.options.pole_direction.data = NULL;
    CHECK(skl_apply_two_bone_run(&job) == SKL_OK);
    skl_array *const all[] = {&job.local, &job.out, &job.target, &job.out_error, &job.out_status};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]->data);
    skl_skeleton_free(&skeleton);
}

static void random_rotation(skl_m3 out) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = next_number();
        square += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(square);
    skl_m3_from_quaternion(q, out);
}

/* Lengths times turns: whether they are even or not, the nearest turn is what is left. */
static void axes_of_a_joint_have_no_lengths(double x, double y, double z) {
    skl_m3 turn, matrix, axes;
    random_rotation(turn);
    const double lengths[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) matrix[3 * i + j] = lengths[i] * turn[3 * i + j];
    skl_joint_axes(matrix, axes);
    for (int i = 0; i < 9; i++) CHECK(fabs(axes[i] - turn[i]) < 1e-12);
}

/* How far out of a limit a rotation in its frame is: 1 on the boundary, by the definition of swing and twist. */
static double how_far_out(const skl_joint_limit *limit, const double q[4]) {
    const double twist = 2 * atan2(q[3], q[0]), middle = 0.5 * (limit->twist[0] + limit->twist[1]);
    const double half = 0.5 * (limit->twist[1] - limit->twist[0]);
    const double size = hypot(q[0], q[3]), c = q[0] / size, s = q[3] / size;
    /* q times the inverse of its twist, (c, 0, 0, s): the swing, whose vector is across the axis. */
    const double w = q[0] * c + q[3] * s, x = q[1] * c - q[2] * s, y = q[2] * c + q[1] * s;
    const double length = hypot(x, y), angle = 2 * atan2(length, fabs(w)) * (w < 0 ? -1 : 1);
    const double by = length > 0 ? angle / length : 0;
    const double out = hypot(x * by / limit->swing[0], y * by / limit->swing[1]);
    return fmax(out, fabs(remainder(twist - middle, 2 * acos(-1.0))) / half);
}

/* The swivel that brings a limb inside is the least of all on its circle; there is none only if all of it is outside.
 */
static void the_least_swivel_leads_inside(int *found) {
    enum { PLACES = 2000 };
    const double pi = acos(-1.0);
    skl_joint_limit limit = {0};
    skl_swivel s;
    skl_m3 axes, turn, turned;
    double axis[3] = {next_number(), next_number(), next_number()}, q[4], angle = 0, least = 9;
    const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; i++) axis[i] /= size;
    random_rotation(limit.frame);
    random_rotation(limit.rest);
    random_rotation(axes);
    random_rotation(turn);
    for (int i = 0; i < 2; i++) limit.swing[i] = 1.2 + next_number();
    limit.twist[0] = 2 * next_number();
    limit.twist[1] = limit.twist[0] + 1.6 + 1.2 * next_number();
    skl_swivel_begin(&s, &limit, axes);
    int well_inside = 0;
    for (int i = -PLACES; i <= PLACES; i++) {
        const double by = pi * i / PLACES;
        skl_swivel_by(axis, by, turn, turned);
        skl_swivel_rotation(&s, turned, q);
        const double out = how_far_out(&limit, q);
        if (out <= 1 && fabs(by) < fabs(least)) least = by;
        well_inside |= out < 0.98;
    }
    const int inside = skl_swivel_inside(&s, axis, turn, &angle);
    *found += inside;
    CHECK(inside || !well_inside);
    if (!inside) return;
    skl_swivel_by(axis, angle, turn, turned);
    skl_swivel_rotation(&s, turned, q);
    CHECK(how_far_out(&limit, q) < 1 + 1e-9);
    CHECK(fabs(angle) <= fabs(least) + 1e-9);
    CHECK(least > 8 || fabs(angle) >= fabs(least) - 1.01 * pi / PLACES);
}

int main(void) {
    int found = 0;
    axes_of_a_joint_have_no_lengths(0.01, 0.01, 0.01);
    axes_of_a_joint_have_no_lengths(1, 2, 0.5);
    for (int i = 0; i < 400; i++) the_least_swivel_leads_inside(&found);
    CHECK(found > 40 && found < 360);
    for (int i = 0; skl_isa_compiled(i); i++) {
        if (!skl_isa_select(skl_isa_compiled(i))) continue; /* not on this CPU */
        for (skl_dtype dtype = SKL_FLOAT32; dtype <= SKL_FLOAT64; dtype++) {
            static const int64_t counts[] = {1, 3, 32, 33, MOST};
            for (int k = 0; k < 5; k++) {
                limbs_reach_what_they_can_and_keep_their_lengths(dtype, counts[k]);
                poses_change_in_three_joints_only(dtype, counts[k]);
            }
            a_row_that_is_no_number_stays_alone(dtype);
        }
    }
    bad_options_are_named();
    return REPORT();
}
