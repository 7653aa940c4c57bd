/* SPDX-License-Identifier: MIT */
/* The embedded biped, for tests of planting. */
#ifndef BIPED_H
#define BIPED_H

#include "../../../examples/c/biped_walk.h"
#include "skelkin/skelkin.h"

typedef struct biped {
    skl_skeleton skeleton;
    skl_plant_leg legs[2];
    skl_plant_rig rig;
    double local[FRAMES * JOINTS * 16], planted[FRAMES * JOINTS * 16];
    skl_plant_motion motion;
} biped;

/* The first frames of its walk. */
static inline skl_code biped_walks(biped *b, int64_t frames, skl_status *status) {
    double rest[JOINTS * 16] = {0};
    for (int j = 0; j < JOINTS; j++)
        for (int c = 0; c < 4; c++) {
            rest[16 * j + 5 * c] = 1;
            if (c < 3) rest[16 * j + 4 * c + 3] = REST[j][c] - (j ? REST[PARENTS[j]][c] : 0);
        }
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++) {
            double *m = b->local + 16 * (f * JOINTS + j);
            const double *q = ROTATIONS[f][j];
            const double w = q[0], x = q[1], y = q[2], z = q[3], two = 2 / (w * w + x * x + y * y + z * z);
            const double turn[9] = {1 - two * (y * y + z * z), two * (x * y - w * z),     two * (x * z + w * y),
                                    two * (x * y + w * z),     1 - two * (x * x + z * z), two * (y * z - w * x),
                                    two * (x * z - w * y),     two * (y * z + w * x),     1 - two * (x * x + y * y)};
            for (int i = 0; i < 3; i++) {
                for (int c = 0; c < 3; c++) m[4 * i + c] = turn[3 * i + c];
                m[4 * i + 3] = j ? REST[j][i] - REST[PARENTS[j]][i] : HIPS_AT[f][i];
                m[12 + i] = 0;
            }
            m[15] = 1;
        }
    skl_code code = skl_skeleton_init(&b->skeleton, JOINTS, PARENTS, rest, NULL, status);
    for (int32_t k = 0; code == SKL_OK && k < 2; k++) {
        const int32_t chain[3] = {4 * k + 1, 4 * k + 2, 4 * k + 3};
        code = skl_plant_leg_init(&b->legs[k], &b->skeleton, chain, 4 * k + 4, -1, TOE_ENDS[k], status);
    }
    b->rig = (skl_plant_rig){.skeleton = &b->skeleton, .num_legs = 2, .legs = b->legs, .mover = 0, .head = -1};
    b->motion = (skl_plant_motion){.rig = &b->rig, .num_frames = frames, .fps = FPS, .local = b->local};
    return code;
}

#endif
