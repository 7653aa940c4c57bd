/* SPDX-License-Identifier: MIT */
/* The jobs of skelkin/transforms.h, each as a map. */
#include "core/base/map.h"
#include "core/base/status.h"
#include "core/base/validate.h"

static skl_code run_to_matrices(const skl_map_job *map) {
    const skl_code code = skl_check_rows(map->out_rows, "out_rows", map->status);
    return code == SKL_OK ? skl_map_run(map) : code;
}

skl_code skl_compose_run(skl_compose_job *job) {
    const int scaled = job->scales.data != NULL;
    const skl_map_job map = {scaled ? SKL_MAP_COMPOSE_SCALED : SKL_MAP_COMPOSE,
                             job->dtype,
                             scaled ? 3 : 2,
                             1,
                             {{&job->translations, "translations", SKL_ANY, NULL},
                              {&job->rotations, "rotations", SKL_UNIT_4, NULL},
                              {&job->scales, "scales", SKL_FINITE_3, NULL}},
                             {{&job->out, "out", 4, job->out_rows}},
                             job->out_rows,
                             job->spoils_out,
                             &job->status};
    return run_to_matrices(&map);
}

skl_code skl_decompose_run(skl_decompose_job *job) {
    const int sheared = job->shear.data != NULL;
    const skl_map_job map = {sheared ? SKL_MAP_DECOMPOSE_SHEAR : SKL_MAP_DECOMPOSE,
                             job->dtype,
                             1,
                             sheared ? 4 : 3,
                             {{&job->matrices, "matrices", SKL_ANY, NULL}},
                             {{&job->translations, "translations", 3, 1},
                              {&job->rotations, "rotations", 4, 1},
                              {&job->scales, "scales", 3, 1},
                              {&job->shear, "shear", 3, 3}},
                             0,
                             0,
                             &job->status};
    return skl_map_run(&map);
}

static skl_code run_matrix(skl_matrix_job *job, skl_map_verb verb, skl_rule rule) {
    const skl_map_job map = {verb,
                             job->dtype,
                             1,
                             1,
                             {{&job->matrices, "matrices", rule, NULL}},
                             {{&job->out, "out", 4, job->out_rows}},
                             job->out_rows,
                             job->spoils_out,
                             &job->status};
    return run_to_matrices(&map);
}

skl_code skl_invert_run(skl_matrix_job *job) { return run_matrix(job, SKL_MAP_INVERT, SKL_INVERTIBLE); }
skl_code skl_invert_rigid_run(skl_matrix_job *job) { return run_matrix(job, SKL_MAP_INVERT_RIGID, SKL_ANY); }
skl_code skl_invert_trs_run(skl_matrix_job *job) { return run_matrix(job, SKL_MAP_INVERT_TRS, SKL_INVERTIBLE); }

/* --- quaternions ------------------------------------------------------------------------------------------------- */

/* What an item of the result is. */
typedef struct result {
    int32_t numbers, rows;
} result;
static const result VECTOR = {3, 1}, QUATERNION = {4, 1}, ROTATION = {3, 3};

static skl_code run_quaternion(skl_quaternion_job *job, skl_map_verb verb, int32_t inputs, const char *a,
                               skl_rule a_rule, const char *b, skl_rule b_rule, result out) {
    const skl_map_job map = {verb,
                             job->dtype,
                             inputs,
                             1,
                             {{&job->a, a, a_rule, "a"}, {&job->b, b, b_rule, "b"}, {&job->t, "t", SKL_FINITE_1, NULL}},
                             {{&job->out, "out", out.numbers, out.rows}},
                             0,
                             job->spoils_out,
                             &job->status};
    return skl_map_run(&map);
}

skl_code skl_quaternion_multiply_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_MULTIPLY, 2, "p", SKL_UNIT_4, "q", SKL_UNIT_4, QUATERNION);
}

skl_code skl_quaternion_rotate_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_ROTATE, 2, "q", SKL_UNIT_4, "v", SKL_ANY, VECTOR);
}

skl_code skl_quaternion_between_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_BETWEEN, 2, "u", SKL_UNIT_3, "v", SKL_UNIT_3, QUATERNION);
}

skl_code skl_quaternion_slerp_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_SLERP, 3, "p", SKL_UNIT_4, "q", SKL_UNIT_4, QUATERNION);
}

skl_code skl_quaternion_from_matrix_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_FROM_MATRIX, 1, "m", SKL_ANY, "", SKL_ANY, QUATERNION);
}

skl_code skl_quaternion_to_matrix_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_TO_MATRIX, 1, "q", SKL_UNIT_4, "", SKL_ANY, ROTATION);
}

skl_code skl_quaternion_from_rotation_vector_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_FROM_ROTATION_VECTOR, 1, "v", SKL_FINITE_3, "", SKL_ANY, QUATERNION);
}

