/* SPDX-License-Identifier: MIT */
/* Blender's IK for Python. All arrays are made by the wrapper, which has checked them. */
#include "python/base/args.h"
#include "blender_bones.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"
#include "python/base/struct_dtype.h"

#include "skelkin/blender_ik.h"

#include <stddef.h>

/* A tree: how many bones, goals, followers and loose bones it has, its parent bone or -1, and how it is solved. */
typedef struct ik_tree_row {
    int32_t num_bones, num_goals, num_followers, num_loose, above, iterations, stretches, has_pole;
    double pole_angle;
} ik_tree_row;

/* What a bone may do and what a goal is, whatever tree they are in; a tree adds its numbers for them. */
#define FIELD(name, member, format) {name, format, offsetof(skl_ik_bone, member)}
static const skl_struct_field rule_fields[] = {
    FIELD("rest", rest, "9f8"),       FIELD("length", length, "f8"),     FIELD("stiffness", stiffness, "3f8"),
    FIELD("limit_min", least, "3f8"), FIELD("limit_max", most, "3f8"),   FIELD("stretch", stretch, "f8"),
    FIELD("lock", locked, "i4"),      FIELD("use_limit", limited, "i4"), {0}};
#undef FIELD
#define FIELD(name, member, format) {name, format, offsetof(skl_ik_goal, member)}
static const skl_struct_field goal_fields[] = {
    FIELD("weight", weight, "f8"), FIELD("influence", influence, "f8"), FIELD("orient_weight", turn_weight, "f8"),
    FIELD("places", places, "i4"), FIELD("turns", turns, "i4"),         {0}};
#undef FIELD
#define FIELD(type, name, format) {#name, format, offsetof(type, name)}
static const skl_struct_field tree_fields[] = {
    FIELD(ik_tree_row, num_bones, "i4"),     FIELD(ik_tree_row, num_goals, "i4"),
    FIELD(ik_tree_row, num_followers, "i4"), FIELD(ik_tree_row, num_loose, "i4"),
    FIELD(ik_tree_row, above, "i4"),         FIELD(ik_tree_row, iterations, "i4"),
    FIELD(ik_tree_row, stretches, "i4"),     FIELD(ik_tree_row, has_pole, "i4"),
    FIELD(ik_tree_row, pole_angle, "f8"),    {0}};
#undef FIELD
static const skl_struct_type rule_type = {"IK_RULE", rule_fields, sizeof(skl_ik_bone)};
static const skl_struct_type goal_type = {"IK_GOAL", goal_fields, sizeof(skl_ik_goal)};
static const skl_struct_type tree_type = {"IK_TREE", tree_fields, sizeof(ik_tree_row)};

int skl_py_add_ik_structs(PyObject *module) {
    return skl_py_add_struct(module, &rule_type) < 0 || skl_py_add_struct(module, &goal_type) < 0
               ? -1
               : skl_py_add_struct(module, &tree_type);
}

/* What a call hands over, as far as the trees read it: rows of all bones, trees and goals. */
typedef struct ik_call {
    const ik_tree_row *trees;
    const skl_ik_bone *rules;
    const skl_ik_goal *goal_rows;
    const int32_t *bones, *goals, *followers, *loose;
    const double *poles;
    npy_intp num_trees;
    skl_blender_follow_job follow;
} ik_call;

static skl_ik_bone bone_of(const ik_call *call, const int32_t *row, int stretches) {
    skl_ik_bone bone = call->rules[row[0]];
    bone.bone = row[0];
    bone.parent = row[1];
    if (!stretches) bone.stretch = 0;
    return bone;
}

static skl_ik_goal goal_of(const ik_call *call, const int32_t *row) {
    skl_ik_goal goal = call->goal_rows[row[0]];
    goal.bone = row[1];
    goal.target = row[0];
    return goal;
}

/* Bones below the tree that follow only part of it. */
static skl_code follow(skl_blender_ik_job *job, ik_call *call, int32_t count) {
    call->follow.followers = call->loose;
    call->follow.num_followers = count;
    call->loose += count;
    if (!count || skl_blender_follow_run(&call->follow) == SKL_OK) return SKL_OK;
    job->status = call->follow.status;
    return job->status.code;
}

