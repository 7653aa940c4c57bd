/* SPDX-License-Identifier: MIT */
/* Feet and toes that lie along the ground. Planes are carried through matrices by the inverse transpose. */
#include "slope.h"
#include "turned_poses.h"
#include "core/base/numbers.h"
#include "core/base/validate.h"
#include "core/base/status.h"
#include "core/transforms/turn.h"
#include "core/transforms/vector3.h"

enum { NORMAL, UP, SOLE, WEIGHT, SLOPE, FORWARD, FOOT_ARRAYS };
enum { HINGE = SLOPE, TOE_ARRAYS };

/* What both jobs have in common, and what is the same in all poses. */
typedef struct grounding {
    const skl_turned_poses *poses;
    int64_t joint;
    skl_m3 rest_transposed; /* from the model's planes to those of the joint in the rest pose */
    skl_m3 rest_back;
    double rest_line[3]; /* in the rest pose, from the joint above to the toe */
    const skl_joint_limit *limit;
} grounding;

/* The normal of the ground and that of the joint's own plane, in the coordinates of the joint's parent. */
static void planes_of(const grounding *g, const skl_joint_now *now, const double goal[3], const char *const *at,
                      double own[3], double onto[3]) {
    double plane[3], up[3];
    skl_m3 transposed;
    if (at[SOLE]) {
        (void)skl_vector(at[SOLE], g->poses->dtype, plane);
    } else {
        (void)skl_vector(at[UP], g->poses->dtype, up);
        skl_m3_transform(g->rest_transposed, up, plane);
    }
    skl_m3_transpose(now->linear, transposed);
    (void)skl_m3_solve_direction(transposed, plane, own);
    skl_m3_transpose(now->parent, transposed);
    skl_m3_transform(transposed, goal, onto);
}

/* Turn on about the normal, so that seen along `up` the foot points where it pointed. */
static void keep_heading(const skl_joint_now *now, const double forward[3], const double goal[3], const double up[3],
                         const double onto[3], double turn[4]) {
    double was[3], seen[3], level[3], wanted[3], risen[3], twist[4], both[4];
    skl_m3 rotation;
    if (!skl_has_direction(onto)) return;
    skl_m3_transform(now->linear, forward, was);
    skl_m3_transform(now->parent, was, seen);
    const double rise = skl_v3_dot(seen, goal) / skl_v3_dot(up, goal);
    for (int i = 0; i < 3; i++) level[i] = seen[i] - rise * up[i]; /* down or up onto the ground */
    (void)skl_m3_solve_direction(now->parent, level, wanted);
    skl_m3_from_quaternion(turn, rotation);
    skl_m3_transform(rotation, was, risen);
    skl_twist_onto(risen, wanted, onto, twist);
    skl_turn_after(twist, turn, both);
    for (int i = 0; i < 4; i++) turn[i] = both[i];
}

static void align(const void *context, const char *pose, const skl_joint_now *now, const char *const *at, char *out) {
    (void)pose;
    const grounding *g = context;
    const skl_dtype dtype = g->poses->dtype;
    skl_joint_turn by = {.weight = skl_turn_weight(g->poses, at[WEIGHT]), .limit = g->limit};
    if (!(by.weight > 0)) return;
    double normal[3], goal[3], up[3], own[3], onto[3], forward[3];
    (void)skl_vector(at[NORMAL], dtype, normal);
    (void)skl_vector(at[UP], dtype, up);
    for (int i = 0; i < 3; i++) goal[i] = normal[i];
    if (at[SLOPE]) skl_slope_within(normal, up, skl_number(at[SLOPE], dtype, 0), goal);
    planes_of(g, now, goal, at, own, onto);
    const double sideways[3] = {now->linear[0], now->linear[3], now->linear[6]};
    skl_shortest_turn(own, onto, sideways, by.turn);
    if (at[FORWARD]) {
        (void)skl_vector(at[FORWARD], dtype, forward);
        keep_heading(now, forward, goal, up, onto, by.turn);
    }
    skl_turn_one(g->poses, g->joint, now, &by, out);
}

