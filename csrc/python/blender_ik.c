/* SPDX-License-Identifier: MIT */
/* Blender's IK for Python. All arrays are made by the wrapper, which has checked them. */
#include <string.h>

#include "../blender/skelkin_blender_ik.h"
#include "args.h"
#include "errors.h"
#include "module.h"

enum { BONE_NUMBERS = 20, GOAL_NUMBERS = 2 };

static void *array_data(PyObject *value, int type, int ndim, npy_intp last) {
    PyArrayObject *array = (PyArrayObject *)value;
    if (PyArray_Check(value) && PyArray_TYPE(array) == type && PyArray_NDIM(array) == ndim &&
        PyArray_ISCARRAY_RO(array) && (last < 0 || PyArray_DIM(array, ndim - 1) == last))
        return PyArray_DATA(array);
    PyErr_SetString(PyExc_TypeError, "blender_ik takes contiguous arrays of its own types and shapes");
    return NULL;
}

static skl_ik_bone *take_bones(const int32_t *joints, const double *numbers, int32_t count) {
    skl_ik_bone *bones = PyMem_Calloc((size_t)(count ? count : 1), sizeof *bones);
    if (!bones) return (void)PyErr_NoMemory(), NULL;
    for (int32_t k = 0; k < count; k++, joints += 4, numbers += BONE_NUMBERS) {
        skl_ik_bone *bone = &bones[k];
        bone->bone = joints[0];
        bone->parent = joints[1];
        bone->locked = joints[2];
        bone->limited = joints[3];
        memcpy(bone->rest, numbers, sizeof bone->rest);
        bone->length = numbers[9];
        memcpy(bone->stiffness, numbers + 10, sizeof bone->stiffness);
        memcpy(bone->least, numbers + 13, sizeof bone->least);
        memcpy(bone->most, numbers + 16, sizeof bone->most);
        bone->stretch = numbers[19];
    }
    return bones;
}

static skl_ik_goal *take_goals(const int32_t *which, const double *numbers, int32_t count) {
    skl_ik_goal *goals = PyMem_Calloc((size_t)(count ? count : 1), sizeof *goals);
    if (!goals) return (void)PyErr_NoMemory(), NULL;
    for (int32_t g = 0; g < count; g++) {
        goals[g].bone = which[g];
        goals[g].weight = numbers[GOAL_NUMBERS * g];
        goals[g].influence = numbers[GOAL_NUMBERS * g + 1];
    }
    return goals;
}

/* pose (F,B,4,4) in and out, bones (n,4) int32, their numbers (n,20), goals (m,) int32, their numbers (m,2), targets
 * (F,m,3), poles (F,3) or None, followers (f,2) int32, the bone above, the pole's angle, iterations. */
PyObject *skl_py_blender_ik(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("blender_ik", nargs, 11)) return NULL;
    skl_blender_ik_job job = {0};
    const int32_t *bones, *goals;
    const double *bone_numbers, *goal_numbers;
    if (!(job.pose = array_data(args[0], NPY_DOUBLE, 4, 4)) || !(bones = array_data(args[1], NPY_INT32, 2, 4)) ||
        !(bone_numbers = array_data(args[2], NPY_DOUBLE, 2, BONE_NUMBERS)) ||
        !(goals = array_data(args[3], NPY_INT32, 1, -1)) ||
        !(goal_numbers = array_data(args[4], NPY_DOUBLE, 2, GOAL_NUMBERS)) ||
        !(job.targets = array_data(args[5], NPY_DOUBLE, 3, 3)) ||
        (args[6] != Py_None && !(job.poles = array_data(args[6], NPY_DOUBLE, 2, 3))) ||
        !(job.followers = array_data(args[7], NPY_INT32, 2, 2)))
        return NULL;
    job.num_frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    job.num_pose_bones = PyArray_DIM((PyArrayObject *)args[0], 1);
    job.num_bones = (int32_t)PyArray_DIM((PyArrayObject *)args[1], 0);
    job.num_goals = (int32_t)PyArray_DIM((PyArrayObject *)args[3], 0);
    job.num_followers = (int32_t)PyArray_DIM((PyArrayObject *)args[7], 0);
    job.above = (int32_t)PyLong_AsLong(args[8]);
    job.pole_angle = PyFloat_AsDouble(args[9]);
    job.iterations = (int32_t)PyLong_AsLong(args[10]);
    if (PyErr_Occurred()) return NULL;
    skl_ik_bone *tree = take_bones(bones, bone_numbers, job.num_bones);
    skl_ik_goal *aims = tree ? take_goals(goals, goal_numbers, job.num_goals) : NULL;
    PyObject *result = NULL;
    if (aims) {
        job.bones = tree;
        job.goals = aims;
        PyThreadState *lock = skl_py_release(100 * job.num_frames);
        const skl_code code = skl_blender_ik_run(&job);
        skl_py_restore(lock);
        result = code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(&job.status);
    }
    PyMem_Free(tree);
    PyMem_Free(aims);
    return result;
}
