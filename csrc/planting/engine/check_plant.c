/* SPDX-License-Identifier: MIT */
/* What learning is given, before anything is read of it. */
#include "check_plant.h"

#include <math.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "planting/motion/read_legs.h"

/* One of the skeleton's, or -1. */
static skl_code check_joint(const skl_plant_rig *rig, int64_t joint, const char *argument, skl_status *status) {
    if (joint >= -1 && joint < rig->skeleton->num_joints) return SKL_OK;
    return skl_fail_number(status, argument, (double)joint, "it must be a joint of the skeleton, or -1");
}

static skl_code check_rig(const skl_plant_rig *rig, skl_status *status) {
    if (!rig) return skl_fail(status, SKL_BAD_VALUE, "rig", SKL_IS_MISSING);
    skl_code code = skl_check_skeleton(rig->skeleton, status);
    if (code == SKL_OK && rig->num_legs < 1)
        code = skl_fail(status, SKL_BAD_VALUE, "num_legs", "at least one leg is needed");
    if (code == SKL_OK && !rig->legs) code = skl_fail(status, SKL_BAD_VALUE, "legs", SKL_IS_MISSING);
    if (code == SKL_OK) code = check_joint(rig, rig->mover, "mover", status);
    if (code == SKL_OK) code = check_joint(rig, rig->head, "head", status);
    for (int64_t k = 0; code == SKL_OK && k < rig->num_legs; k++)
        code = skl_check_leg_joints(rig->skeleton, rig->legs[k].chain, rig->legs[k].toe, -1, status);
    return code;
}

static skl_code check_local(const skl_plant_motion *motion, skl_status *status) {
    const int64_t joints = motion->rig->skeleton->num_joints;
    for (int64_t i = 0; i < motion->num_frames * joints * 16; i++) {
        if (isfinite(motion->local[i])) continue;
        (void)skl_fail(status, SKL_BAD_VALUE, "local", "numbers must be finite");
        skl_fail_index(status, i / 16 / joints);
        skl_fail_index(status, i / 16 % joints);
        return status->code;
    }
    return SKL_OK;
}

static skl_code check_given(const skl_plant_options *options, int64_t legs, skl_status *status) {
    skl_code code = SKL_OK;
    if (options->mode != SKL_CONTACTS_GIVEN) return SKL_OK;
    if (!options->given) return skl_fail(status, SKL_BAD_VALUE, "given", SKL_IS_MISSING);
    for (int64_t k = 0; code == SKL_OK && k < legs; k++) {
        const skl_plant_given *own = &options->given[k];
        code = skl_check_counted(own->contacts.at, own->contacts.count, "given.contacts", status);
        if (code == SKL_OK) code = skl_check_counted(own->heel.at, own->heel.count, "given.heel", status);
        if (code == SKL_OK) code = skl_check_counted(own->ball.at, own->ball.count, "given.ball", status);
        if (code == SKL_OK) code = skl_check_counted(own->pins, own->num_pins, "given.pins", status);
    }
    return code;
}

/* Words among which a choice is, from 0 on. */
static skl_code check_choice(int64_t value, int64_t last, const char *argument, skl_status *status) {
    if (value >= 0 && value <= last) return SKL_OK;
    return skl_fail_number(status, argument, (double)value, "there is no such choice: skl_plant_defaults sets all");
}

static skl_code check_bounds(double value, double least, double most, const char *argument, const char *rule,
                             skl_status *status) {
    return value >= least && value <= most ? SKL_OK : skl_fail_number(status, argument, value, rule);
}

static skl_code check_options(const skl_plant_options *o, skl_status *status) {
    static const char not_negative[] = "it must be 0 or more";
    const double *up = o->up, size = up[0] * up[0] + up[1] * up[1] + up[2] * up[2];
    skl_code code = check_choice(o->mode, SKL_CONTACTS_GIVEN, "mode", status);
    if (code == SKL_OK) code = check_choice(o->belt, SKL_BELT_GIVEN, "belt", status);
    if (code == SKL_OK) code = check_choice(o->reach, SKL_LOWER_PELVIS, "reach", status);
    if (code == SKL_OK) code = check_choice(o->loop, SKL_LOOP_GIVEN, "loop", status);
    if (code == SKL_OK && o->up_is_given && !(fabs(size - 1.0) <= 1e-6))
        code = skl_fail(status, SKL_BAD_VALUE, "up", "it must have length 1");
    if (code == SKL_OK && !isnan(o->sole)) code = check_bounds(o->sole, 0, INFINITY, "sole", not_negative, status);
    if (code == SKL_OK) code = check_bounds(o->align, 0, 1, "align", "it must lie within 0 .. 1", status);
    if (code == SKL_OK) code = check_bounds(o->max_slope, 0, 90, "max_slope", "it must lie within 0 .. 90", status);
    if (code == SKL_OK) code = check_bounds(o->blend, 0, INFINITY, "blend", not_negative, status);
    if (code == SKL_OK)
        code = check_bounds(o->stretch, 1, INFINITY, "stretch",
                            "it must be 1 or more: skl_plant_defaults sets all options", status);
    if (code == SKL_OK && !(o->pelvis_acceleration > 0))
        code = skl_fail_number(status, "pelvis_acceleration", o->pelvis_acceleration, "it must be above 0");
    return code == SKL_OK ? check_bounds(o->toe_bend, 0, INFINITY, "toe_bend", not_negative, status) : code;
}

static skl_code check_ground(const skl_ground *ground, skl_status *status) {
    if (!ground) return SKL_OK;
    if (!ground->is_level && !ground->below) return skl_fail(status, SKL_BAD_VALUE, "below", SKL_IS_MISSING);
    if (ground->moves && !ground->carry) return skl_fail(status, SKL_BAD_VALUE, "carry", SKL_IS_MISSING);
    return SKL_OK;
}

skl_code skl_check_plant(const skl_plant_motion *motion, skl_plant_options *options, const skl_ground *ground,
                         skl_status *status) {
    const int64_t num = motion->num_frames;
    skl_code code = check_rig(motion->rig, status);
    if (code != SKL_OK) return code;
    if (num < 1) return skl_fail(status, SKL_BAD_VALUE, "num_frames", "at least one frame is needed");
    if (!motion->local) return skl_fail(status, SKL_BAD_VALUE, "local", SKL_IS_MISSING);
    if (!(motion->fps >= 1e-12 && motion->fps <= 1e12))
        return skl_fail(status, SKL_BAD_VALUE, "fps", "frames per second are 1e-12 to 1e12");
    if (options->working.last < 0) options->working.last = num - 1;
    if (options->working.first < 0 || options->working.first > options->working.last || options->working.last >= num)
        return skl_fail(status, SKL_BAD_VALUE, "working", "0 <= first <= last < num_frames is needed");
    code = check_options(options, status);
    if (code == SKL_OK) code = check_given(options, motion->rig->num_legs, status);
    if (code == SKL_OK) code = check_ground(ground, status);
    return code == SKL_OK ? check_local(motion, status) : code;
}
