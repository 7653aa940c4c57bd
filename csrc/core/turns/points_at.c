/* SPDX-License-Identifier: MIT */
/* A joint that points at something: the smallest turn of one line onto another, then one about that line. */
#include "turned_poses.h"
#include "core/base/numbers.h"
#include "core/base/validate.h"
#include "core/base/status.h"
#include "core/transforms/joint_path.h"
#include "core/transforms/turn.h"

enum { TARGET, TIP, UP, OWN_UP, WEIGHT, ARRAYS };

/* The job, and what is the same in all poses. */
typedef struct pointing {
    const skl_points_at_job *job;
    int64_t tip_joint;
    skl_m3 rest_back; /* from the model to the joint's axes in the rest pose */
    const skl_joint_limit *limit;
} pointing;

/* What points, in the frame of the joint. */
static void pointer_of(const pointing *p, const char *pose, const char *at, double out[3]) {
    const skl_turned_poses *poses = &p->job->poses;
    if (at) {
        (void)skl_vector(at, poses->dtype, out);
        return;
    }
    const skl_joint_path path = {poses->skeleton->parents, p->tip_joint, p->job->joint};
    double m[16];
    skl_m3 axes;
    skl_path_product(&path, pose, poses->local.step, poses->dtype, m);
    skl_split_affine(m, axes, out);
}

/* From the joint to the target, in the coordinates of its parent, or, with `world`, in the space of the model. */
static void aim_of(const pointing *p, const skl_joint_now *now, const char *pose, const char *at, double out[3]) {
    const skl_points_at_job *job = p->job;
    double point[3], pivot[3], aim[3];
    if (at) {
        (void)skl_vector(at, job->poses.dtype, point);
        skl_m3_transform(now->parent, now->place, pivot);
        for (int i = 0; i < 3; i++) aim[i] = point[i] - (pivot[i] + now->parent_place[i]);
        if (job->world)
            for (int i = 0; i < 3; i++) out[i] = aim[i];
        else
            (void)skl_m3_solve_direction(now->parent, aim, out);
        return;
    }
    skl_seen_from_parent(&job->poses, job->joint, job->target_joint, pose, point);
    for (int i = 0; i < 3; i++) aim[i] = point[i] - now->place[i];
    if (job->world)
        skl_m3_transform(now->parent, aim, out);
    else
        for (int i = 0; i < 3; i++) out[i] = aim[i];
}

/* Turn on about the line to the target, so that what is up in the joint comes near to `up`. */
static void turn_up(const pointing *p, const skl_joint_now *now, const skl_m3 linear, const char *const *at,
                    const double aim[3], double turn[4]) {
    const skl_dtype dtype = p->job->poses.dtype;
    double up[3], own[3], line[3], risen[3], wanted[3], twist[4], both[4];
    skl_m3 rotation;
    if (!skl_turn_moves(turn) && !skl_has_direction(aim)) return;
    (void)skl_vector(at[UP], dtype, up);
    if (at[OWN_UP])
        (void)skl_vector(at[OWN_UP], dtype, own);
    else
        skl_m3_transform(p->rest_back, up, own);
    skl_m3_transform(linear, own, line);
    skl_m3_from_quaternion(turn, rotation);
    skl_m3_transform(rotation, line, risen);
    for (int i = 0; i < 3; i++) wanted[i] = up[i];
    /* The half plane of line and up is the same one through any linear map. */
    if (!p->job->world) (void)skl_m3_solve_direction(now->parent, up, wanted);
    skl_twist_onto(risen, wanted, aim, twist);
    skl_turn_after(twist, turn, both);
    for (int i = 0; i < 4; i++) turn[i] = both[i];
}

