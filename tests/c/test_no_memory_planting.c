/* SPDX-License-Identifier: MIT */
/* Every allocation of planting fails in turn: SKL_NO_MEMORY, nothing leaked. */
#include "biped.h"
#include "no_memory.h"

static biped walker;

static skl_code learn_solve_and_measure(void *data) {
    skl_plant_options options;
    skl_planting *planting;
    skl_plant_measures measures;
    skl_status status;
    (void)data;
    skl_plant_defaults(&options);
    options.toe_bend = 0.5;
    skl_code code = skl_plant_learn(&walker.motion, &options, NULL, &planting, &status);
    if (code == SKL_OK) code = skl_plant_solve(planting, walker.planted, &status);
    if (code == SKL_OK) code = skl_plant_measure(planting, &measures, &status);
    skl_plant_free(planting);
    return code;
}

int main(void) {
    skl_status status;
    CHECK(biped_walks(&walker, 60, &status) == SKL_OK);
    CHECK(sweep(learn_solve_and_measure, NULL, 0, NULL, 0) > 10);
    skl_skeleton_free(&walker.skeleton);
    return REPORT();
}
