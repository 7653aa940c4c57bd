/* SPDX-License-Identifier: MIT */
#include "pose_plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

static skl_code check_joint(const char *argument, int64_t number, int64_t joint, int64_t num_joints,
                            skl_status *status) {
    if (joint >= 0 && joint < num_joints) return SKL_OK;
    skl_fail(status, SKL_BAD_VALUE, argument, "there is no joint of this number");
    if (number >= 0) skl_fail_index(status, number);
    return skl_fail_value(status, (double)joint);
}

/* The wanted joints and their ancestors, in the skeleton's order. */
static void plan_joints(skl_pose_plan *p, const skl_skeleton *skeleton, const skl_pose_part *part) {
    const int64_t n = skeleton->num_joints;
    int32_t *slot_of = p->memory, *parents = slot_of + n, *joints = parents + n, *from = joints + n;
    memset(slot_of, 0, (size_t)n * sizeof *slot_of);
    for (int64_t i = 0; i < part->num_joints; i++)
        for (int64_t j = part->joints[i]; j >= 0 && !slot_of[j]; j = skeleton->parents[j]) slot_of[j] = 1;
    int32_t slots = 0;
    for (int64_t j = 0; j < n; j++) {
        if (!slot_of[j]) continue;
        const int32_t parent = skeleton->parents[j];
        joints[slots] = (int32_t)j;
        parents[slots] = parent < 0 ? -1 : slot_of[parent];
        slot_of[j] = slots++;
    }
    for (int64_t i = 0; i < part->num_joints; i++) from[i] = slot_of[part->joints[i]];
    p->plan =
        (skl_fk_plan){.slots = slots, .parents = parents, .joints = joints, .stores = part->num_joints, .from = from};
}

/* The joint `start` and all below it, behind the parent of `start`. */
static void plan_below(skl_pose_plan *p, const skl_skeleton *skeleton, int64_t start) {
    const int64_t n = skeleton->num_joints;
    int32_t *slot_of = p->memory, *parents = slot_of + n, *joints = parents + n, *from = joints + n;
    for (int64_t j = 0; j < n; j++) slot_of[j] = -1;
    int32_t slots = 0;
    if (skeleton->parents[start] >= 0) {
        joints[0] = skeleton->parents[start];
        parents[0] = -1;
        slots = 1;
    }
    const int32_t given = slots;
    for (int64_t j = start; j < n; j++) {
        const int32_t parent = skeleton->parents[j], above = j == start ? given - 1 : parent < 0 ? -1 : slot_of[parent];
        if (j != start && above < 0) continue;
        joints[slots] = (int32_t)j;
        parents[slots] = above;
        from[slots - given] = slots;
        slot_of[j] = slots++;
    }
    p->plan = (skl_fk_plan){.slots = slots,
                            .parents = parents,
                            .joints = joints,
                            .given = given,
                            .stores = slots - given,
                            .from = from,
                            .to = joints + given};
}

skl_code skl_pose_plan_init(skl_pose_plan *plan, const skl_skeleton *skeleton, const skl_pose_part *part,
                            skl_status *status) {
    plan->memory = NULL;
    plan->plan =
        (skl_fk_plan){.slots = skeleton->num_joints, .parents = skeleton->parents, .stores = skeleton->num_joints};
    if (!part) return SKL_OK;
    const int64_t wanted = part->joints ? part->num_joints : skeleton->num_joints;
    skl_code code = part->joints ? SKL_OK : check_joint("start", -1, part->start, skeleton->num_joints, status);
    for (int64_t i = 0; part->joints && i < wanted && code == SKL_OK; i++)
        code = check_joint("joints", i, part->joints[i], skeleton->num_joints, status);
    if (code != SKL_OK) return code;
    plan->memory = malloc((size_t)(3 * skeleton->num_joints + wanted + 1) * sizeof(int32_t));
    if (!plan->memory) return skl_fail(status, SKL_NO_MEMORY, "joints", "");
    if (part->joints)
        plan_joints(plan, skeleton, part);
    else
        plan_below(plan, skeleton, part->start);
    return SKL_OK;
}

void skl_pose_plan_free(skl_pose_plan *plan) { free(plan->memory); }
