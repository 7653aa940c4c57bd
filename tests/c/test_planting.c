/* SPDX-License-Identifier: MIT */
/* Planting without Python: what is learned, solved, measured and refused. */
#include "biped.h"
#include "check.h"

static biped walker;

static skl_code plant(const skl_plant_options *options, skl_ground *ground, skl_plant_measures *out,
                      skl_planting **kept) {
    skl_status status;
    skl_code code = skl_plant_learn(&walker.motion, options, ground, kept, &status);
    if (code == SKL_OK) code = skl_plant_solve(*kept, walker.planted, &status);
    return code == SKL_OK ? skl_plant_measure(*kept, out, &status) : code;
}

static void check_feet_stand_still(void) {
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_plant_defaults(&options);
    CHECK(plant(&options, NULL, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 11);
    CHECK(m.up[1] == 1.0);
    for (int64_t n = 0; n < m.num_contacts; n++) {
        CHECK(m.contacts[n].slide[0] > 0.01);
        CHECK(m.contacts[n].slide[1] < 1e-9);
        CHECK(m.contacts[n].depth[1] < 1e-9);
    }
    CHECK(m.unreached < 1e-4);
    skl_plant_free(planting);
}

static void check_given_contacts_hold(void) {
    skl_span spans[2] = {{30, 52}, {48, 70}};
    const skl_plant_pin pin = {.span = {30, 52}, .place = {0.1, 0, 0.9}, .height = 0.02};
    const skl_plant_given given[2] = {{.contacts = {&spans[0], 1}, .pins = &pin, .num_pins = 1},
                                      {.contacts = {&spans[1], 1}}};
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_ground floor = {.is_level = 1};
    skl_plant_defaults(&options);
    options.mode = SKL_CONTACTS_GIVEN;
    options.given = given;
    CHECK(plant(&options, &floor, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 2);
    CHECK(m.contacts[0].span.first == 30 && m.contacts[1].span.last == 70);
    CHECK(m.contacts[0].slide[1] < 1e-6 && m.contacts[1].slide[1] < 1e-6);
    skl_plant_free(planting);
}

static void check_nothing_changes_without_contacts(void) {
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_plant_defaults(&options);
    options.mode = SKL_CONTACTS_NEVER;
    CHECK(plant(&options, NULL, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 0);
    CHECK(!memcmp(walker.local, walker.planted, sizeof walker.local));
    skl_plant_free(planting);
}

static int fails(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    (void)context, (void)num, (void)points, (void)frames, (void)out;
    return 1;
}

static void check_refusals(void) {
    skl_plant_options options;
    skl_planting *planting;
    skl_status status;
    char text[200];
    skl_plant_defaults(&options);
    const double number = walker.local[16 * JOINTS * 3 + 16 * 2 + 7];
    walker.local[16 * JOINTS * 3 + 16 * 2 + 7] = NAN;
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    CHECK(!planting);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "local[3, 2]: numbers must be finite");
    walker.local[16 * JOINTS * 3 + 16 * 2 + 7] = number;
    options.working = (skl_span){5, FRAMES};
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "working: 0 <= first <= last < num_frames is needed");
    skl_plant_defaults(&options);
    skl_ground broken = {.below = fails};
    CHECK(skl_plant_learn(&walker.motion, &options, &broken, &planting, &status) == SKL_STOPPED);
    CHECK(!planting);
    const int32_t chain[3] = {1, 2, 6};
    CHECK(skl_plant_leg_init(&walker.legs[0], &walker.skeleton, chain, -1, -1, NULL, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "chain[2] is 6: it must hang from the one before it");
}

int main(void) {
    skl_status status;
    CHECK(biped_walks(&walker, FRAMES, &status) == SKL_OK);
    check_feet_stand_still();
    check_given_contacts_hold();
    check_nothing_changes_without_contacts();
    check_refusals();
    skl_skeleton_free(&walker.skeleton);
    return REPORT();
}
