// SPDX-License-Identifier: MIT
// Two bones reach for a target, from C++: make -C tests/c example
#include <cstdio>

#include "skelkin/skelkin.h"

// An array of one vector, or of one number.
static skl_array one(void *data) {
    skl_array array = {};
    array.data = data;
    return array;
}

int main() {
    double hip[3] = {0, 1, 0}, knee[3] = {0, 0.5, 0.1}, ankle[3] = {0, 0, 0}, target[3] = {0.3, 0.2, 0.1};
    double new_knee[3], new_ankle[3], upper[4], lower[4], error, stretch;
    unsigned char how;
    skl_solve_two_bone_job job = {};
    job.dtype = SKL_FLOAT64;
    job.a = one(hip), job.b = one(knee), job.c = one(ankle), job.target = one(target);
    job.out_b = one(new_knee), job.out_c = one(new_ankle), job.out_upper = one(upper), job.out_lower = one(lower);
    job.out_status = one(&how), job.out_error = one(&error), job.out_stretch = one(&stretch);
    if (skl_solve_two_bone_run(&job) != SKL_OK) {
        char text[200];
        std::puts(skl_status_text(&job.status, text, sizeof text));
        return 1;
    }
    std::printf("status %d, ankle at %.3f %.3f %.3f, knee at %.3f %.3f %.3f\n", how, new_ankle[0], new_ankle[1],
                new_ankle[2], new_knee[0], new_knee[1], new_knee[2]);
    return how == SKL_REACHED ? 0 : 1;
}
