/* SPDX-License-Identifier: MIT */
/* A walk whose feet slide, float and sink, planted on uneven ground, without Python: make -C tests/c example */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "biped_walk.h"
#include "skelkin/skelkin.h"

/* Height of the ground under a place: straight between the corners, level beyond them. */
static double height_at(double z) {
    int k = 0;
    while (k < CORNERS - 2 && z > GROUND_Z[k + 1]) k++;
    double part = (z - GROUND_Z[k]) / (GROUND_Z[k + 1] - GROUND_Z[k]);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return GROUND_HEIGHT[k] + part * (GROUND_HEIGHT[k + 1] - GROUND_HEIGHT[k]);
}

/* What planting asks: the ground below many points at once. */
static int below(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    const double *up = ((const skl_ground *)context)->up, width = 1e-4;
    (void)frames; /* the ground keeps still */
    for (int64_t i = 0; i < num; i++) {
        const double z = points[3 * i + 2];
        const double slope = (height_at(z + width) - height_at(z - width)) / (2 * width);
        const double length = sqrt(1 + slope * slope);
        out->heights[i] = height_at(z);
        if (out->normals)
            for (int c = 0; c < 3; c++) out->normals[3 * i + c] = (up[c] - (c == 2 ? slope : 0)) / length;
        if (out->surface) out->surface[i] = 0;
    }
    return 0;
}

/* Local matrices of the walk, FRAMES x JOINTS x 16. */
static void pose(double *local) {
    for (int f = 0; f < FRAMES; f++)
        for (int j = 0; j < JOINTS; j++, local += 16) {
            const double *q = ROTATIONS[f][j], w = q[0], x = q[1], y = q[2], z = q[3];
            const double two = 2 / (w * w + x * x + y * y + z * z);
            double at[3];
            for (int c = 0; c < 3; c++) at[c] = j ? REST[j][c] - REST[PARENTS[j]][c] : HIPS_AT[f][c];
            const double matrix[16] = {1 - two * (y * y + z * z),
                                       two * (x * y - w * z),
                                       two * (x * z + w * y),
                                       at[0],
                                       two * (x * y + w * z),
                                       1 - two * (x * x + z * z),
                                       two * (y * z - w * x),
                                       at[1],
                                       two * (x * z - w * y),
                                       two * (y * z + w * x),
                                       1 - two * (x * x + y * y),
                                       at[2],
                                       0,
                                       0,
                                       0,
                                       1};
            memcpy(local, matrix, sizeof matrix);
        }
}

static int fail(const skl_status *status) {
    char text[200];
    fprintf(stderr, "%s\n", skl_status_text(status, text, sizeof text));
    return 1;
}

/* The hips, and two legs of thigh, shin, foot and toes. */
static skl_code make_rig(skl_skeleton *skeleton, skl_plant_leg *legs, skl_plant_rig *rig, skl_status *status) {
    double rest[JOINTS * 16] = {0};
    for (int j = 0; j < JOINTS; j++)
        for (int c = 0; c < 4; c++) {
            rest[16 * j + 5 * c] = 1;
            if (c < 3) rest[16 * j + 4 * c + 3] = REST[j][c] - (j ? REST[PARENTS[j]][c] : 0);
        }
    skl_code code = skl_skeleton_init(skeleton, JOINTS, PARENTS, rest, NULL, status);
    for (int32_t k = 0; code == SKL_OK && k < 2; k++) {
        const int32_t chain[3] = {4 * k + 1, 4 * k + 2, 4 * k + 3};
        code = skl_plant_leg_init(&legs[k], skeleton, chain, 4 * k + 4, -1, TOE_ENDS[k], status);
    }
    *rig = (skl_plant_rig){.skeleton = skeleton, .num_legs = 2, .legs = legs, .mover = 0, .head = -1};
    return code;
}

static int plant(const skl_plant_motion *motion, double *planted) {
    skl_plant_options options;
    skl_ground ground = {.below = below};
    skl_planting *planting;
    skl_plant_measures measures;
    skl_status status;
    ground.context = &ground;
    skl_plant_defaults(&options);
    skl_code code = skl_plant_learn(motion, &options, &ground, &planting, &status);
    if (code == SKL_OK) code = skl_plant_solve(planting, planted, &status);
    if (code == SKL_OK) code = skl_plant_measure(planting, &measures, &status);
    for (int64_t n = 0; code == SKL_OK && n < measures.num_contacts; n++) {
        const skl_plant_contact *c = &measures.contacts[n];
        printf("%-13s stands in frames %3d to %3d, slides %5.2f cm, then %.2f; sinks %4.2f cm, then %.2f\n",
               NAMES[motion->rig->legs[c->leg].chain[2]], (int)c->span.first, (int)c->span.last, 100 * c->slide[0],
               100 * c->slide[1], 100 * c->depth[0], 100 * c->depth[1]);
    }
    skl_plant_free(planting);
    return code == SKL_OK ? 0 : fail(&status);
}

int main(void) {
    double *local = malloc(2 * FRAMES * JOINTS * 16 * sizeof *local);
    skl_skeleton skeleton = {0};
    skl_plant_leg legs[2];
    skl_plant_rig rig;
    skl_status status;
    int failed = !local;
    if (local && make_rig(&skeleton, legs, &rig, &status) == SKL_OK) {
        const skl_plant_motion motion = {.rig = &rig, .num_frames = FRAMES, .fps = FPS, .local = local};
        pose(local);
        failed = plant(&motion, local + FRAMES * JOINTS * 16);
    } else if (local) {
        failed = fail(&status);
    }
    skl_skeleton_free(&skeleton);
    free(local);
    return failed;
}
