/* SPDX-License-Identifier: MIT */
#include "fabrik_plan.h"

#include "core/base/aligned.h"
#include "core/base/status.h"

static int32_t parent_of(const skl_solve_fabrik_job *job, int64_t joint) {
    return job->parents ? job->parents[joint] : (int32_t)joint - 1;
}

static int32_t leaf_of(const skl_solve_fabrik_job *job, int64_t target) {
    return job->leaves ? job->leaves[target] : (int32_t)job->num_joints - 1;
}

/* Numbers, and the rules of parents. */
static skl_code check_tree(skl_solve_fabrik_job *job) {
    skl_status *status = &job->status;
    if (job->num_joints < 2 || job->num_joints > INT32_MAX / 8)
        return skl_fail(status, SKL_BAD_SHAPE, "positions", "a chain has at least two joints");
    if (!(job->tolerance > 0 && job->tolerance < 1))
        return skl_fail_number(status, "tolerance", job->tolerance, "it must be above 0 and below 1");
    if (job->max_iterations < 1)
        return skl_fail_number(status, "max_iterations", job->max_iterations, "it must be at least 1");
    for (int64_t j = 0; j < job->num_joints; j++) {
        const int32_t parent = parent_of(job, j);
        if (j == 0 ? parent != -1 : parent < 0 || parent >= j)
            return skl_fail_at(status, "parents", j, parent,
                               "the first joint is the root (-1), and a parent must come before its child");
    }
    if (job->num_targets < 1 || job->num_targets > job->num_joints)
        return skl_fail(status, SKL_BAD_SHAPE, "target", "there must be a target for at least one leaf");
    if (job->pole.data && job->num_targets > 1)
        return skl_fail(status, SKL_BAD_VALUE, "pole", "a pole needs a chain with one target");
    return SKL_OK;
}

/* Every target has a leaf of its own; in `plan->carrier` -1 marks the joints on the path to one. */
static skl_code find_paths(skl_fabrik_plan *plan, skl_solve_fabrik_job *job) {
    for (int32_t j = 0; j < plan->num_all; j++) {
        plan->parents[j] = parent_of(job, j);
        plan->carrier[j] = 0;
    }
    for (int32_t t = 0; t < plan->num_targets; t++) {
        const int32_t leaf = leaf_of(job, t);
        if (leaf < 1 || leaf >= plan->num_all)
            return skl_fail_at(&job->status, "target", t, leaf, "its joint must be a leaf below the root");
        if (plan->carrier[leaf])
            return skl_fail_at(&job->status, "target", t, leaf, "its joint has a target already, itself or below it");
        plan->leaf[t] = leaf;
        for (int32_t j = leaf; j >= 0; j = plan->parents[j]) {
            if (plan->carrier[j] == -2)
                return skl_fail_at(&job->status, "target", t, leaf, "there is a target above its joint already");
            plan->carrier[j] = -1;
        }
        plan->carrier[leaf] = -2;
    }
    for (int32_t j = 1; j < plan->num_all; j++)
        if (plan->carrier[plan->parents[j]] == -2)
            return skl_fail_at(&job->status, "target", 0, plan->parents[j], "its joint must be a leaf");
    return SKL_OK;
}

/* The joints on a path, and the ones that the others are below. `place` is scratch: where each joint is among those on
 * a path */
static void fill(skl_fabrik_plan *plan, int32_t *place) {
    int32_t count = 0;
    for (int32_t j = 0; j < plan->num_all; j++) {
        const int32_t parent = plan->parents[j];
        place[j] = -1;
        if (plan->carrier[j] >= 0) {
            plan->carrier[j] = plan->carrier[parent] < 0 ? parent : plan->carrier[parent];
            continue;
        }
        plan->carrier[j] = -1;
        skl_fabrik_joint *joint = &plan->joints[count];
        joint->index = j;
        joint->parent = parent < 0 ? -1 : place[parent];
        joint->children = 0;
        joint->opens = 0;
        joint->target = -1;
        place[j] = count++;
        if (joint->parent >= 0) plan->joints[joint->parent].children++;
    }
    plan->num_joints = count;
    for (int32_t t = 0; t < plan->num_targets; t++) plan->joints[place[plan->leaf[t]]].target = t;
    plan->branches = 0;
    for (int32_t j = 0; j < count; j++) {
        plan->branches |= plan->joints[j].children > 1;
        place[j] = 0;
    }
    for (int32_t j = count - 1; j > 0; j--) {
        int32_t *seen = &place[plan->joints[j].parent];
        plan->joints[j].opens = !*seen;
        *seen = 1;
    }
}

skl_code skl_fabrik_plan_init(skl_fabrik_plan *plan, skl_solve_fabrik_job *job) {
    skl_code code = check_tree(job);
    if (code != SKL_OK) return code;
    const int64_t all = job->num_joints, targets = job->num_targets;
    plan->memory =
        skl_aligned_alloc(all * (int64_t)sizeof(skl_fabrik_joint) + (3 * all + targets) * (int64_t)sizeof(int32_t));
    if (!plan->memory) return skl_fail(&job->status, SKL_NO_MEMORY, "out", "");
    plan->joints = plan->memory;
    plan->leaf = (int32_t *)(void *)(plan->joints + all);
    plan->carrier = plan->leaf + targets;
    plan->parents = plan->carrier + all;
    plan->num_all = (int32_t)all;
    plan->num_targets = (int32_t)targets;
    code = find_paths(plan, job);
    if (code == SKL_OK)
        fill(plan, plan->parents + all);
    else
        skl_fabrik_plan_free(plan);
    return code;
}

void skl_fabrik_plan_free(skl_fabrik_plan *plan) { skl_aligned_free(plan->memory); }