static void point(const void *context, const char *pose, const skl_joint_now *now, const char *const *at, char *out) {
    const pointing *p = context;
    const skl_points_at_job *job = p->job;
    skl_joint_turn by = {.weight = skl_turn_weight(&job->poses, at[WEIGHT]), .world = job->world, .limit = p->limit};
    if (!(by.weight > 0)) return;
    skl_m3 linear;
    double pointer[3], aim[3], line[3], sideways[3];
    pointer_of(p, pose, at[TIP], pointer);
    aim_of(p, now, pose, at[TARGET], aim);
    if (job->world)
        skl_m3_multiply(now->parent, now->linear, linear);
    else
        for (int i = 0; i < 9; i++) linear[i] = now->linear[i];
    skl_m3_transform(linear, pointer, line);
    skl_sideways(linear, pointer, sideways);
    skl_shortest_turn(line, aim, sideways, by.turn);
    if (at[UP]) turn_up(p, now, linear, at, aim, by.turn);
    skl_turn_one(&job->poses, job->joint, now, &by, out);
}

/* The joints that the job names; `p->tip_joint` is found. */
static skl_code check_joints(skl_points_at_job *job, pointing *p) {
    const int32_t *parents = job->poses.skeleton->parents;
    const int64_t joints = job->poses.skeleton->num_joints;
    skl_code code = skl_check_joint(job->poses.skeleton, job->joint, "joint", &job->status);
    if (code == SKL_OK && !job->target.data) {
        code = skl_check_joint(job->poses.skeleton, job->target_joint, "target_joint", &job->status);
        if (code == SKL_OK && skl_common_ancestor(parents, job->joint, job->target_joint) == job->joint)
            code = skl_fail(&job->status, SKL_BAD_VALUE, "target_joint", "it moves with the joint that turns");
    }
    p->tip_joint = job->tip_joint;
    if (code != SKL_OK || job->tip.data) return code;
    for (int64_t j = job->joint + 1; p->tip_joint == -1 && j < joints; j++)
        if (parents[j] == job->joint) p->tip_joint = j;
    if (p->tip_joint == -1)
        return skl_fail(&job->status, SKL_BAD_VALUE, "tip", "the joint has no child: say what points");
    code = skl_check_joint(job->poses.skeleton, p->tip_joint, "tip", &job->status);
    if (code == SKL_OK &&
        (p->tip_joint == job->joint || skl_common_ancestor(parents, job->joint, p->tip_joint) != job->joint))
        code = skl_fail(&job->status, SKL_BAD_VALUE, "tip", "it must lie below the joint that turns");
    return code;
}

/* What is up in the rest pose, and the matrices that have to be undone. */
static skl_code find_undone(skl_points_at_job *job, pointing *p, skl_joint_path *undone) {
    const skl_skeleton *skeleton = job->poses.skeleton;
    const int64_t parent = skeleton->parents[job->joint];
    const int whole = job->target.data || job->world || job->up.data;
    if (job->up.data && !job->own_up.data) {
        skl_m3 rest;
        double place[3];
        skl_split_affine(skeleton->rest_global + 16 * job->joint, rest, place);
        if (!skl_m3_inverse(rest, p->rest_back))
            return skl_fail(&job->status, SKL_BAD_VALUE, "up",
                            "the joint's rest pose has no inverse: say what is up in the joint, too");
    }
    const int64_t ancestor = whole ? -1 : skl_common_ancestor(skeleton->parents, parent, job->target_joint);
    *undone = skl_turn_path(&job->poses, parent, ancestor);
    return SKL_OK;
}

skl_code skl_points_at_run(skl_points_at_job *job) {
    const skl_operand arrays[ARRAYS] = {{&job->target, "target", 1, 0, 0},
                                        {&job->tip, "tip", 1, 0, 0},
                                        {&job->up, "up", 1, 0, 0},
                                        {&job->own_up, "own_up", 1, 0, 0},
                                        {&job->weight, "weight", 1, 0, 0}};
    pointing p = {.job = job};
    skl_turn_walk walk = {&job->poses, job->joint, arrays, ARRAYS, 1, point, &p, {NULL, 0, 0}};
    skl_batch batch;
    skl_code code = skl_turn_check(&walk, &batch, &job->status);
    if (code == SKL_OK) code = check_joints(job, &p);
    if (code == SKL_OK) code = skl_turn_check_weight(&job->poses, &job->weight, &job->status);
    if (code == SKL_OK) code = find_undone(job, &p, &walk.undone);
    if (code != SKL_OK) return code;
    p.limit = skl_turn_limit(&job->poses, job->joint);
    return skl_turn_all(&walk, &batch, &job->status);
}
