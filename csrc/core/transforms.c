/* SPDX-License-Identifier: MIT */
/* The jobs of skelkin_transforms.h, each as a map. */
#include "map.h"

skl_code skl_compose_run(skl_compose_job *job) {
    const int scaled = job->scales.data != NULL;
    const skl_map_job map = {scaled ? SKL_MAP_COMPOSE_SCALED : SKL_MAP_COMPOSE,
                             job->dtype,
                             scaled ? 3 : 2,
                             1,
                             {{&job->translations, "translations", SKL_ANY},
                              {&job->rotations, "rotations", SKL_UNIT_4},
                              {&job->scales, "scales", SKL_ANY}},
                             {&job->out},
                             job->out_rows,
                             job->spoils_out,
                             &job->status};
    return skl_map_run(&map);
}

skl_code skl_decompose_run(skl_decompose_job *job) {
    const int sheared = job->shear.data != NULL;
    const skl_map_job map = {sheared ? SKL_MAP_DECOMPOSE_SHEAR : SKL_MAP_DECOMPOSE,
                             job->dtype,
                             1,
                             sheared ? 4 : 3,
                             {{&job->matrices, "matrices", SKL_ANY}},
                             {&job->translations, &job->rotations, &job->scales, &job->shear},
                             0,
                             0,
                             &job->status};
    return skl_map_run(&map);
}

static skl_code run_matrix(skl_matrix_job *job, skl_map_verb verb, skl_rule rule) {
    const skl_map_job map = {
        verb,          job->dtype,      1,           1, {{&job->matrices, "matrices", rule}}, {&job->out},
        job->out_rows, job->spoils_out, &job->status};
    return skl_map_run(&map);
}

skl_code skl_invert_run(skl_matrix_job *job) { return run_matrix(job, SKL_MAP_INVERT, SKL_INVERTIBLE); }
skl_code skl_invert_rigid_run(skl_matrix_job *job) { return run_matrix(job, SKL_MAP_INVERT_RIGID, SKL_ANY); }

/* --- quaternions ------------------------------------------------------------------------------------------------- */

static skl_code run_quaternion(skl_quaternion_job *job, skl_map_verb verb, int32_t inputs, const char *a,
                               skl_rule a_rule, const char *b, skl_rule b_rule) {
    const skl_map_job map = {verb,
                             job->dtype,
                             inputs,
                             1,
                             {{&job->a, a, a_rule}, {&job->b, b, b_rule}, {&job->t, "t", SKL_ANY}},
                             {&job->out},
                             0,
                             job->spoils_out,
                             &job->status};
    return skl_map_run(&map);
}

skl_code skl_quaternion_multiply_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_MULTIPLY, 2, "p", SKL_UNIT_4, "q", SKL_UNIT_4);
}

skl_code skl_quaternion_rotate_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_ROTATE, 2, "q", SKL_UNIT_4, "v", SKL_ANY);
}

skl_code skl_quaternion_between_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_BETWEEN, 2, "u", SKL_UNIT_3, "v", SKL_UNIT_3);
}

skl_code skl_quaternion_slerp_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_QUATERNION_SLERP, 3, "p", SKL_UNIT_4, "q", SKL_UNIT_4);
}

skl_code skl_quaternion_from_matrix_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_FROM_MATRIX, 1, "m", SKL_ANY, "", SKL_ANY);
}

skl_code skl_quaternion_to_matrix_run(skl_quaternion_job *job) {
    return run_quaternion(job, SKL_MAP_TO_MATRIX, 1, "q", SKL_UNIT_4, "", SKL_ANY);
}
