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

enum { STRIDE = 36 };

/* A stride of the walk, its hips carried evenly: the last pose is the first, so many metres on. */
static void make_stride(biped *out, double way) {
    const int64_t pose = 16 * JOINTS;
    *out = walker;
    out->rig.skeleton = &walker.skeleton;
    out->rig.legs = walker.legs;
    for (int f = 0; f <= STRIDE; f++) {
        double *hips = out->local + pose * f;
        memcpy(hips, walker.local + pose * (6 + f % STRIDE), (size_t)pose * sizeof *hips);
        hips[3] = 0.01;
        hips[7] = 0.93;
        hips[11] = way / STRIDE * f;
    }
    out->motion = (skl_plant_motion){.rig = &out->rig, .num_frames = STRIDE + 1, .fps = FPS, .local = out->local};
}

/* Without its way, its feet go back as fast as it went. */
static void check_the_ground_of_a_cycle_in_place(void) {
    static biped stays;
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_status status;
    skl_plant_defaults(&options);
    for (int travels = 0; travels < 2; travels++) {
        make_stride(&stays, travels ? 1.16 : 0.0);
        CHECK(skl_plant_learn(&stays.motion, &options, NULL, &planting, &status) == SKL_OK);
        CHECK(skl_plant_solve(planting, stays.planted, &status) == SKL_OK);
        CHECK(skl_plant_measure(planting, &m, &status) == SKL_OK);
        CHECK(m.ground_moves == !travels);
        const double speed = travels ? 0.0 : 1.16 * FPS / STRIDE;
        CHECK(fabs(m.ground_velocity[0]) + fabs(m.ground_velocity[1]) <= 0.05 * speed);
        CHECK(fabs(m.ground_velocity[2] + speed) <= 0.1 * speed);
        skl_plant_free(planting);
    }
}

static void check_loops_stay_closed(void) {
    static biped looped;
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_status status;
    const int64_t pose = 16 * JOINTS;
    make_stride(&looped, 1.16);
    skl_plant_defaults(&options);
    for (int given = 0; given < 2; given++) {
        options.loop = given ? SKL_LOOP_NONE : SKL_LOOP_RECOGNISED;
        CHECK(skl_plant_learn(&looped.motion, &options, NULL, &planting, &status) == SKL_OK);
        CHECK(skl_plant_solve(planting, looped.planted, &status) == SKL_OK);
        CHECK(skl_plant_measure(planting, &m, &status) == SKL_OK);
        CHECK(m.is_loop == !given);
        double open = 0.0, changed = 0.0;
        for (int64_t i = 0; i < pose; i++) {
            const double way = i == 11 ? 1.16 : 0.0;
            open = fmax(open, fabs(looped.planted[pose * STRIDE + i] - looped.planted[i] - way));
        }
        for (int64_t i = 0; i < pose * (STRIDE + 1); i++)
            changed = fmax(changed, fabs(looped.planted[i] - looped.local[i]));
        CHECK(changed > 1e-3);
        CHECK(given ? open > 1e-6 : open < 1e-9);
        CHECK(m.num_contacts >= 2);
        for (int64_t n = 0; n < m.num_contacts; n++) CHECK(m.contacts[n].slide[1] < 1e-6);
        skl_plant_free(planting);
    }
    options.loop = SKL_LOOP_GIVEN;
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    char text[200];
    CHECK_TEXT(skl_status_text(&status, text, sizeof text),
               "loop: the clip is said to be a loop, and cannot be closed");
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
    check_loops_stay_closed();
    check_the_ground_of_a_cycle_in_place();
    check_refusals();
    skl_skeleton_free(&walker.skeleton);
    return REPORT();
}