static void roll(const void *context, const char *pose, const skl_joint_now *now, const char *const *at, char *out) {
    (void)pose;
    const grounding *g = context;
    const skl_dtype dtype = g->poses->dtype;
    skl_joint_turn by = {.weight = skl_turn_weight(g->poses, at[WEIGHT]), .limit = g->limit};
    if (!(by.weight > 0)) return;
    double goal[3], up[3], own[3], onto[3], hinge[3], side[3], axis[3];
    (void)skl_vector(at[NORMAL], dtype, goal);
    planes_of(g, now, goal, at, own, onto);
    if (at[HINGE]) {
        (void)skl_vector(at[HINGE], dtype, hinge);
    } else {
        (void)skl_vector(at[UP], dtype, up);
        skl_v3_cross(up, g->rest_line, side);
        skl_m3_transform(g->rest_back, side, hinge);
    }
    skl_m3_transform(now->linear, hinge, axis);
    skl_twist_onto(own, onto, axis, by.turn);
    skl_turn_one(g->poses, g->joint, now, &by, out);
}

/* The checks that both jobs have in common, and what they read of the rest pose. */
static skl_code begin(grounding *g, const skl_turn_walk *walk, const char *name, skl_batch *batch, skl_status *status) {
    skl_code code = skl_turn_check(walk, batch, status);
    if (code == SKL_OK) code = skl_check_joint(g->poses->skeleton, g->joint, name, status);
    if (code == SKL_OK) code = skl_turn_check_weight(g->poses, walk->arrays[WEIGHT].array, status);
    if (code != SKL_OK) return code;
    skl_m3 rest;
    double place[3];
    skl_split_affine(g->poses->skeleton->rest_global + 16 * g->joint, rest, place);
    skl_m3_transpose(rest, g->rest_transposed);
    g->limit = skl_turn_limit(g->poses, g->joint);
    return SKL_OK;
}

skl_code skl_align_to_ground_run(skl_align_to_ground_job *job) {
    const skl_operand arrays[FOOT_ARRAYS] = {
        {&job->normal, "normal", 0, 0, 0},       {&job->up, "up", 0, 0, 0},
        {&job->sole, "sole", 1, 0, 0},           {&job->weight, "weight", 1, 0, 0},
        {&job->max_slope, "max_slope", 1, 0, 0}, {&job->forward, "forward", 1, 0, 0}};
    grounding g = {.poses = &job->poses, .joint = job->foot};
    skl_turn_walk walk = {g.poses, job->foot, arrays, FOOT_ARRAYS, 1, align, &g, {NULL, 0, 0}};
    skl_batch batch;
    skl_code code = begin(&g, &walk, "foot", &batch, &job->status);
    if (code == SKL_OK) code = skl_check_slopes(&job->max_slope, g.poses->dtype, &job->status);
    if (code != SKL_OK) return code;
    const int64_t ancestor = job->forward.data ? -1 : g.poses->skeleton->parents[job->foot];
    walk.undone = skl_turn_path(g.poses, job->foot, ancestor);
    return skl_turn_all(&walk, &batch, &job->status);
}

/* The axis of a hinge that is not given lies across the line from the joint above to the toe, level in the rest pose.
 */
static skl_code find_hinge(grounding *g, skl_status *status) {
    const skl_skeleton *skeleton = g->poses->skeleton;
    const int64_t parent = skeleton->parents[g->joint];
    skl_m3 rest;
    double place[3];
    if (parent < 0)
        return skl_fail(status, SKL_BAD_VALUE, "hinge", "no joint above shows the side of the foot: give it");
    const double *above = skeleton->rest_global + 16 * parent;
    skl_split_affine(skeleton->rest_global + 16 * g->joint, rest, place);
    for (int i = 0; i < 3; i++) g->rest_line[i] = place[i] - above[4 * i + 3];
    if (!skl_m3_inverse(rest, g->rest_back))
        return skl_fail(status, SKL_BAD_VALUE, "hinge", "the toe's rest pose has no inverse: it has to be given");
    return SKL_OK;
}

skl_code skl_roll_toe_run(skl_roll_toe_job *job) {
    const skl_operand arrays[TOE_ARRAYS] = {{&job->normal, "normal", 0, 0, 0},
                                            {&job->up, "up", 0, 0, 0},
                                            {&job->sole, "sole", 1, 0, 0},
                                            {&job->weight, "weight", 1, 0, 0},
                                            {&job->hinge, "hinge", 1, 0, 0}};
    grounding g = {.poses = &job->poses, .joint = job->toe};
    skl_turn_walk walk = {g.poses, job->toe, arrays, TOE_ARRAYS, 1, roll, &g, {NULL, 0, 0}};
    skl_batch batch;
    skl_code code = begin(&g, &walk, "toe", &batch, &job->status);
    if (code == SKL_OK && !job->hinge.data) code = find_hinge(&g, &job->status);
    if (code != SKL_OK) return code;
    walk.undone = skl_turn_path(g.poses, job->toe, g.poses->skeleton->parents[job->toe]);
    return skl_turn_all(&walk, &batch, &job->status);
}