skl_code skl_quaternion_to_rotation_vector_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_TO_ROTATION_VECTOR, 1, "q", SKL_UNIT_4, "", SKL_ANY, VECTOR);
}

skl_code skl_quaternion_from_axis_angle_run(skl_axis_angle_job *job) {
    const skl_map_job map = {
        .verb = SKL_MAP_FROM_AXIS_ANGLE,
        .dtype = job->dtype,
        .inputs = 2,
        .outputs = 1,
        .in = {{&job->axes, "axis", SKL_UNIT_3, "axes"}, {&job->angles, "angle", SKL_ANY, "angles"}},
        .out = {{&job->quaternions, "quaternions", 4, 1}},
        .spoils_out = job->spoils_out,
        .status = &job->status};
    return skl_map_run(&map);
}

skl_code skl_quaternion_to_axis_angle_run(skl_axis_angle_job *job) {
    const skl_map_job map = {.verb = SKL_MAP_TO_AXIS_ANGLE,
                             .dtype = job->dtype,
                             .inputs = 1,
                             .outputs = 2,
                             .in = {{&job->quaternions, "q", SKL_UNIT_4, "quaternions"}},
                             .out = {{&job->axes, "axes", 3, 1}, {&job->angles, "angles", 1, 1}},
                             .spoils_out = job->spoils_out,
                             .status = &job->status};
    return skl_map_run(&map);
}

skl_code skl_quaternion_swing_twist_run(skl_swing_twist_job *job) {
    const skl_map_job map = {
        .verb = SKL_MAP_SWING_TWIST,
        .dtype = job->dtype,
        .inputs = 2,
        .outputs = 2,
        .in = {{&job->quaternions, "q", SKL_UNIT_4, "quaternions"}, {&job->axes, "axis", SKL_UNIT_3, "axes"}},
        .out = {{&job->swing, "swing", 4, 1}, {&job->twist, "twist", 4, 1}},
        .spoils_out = job->spoils_out,
        .status = &job->status};
    return skl_map_run(&map);
}

/* --- Euler angles: each number as an array of its own, so that the axes may come in any order -------------------- */

/* Number k of each item. */
static skl_array number_of(const skl_array *array, int k, skl_dtype dtype) {
    skl_array number = *array;
    if (number.data) number.data = (char *)number.data + k * skl_itemsize(dtype);
    return number;
}

/* The angles in order of application, and w with the parts of their axes; 1 if the order is no permutation. */
static int split(const skl_euler_job *job, skl_array angles[3], skl_array parts[4]) {
    unsigned seen = 0;
    parts[0] = job->quaternions;
    for (int i = 0; i < 3; i++) {
        const int axis = job->order[i];
        if (axis < 0 || axis > 2) return 1;
        seen |= 1U << axis;
        angles[i] = number_of(&job->angles, axis, job->dtype);
        parts[1 + i] = number_of(&job->quaternions, 1 + axis, job->dtype);
    }
    return seen != 7;
}

static skl_code run_euler(skl_euler_job *job, int back) {
    skl_array angles[3], parts[4];
    if (split(job, angles, parts))
        return skl_fail(&job->status, SKL_BAD_VALUE, "order", "it must name each of the axes 0, 1, 2 once");
    const int even = (job->order[1] - job->order[0] + 3) % 3 == 1;
    skl_map_job map = {.dtype = job->dtype,
                       .inputs = back ? 4 : 3,
                       .outputs = back ? 3 : 4,
                       .spoils_out = job->spoils_out,
                       .status = &job->status};
    if (back) {
        map.verb = even ? SKL_MAP_TO_EULER_EVEN : SKL_MAP_TO_EULER_ODD;
        /* The first number is where the quaternion is: its rule is that of all four. */
        for (int k = 0; k < 4; k++)
            map.in[k] = (skl_map_input){&parts[k], "q", k ? SKL_ANY : SKL_UNIT_4, k ? NULL : "quaternions"};
        for (int k = 0; k < 3; k++) map.out[k] = (skl_map_output){&angles[k], "angles", 1, 1};
    } else {
        map.verb = even ? SKL_MAP_FROM_EULER_EVEN : SKL_MAP_FROM_EULER_ODD;
        for (int k = 0; k < 3; k++) map.in[k] = (skl_map_input){&angles[k], "angles", SKL_ANY, NULL};
        for (int k = 0; k < 4; k++) map.out[k] = (skl_map_output){&parts[k], "quaternions", 1, 1};
    }
    return skl_map_run(&map);
}

skl_code skl_quaternion_from_euler_run(skl_euler_job *job) { return run_euler(job, 0); }
skl_code skl_quaternion_to_euler_run(skl_euler_job *job) { return run_euler(job, 1); }
