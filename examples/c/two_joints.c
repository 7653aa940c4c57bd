/* SPDX-License-Identifier: MIT */
/* A bent chain of two joints, without Python: make -C tests/c example */
#include <stdio.h>

#include "skelkin/skelkin.h"

int main(void) {
    const int64_t parents[2] = {-1, 0};
    const double rest[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,  /* hip in the origin */
                             1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, 0, 0, 1}; /* knee 2 above it */
    double rotations[8] = {1, 0, 0, 1, 1, 0, 0, 0}, global[32]; /* w x y z: a quarter turn about z, then none */
    skl_skeleton skeleton;
    skl_status status;
    char text[200];
    if (skl_skeleton_init(&skeleton, 2, parents, rest, NULL, &status) != SKL_OK)
        return puts(skl_status_text(&status, text, sizeof text)), 1;
    skl_forward_kinematics_trs_job job = {.skeleton = &skeleton,
                                          .dtype = SKL_FLOAT64,
                                          .rotations = skl_contiguous(rotations, 2, sizeof(double[4]), 0, NULL),
                                          .out = skl_contiguous(global, 2, sizeof(double[16]), 0, NULL),
                                          .out_rows = 4};
    if (skl_forward_kinematics_trs_run(&job) != SKL_OK) return puts(skl_status_text(&job.status, text, sizeof text)), 1;
    printf("the knee is at %.3f %.3f %.3f\n", global[19], global[23], global[27]);
    skl_skeleton_free(&skeleton);
    return 0;
}
