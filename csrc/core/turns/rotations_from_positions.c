/* SPDX-License-Identifier: MIT */
/* Joints of a chain that turn one after the other, so that bones point as positions say. */
#include <string.h>

#include "turned_poses.h"
#include "core/base/aligned.h"
#include "core/base/numbers.h"
#include "core/base/status.h"
#include "core/transforms/affine.h"
#include "core/transforms/joint_path.h"
#include "core/transforms/turn.h"

/* The job, and the limit of each joint of the chain. */
typedef struct following {
    const skl_rotations_from_positions_job *job;
    const skl_joint_limit **limits;
} following;

/* Turn joint number k so that `pointer`, a place in its own frame, comes to lie in the direction of `bone`; `linear`
 * becomes what its axes are then. */
static void turn_joint(const following *f, int64_t k, skl_joint_now *now, const double pointer[3], const double bone[3],
                       char *out) {
    const skl_rotations_from_positions_job *job = f->job;
    skl_joint_turn by = {.weight = 1, .world = job->world, .limit = f->limits[k]};
    double aim[3], line[3], sideways[3];
    skl_m3 linear, turned;
    memcpy(linear, now->linear, sizeof linear);
    memcpy(aim, bone, sizeof aim);
    if (job->world)
        skl_m3_multiply(now->parent, now->linear, linear);
    else
        (void)skl_m3_solve_direction(now->parent, bone, aim);
    skl_m3_transform(linear, pointer, line);
    skl_sideways(linear, pointer, sideways);
    skl_shortest_turn(line, aim, sideways, by.turn);
    if (!skl_joint_turned(now, &by, turned)) return;
    memcpy(now->linear, turned, sizeof turned);
    skl_joint_write(&job->poses, job->chain[k], turned, out);
}

/* From position number k to the next. */
static void bone_of(const skl_rotations_from_positions_job *job, const char *positions, int64_t k, double out[3]) {
    double from[3], to[3];
    (void)skl_vector(positions + k * job->positions.step, job->poses.dtype, from);
    (void)skl_vector(positions + (k + 1) * job->positions.step, job->poses.dtype, to);
    for (int i = 0; i < 3; i++) out[i] = to[i] - from[i];
}

static void join_affine(const skl_m3 linear, const double place[3], double out[16]) {
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = linear[3 * i + k];
        out[4 * i + 3] = place[i];
    }
    for (int k = 0; k < 4; k++) out[12 + k] = k == 3;
}

static void follow(const void *context, const char *pose, const skl_joint_now *first, const char *const *at,
                   char *out) {
    const following *f = context;
    const skl_rotations_from_positions_job *job = f->job;
    const skl_turned_poses *poses = &job->poses;
    const int32_t *parents = poses->skeleton->parents;
    skl_joint_now now = *first;
    for (int64_t k = 0; k + 1 < job->num_joints; k++) {
        const int64_t next = job->chain[k + 1];
        const skl_joint_path between = {parents, parents[next], job->chain[k]}, own = {parents, next, parents[next]};
        double rest[16], below[16], parent[16], joint[16], turned[16], pointer[3], bone[3];
        skl_m3 axes;
        skl_path_product(&between, pose, poses->local.step, poses->dtype, rest);
        skl_path_product(&own, pose, poses->local.step, poses->dtype, below);
        skl_affine_multiply(rest, below, joint);
        skl_split_affine(joint, axes, pointer);
        bone_of(job, at[0], k, bone);
        turn_joint(f, k, &now, pointer, bone, out);
        /* The next joint, below those between that are carried along. */
        join_affine(now.parent, now.parent_place, parent);
        join_affine(now.linear, now.place, joint);
        skl_affine_multiply(parent, joint, turned);
        skl_affine_multiply(turned, rest, parent);
        skl_split_affine(parent, now.parent, now.parent_place);
        skl_split_affine(below, now.linear, now.place);
    }
}

static skl_code check_chain(skl_rotations_from_positions_job *job) {
    const int32_t *parents = job->poses.skeleton->parents;
    skl_status *status = &job->status;
    if (!job->chain) return skl_fail(status, SKL_BAD_VALUE, "chain", SKL_IS_MISSING);
    if (job->num_joints < 2) return skl_fail(status, SKL_BAD_VALUE, "chain", "it has at least two joints");
    for (int64_t k = 0; k < job->num_joints; k++) {
        const int64_t joint = job->chain[k], above = k ? job->chain[k - 1] : joint;
        if (joint < 0 || joint >= job->poses.skeleton->num_joints)
            return skl_fail_at(status, "chain", k, (double)joint,
                               "it must be at least 0 and less than the number of joints");
        if (k && (joint == above || skl_common_ancestor(parents, joint, above) != above))
            return skl_fail_at(status, "chain", k, (double)joint, "a joint must lie below the one before it");
    }
    return SKL_OK;
}

static skl_code follow_all(skl_rotations_from_positions_job *job, const skl_turn_walk *walk, following *f,
                           const skl_batch *batch) {
    const skl_turned_poses *poses = &job->poses;
    f->limits = skl_aligned_alloc(job->num_joints * (int64_t)sizeof *f->limits);
    if (!f->limits) return skl_fail(&job->status, SKL_NO_MEMORY, "chain", "");
    for (int64_t k = 0; k < job->num_joints; k++) f->limits[k] = skl_turn_limit(poses, job->chain[k]);
    const skl_code code = skl_turn_all(walk, batch, &job->status);
    skl_aligned_free(f->limits);
    return code;
}

skl_code skl_rotations_from_positions_run(skl_rotations_from_positions_job *job) {
    const skl_operand arrays[] = {{&job->positions, "positions", 0, 0, 0}};
    following f = {.job = job};
    skl_turn_walk walk = {&job->poses, 0, arrays, 1, job->num_joints, follow, &f, {NULL, 0, 0}};
    skl_batch batch;
    skl_code code = skl_turn_check(&walk, &batch, &job->status);
    if (code == SKL_OK) code = check_chain(job);
    if (code != SKL_OK) return code;
    walk.joint = job->chain[0];
    const int64_t parent = job->poses.skeleton->parents[job->chain[job->num_joints - 2]];
    walk.undone = skl_turn_path(&job->poses, parent, -1);
    return follow_all(job, &walk, &f, &batch);
}