/* Solve the trees one after the other; bones and goals are room for those of the largest. */
static skl_code run_trees(skl_blender_ik_job *job, ik_call *call, skl_ik_bone *bones, skl_ik_goal *goals) {
    const int32_t *bone = call->bones, *goal = call->goals;
    skl_code code = SKL_OK;
    job->bones = bones;
    job->goals = goals;
    job->followers = call->followers;
    for (npy_intp t = 0; t < call->num_trees && code == SKL_OK; t++) {
        const ik_tree_row *tree = &call->trees[t];
        job->num_bones = tree->num_bones;
        job->num_goals = tree->num_goals;
        job->num_followers = tree->num_followers;
        job->above = tree->above;
        job->pole_angle = tree->pole_angle;
        job->iterations = tree->iterations;
        job->poles = tree->has_pole ? call->poles : NULL;
        for (int32_t k = 0; k < tree->num_bones; k++, bone += 2) bones[k] = bone_of(call, bone, tree->stretches);
        for (int32_t g = 0; g < tree->num_goals; g++, goal += 2) goals[g] = goal_of(call, goal);
        code = skl_blender_ik_run(job);
        job->followers += 2 * (npy_intp)tree->num_followers;
        if (code == SKL_OK) code = follow(job, call, tree->num_loose);
    }
    return code;
}

/* What bones follow by that do not follow whole: the armature's bones, and the poses before. */
static int take_follow(ik_call *call, skl_blender_bones *bones, PyObject *tuple, PyObject *before,
                       const skl_blender_ik_job *job) {
    if (before == Py_None) return 1;
    call->follow.bones = bones;
    call->follow.pose = job->pose;
    call->follow.num_frames = job->num_frames;
    call->follow.before =
        skl_py_flat(before, NPY_DOUBLE, 16 * job->num_frames * job->num_pose_bones, "the pose before");
    return call->follow.before && skl_py_take_bones(bones, tuple);
}

/* pose (F,B,4,4) in and out; trees (t,) of IK_TREE; bones (n,2), goals (m,2), followers (f,2), loose (l,) int32 as in
 * trees.Forest; rules of all bones of the pose (B,) of IK_RULE, of all goals (M,) of IK_GOAL; their targets (F,M,3),
 * and poles (F,M,3) and rotations (F,M,9) or None; the armature's bones, and a copy of the pose or None where no bones
 * are loose. */
PyObject *skl_py_blender_ik(PyObject *module, PyObject *const *args) {
    const npy_intp any[1] = {SKL_ANY}, pairs[2] = {SKL_ANY, 2}, triples[3] = {SKL_ANY, SKL_ANY, 3},
                   nines[3] = {SKL_ANY, SKL_ANY, 9}, four[4] = {SKL_ANY, SKL_ANY, SKL_ANY, 4};
    npy_intp num_rules, num_goals;
    skl_blender_bones all;
    skl_blender_ik_job job = {0};
    ik_call call = {0};
    if (!skl_py_packed(args[0], "pose", NPY_DOUBLE, 4, four) ||
        !(call.trees = skl_py_rows_of(module, args[1], &tree_type, &call.num_trees)) ||
        !(call.bones = skl_py_packed(args[2], "bones", NPY_INT32, 2, pairs)) ||
        !(call.goals = skl_py_packed(args[3], "goals", NPY_INT32, 2, pairs)) ||
        !(call.followers = skl_py_packed(args[4], "followers", NPY_INT32, 2, pairs)) ||
        !(call.loose = skl_py_packed(args[5], "loose", NPY_INT32, 1, any)) ||
        !(call.rules = skl_py_rows_of(module, args[6], &rule_type, &num_rules)) ||
        !(call.goal_rows = skl_py_rows_of(module, args[7], &goal_type, &num_goals)) ||
        !(job.targets = skl_py_packed(args[8], "targets", NPY_DOUBLE, 3, triples)) ||
        (args[9] != Py_None && !(call.poles = skl_py_packed(args[9], "poles", NPY_DOUBLE, 3, triples))) ||
        (args[10] != Py_None && !(job.turns = skl_py_packed(args[10], "turns", NPY_DOUBLE, 3, nines))))
        return NULL;
    job.pose = skl_py_data(args[0]);
    job.num_frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    job.num_pose_bones = PyArray_DIM((PyArrayObject *)args[0], 1);
    if (!take_follow(&call, &all, args[11], args[12], &job)) return NULL;
    job.num_targets = PyArray_DIM((PyArrayObject *)args[8], 1);
    size_t most_bones = 1, most_goals = 1;
    for (npy_intp t = 0; t < call.num_trees; t++) {
        const size_t bones = (size_t)call.trees[t].num_bones, goals = (size_t)call.trees[t].num_goals;
        if (bones > most_bones) most_bones = bones;
        if (goals > most_goals) most_goals = goals;
    }
    skl_ik_bone *bones = PyMem_Calloc(most_bones, sizeof *bones);
    skl_ik_goal *goals = PyMem_Calloc(most_goals, sizeof *goals);
    PyObject *result = NULL;
    if (bones && goals) {
        PyThreadState *lock = skl_py_release(100 * job.num_frames * call.num_trees);
        result = skl_py_none(lock, run_trees(&job, &call, bones, goals), &job.status);
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(bones);
    PyMem_Free(goals);
    return result;
}
