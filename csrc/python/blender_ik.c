/* SPDX-License-Identifier: MIT */
/* Blender's IK for Python. All arrays are made by the wrapper, which has checked them. */
#include "args.h"
#include "blender_bones.h"
#include "errors.h"
#include "module.h"

#include "skelkin/blender_ik.h"

#include <string.h>

enum { BONE_NUMBERS = 20, GOAL_NUMBERS = 5, TREE_NUMBERS = 4, TREE_COUNTS = 5 };

/* What a call hands over, as far as the trees read it: rows of numbers of all bones, trees and goals. */
typedef struct ik_call {
    const int32_t *trees, *bones, *bits, *goals, *followers, *loose;
    const double *tree_numbers, *bone_numbers, *goal_numbers, *poles;
    npy_intp num_trees;
    skl_blender_follow_job follow;
} ik_call;

static void *array_data(PyObject *value, int type, int ndim, npy_intp last) {
    PyArrayObject *array = (PyArrayObject *)value;
    if (PyArray_Check(value) && PyArray_TYPE(array) == type && PyArray_NDIM(array) == ndim &&
        PyArray_ISCARRAY_RO(array) && (last < 0 || PyArray_DIM(array, ndim - 1) == last))
        return PyArray_DATA(array);
    PyErr_SetString(PyExc_TypeError, "blender_ik takes contiguous arrays of its own types and shapes");
    return NULL;
}

static void take_bone(const ik_call *call, const int32_t *row, int stretches, skl_ik_bone *bone) {
    const double *numbers = call->bone_numbers + BONE_NUMBERS * (npy_intp)row[0];
    bone->bone = row[0];
    bone->parent = row[1];
    bone->locked = call->bits[2 * row[0]];
    bone->limited = call->bits[2 * row[0] + 1];
    memcpy(bone->rest, numbers, sizeof bone->rest);
    bone->length = numbers[9];
    memcpy(bone->stiffness, numbers + 10, sizeof bone->stiffness);
    memcpy(bone->least, numbers + 13, sizeof bone->least);
    memcpy(bone->most, numbers + 16, sizeof bone->most);
    bone->stretch = stretches ? numbers[19] : 0;
}

static void take_goal(const ik_call *call, const int32_t *row, skl_ik_goal *goal) {
    goal->bone = row[1];
    goal->target = row[0];
    const double *numbers = call->goal_numbers + GOAL_NUMBERS * (npy_intp)row[0];
    goal->weight = numbers[0];
    goal->influence = numbers[1];
    goal->turn_weight = numbers[2];
    goal->places = numbers[3] > 0;
    goal->turns = numbers[4] > 0;
}

/* Bones that hang on the tree, but not whole. */
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
    const int32_t *tree = call->trees, *bone = call->bones, *goal = call->goals;
    const double *numbers = call->tree_numbers;
    skl_code code = SKL_OK;
    job->bones = bones;
    job->goals = goals;
    job->followers = call->followers;
    for (npy_intp t = 0; t < call->num_trees && code == SKL_OK; t++, tree += TREE_COUNTS, numbers += TREE_NUMBERS) {
        job->num_bones = tree[0];
        job->num_goals = tree[1];
        job->num_followers = tree[2];
        job->above = tree[4];
        job->pole_angle = numbers[0];
        job->iterations = (int32_t)numbers[1];
        job->poles = numbers[3] > 0 ? call->poles : NULL;
        for (int32_t k = 0; k < tree[0]; k++, bone += 2) take_bone(call, bone, numbers[2] > 0, &bones[k]);
        for (int32_t g = 0; g < tree[1]; g++, goal += 2) take_goal(call, goal, &goals[g]);
        code = skl_blender_ik_run(job);
        job->followers += 2 * (npy_intp)tree[2];
        if (code == SKL_OK) code = follow(job, call, tree[3]);
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
        skl_py_packed(before, NPY_DOUBLE, 16 * job->num_frames * job->num_pose_bones, "the pose before");
    return call->follow.before && skl_py_take_bones(bones, tuple);
}

/* pose (F,B,4,4) in and out; trees (t,5), bones (n,2), goals (m,2), followers (f,2), loose (l,) int32 as in
 * ik_trees.Forest; of the trees (t,4): pole's angle, iterations, whether they stretch, whether they have a pole; of all
 * bones of the pose (B,20), and (B,2) int32 which axes are locked and limited; of all goals (M,5): weight, influence,
 * weight of the rotation, whether they have a place and whether a rotation; their targets (F,M,3), and poles (F,M,3)
 * and rotations (F,M,9) or None; the armature's bones, and a copy of the pose or None where no bones are loose. */
PyObject *skl_py_blender_ik(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("blender_ik", nargs, 15)) return NULL;
    skl_blender_bones all;
    skl_blender_ik_job job = {0};
    ik_call call = {0};
    if (!(job.pose = array_data(args[0], NPY_DOUBLE, 4, 4)) ||
        !(call.trees = array_data(args[1], NPY_INT32, 2, TREE_COUNTS)) ||
        !(call.bones = array_data(args[2], NPY_INT32, 2, 2)) || !(call.goals = array_data(args[3], NPY_INT32, 2, 2)) ||
        !(call.followers = array_data(args[4], NPY_INT32, 2, 2)) ||
        !(call.loose = array_data(args[5], NPY_INT32, 1, -1)) ||
        !(call.tree_numbers = array_data(args[6], NPY_DOUBLE, 2, TREE_NUMBERS)) ||
        !(call.bone_numbers = array_data(args[7], NPY_DOUBLE, 2, BONE_NUMBERS)) ||
        !(call.bits = array_data(args[8], NPY_INT32, 2, 2)) ||
        !(call.goal_numbers = array_data(args[9], NPY_DOUBLE, 2, GOAL_NUMBERS)) ||
        !(job.targets = array_data(args[10], NPY_DOUBLE, 3, 3)) ||
        (args[11] != Py_None && !(call.poles = array_data(args[11], NPY_DOUBLE, 3, 3))) ||
        (args[12] != Py_None && !(job.turns = array_data(args[12], NPY_DOUBLE, 3, 9))))
        return NULL;
    job.num_frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    job.num_pose_bones = PyArray_DIM((PyArrayObject *)args[0], 1);
    if (!take_follow(&call, &all, args[13], args[14], &job)) return NULL;
    job.num_targets = PyArray_DIM((PyArrayObject *)args[10], 1);
    call.num_trees = PyArray_DIM((PyArrayObject *)args[1], 0);
    size_t most_bones = 1, most_goals = 1;
    for (npy_intp t = 0; t < call.num_trees; t++) {
        const size_t bones = (size_t)call.trees[TREE_COUNTS * t], goals = (size_t)call.trees[TREE_COUNTS * t + 1];
        if (bones > most_bones) most_bones = bones;
        if (goals > most_goals) most_goals = goals;
    }
    skl_ik_bone *bones = PyMem_Calloc(most_bones, sizeof *bones);
    skl_ik_goal *goals = PyMem_Calloc(most_goals, sizeof *goals);
    PyObject *result = NULL;
    if (bones && goals) {
        PyThreadState *lock = skl_py_release(100 * job.num_frames * call.num_trees);
        const skl_code code = run_trees(&job, &call, bones, goals);
        result = skl_py_restore(lock) && code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(&job.status);
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(bones);
    PyMem_Free(goals);
    return result;
}
