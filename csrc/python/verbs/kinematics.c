/* SPDX-License-Identifier: MIT */
/* Forward kinematics and skinning matrices for Python. */
#include "python/base/call.h"
#include "python/base/module.h"
#include "python/base/packed.h"

/* The part of the joints that a call wants, or none. */
typedef struct joint_part {
    skl_pose_part part;
    const skl_pose_part *wanted; /* &part, or NULL for all joints */
} joint_part;

/* From `joints` (numbers as int64 that no other thread writes to, or None) and `start` (a number, or None). */
static int part_take(joint_part *p, PyObject *joints, PyObject *start) {
    if (joints != Py_None) {
        p->part.num_joints = skl_py_rows(joints, "joints");
        p->part.joints = skl_py_packed(joints, "joints", NPY_INT64, 1, (npy_intp[]){(npy_intp)p->part.num_joints});
        p->wanted = &p->part;
        return p->part.joints != NULL;
    } else if (start != Py_None) {
        p->part.start = PyLong_AsLongLong(start);
        if (p->part.start == -1 && PyErr_Occurred()) return 0;
        p->wanted = &p->part;
    }
    return 1;
}

/* Matrices of the output. */
static int64_t part_size(const joint_part *p, int64_t num_joints) {
    return p->part.joints ? p->part.num_joints : num_joints;
}

/* What is not computed again has to be in the output, also where that is a copy. */
static int part_fill(const joint_part *p, skl_out *out) {
    return !p->wanted || p->part.joints || out->work == out->result || PyArray_CopyInto(out->work, out->result) == 0;
}

/* What the verbs from pose to pose have in common: args are skeleton, matrices (called `name`), out; forward kinematics
 * also has joints and start. */
static PyObject *pose_to_pose(const char *name, skl_code (*run)(skl_pose_job *), PyObject *module,
                              PyObject *const *args, int parts) {
    joint_part part = {{0}, NULL};
    skl_pose_job job;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton || (parts && !part_take(&part, args[3], args[4]))) return NULL;
    job.part = part.wanted;
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[2]);
    const skl_item item = {3, 1, {joints, SKL_ROWS, 4}};
    const skl_item out_item = {3, 1, {part_size(&part, joints), job.out_rows, 4}};
    const skl_input inputs[] = {{args[1], name, &item, &job.matrices, 0}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) || !skl_call_out(&c, args[2], "out", &out_item, &job.out) ||
        !part_fill(&part, &c.out[0]))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, joints, run, job);
}

PyObject *skl_py_forward_kinematics(PyObject *module, PyObject *const *args) {
    return pose_to_pose("local", skl_forward_kinematics_run, module, args, 1);
}

PyObject *skl_py_skinning_matrices(PyObject *module, PyObject *const *args) {
    return pose_to_pose("global_", skl_skinning_matrices_run, module, args, 0);
}

PyObject *skl_py_local_from_global(PyObject *module, PyObject *const *args) {
    return pose_to_pose("global_", skl_local_from_global_run, module, args, 0);
}

PyObject *skl_py_forward_kinematics_trs(PyObject *module, PyObject *const *args) {
    skl_forward_kinematics_trs_job job;
    job.skeleton = skl_py_skeleton(module, args[0]);
    joint_part part = {{0}, NULL};
    if (!job.skeleton || !part_take(&part, args[5], args[6])) return NULL;
    job.part = part.wanted;
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[4]);
    const skl_item quaternions = {2, 1, {joints, 4}}, vectors = {2, 1, {joints, 3}};
    const skl_item out_item = {3, 1, {part_size(&part, joints), job.out_rows, 4}};
    const skl_input inputs[] = {{args[1], "rotations", &quaternions, &job.rotations, 0},
                                {args[2], "translations", &vectors, &job.translations, 1},
                                {args[3], "scales", &vectors, &job.scales, 1}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 3, &job.dtype) || !skl_call_out(&c, args[4], "out", &out_item, &job.out) ||
        !part_fill(&part, &c.out[0]))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, joints, skl_forward_kinematics_trs_run, job);
}

/* skeleton, rotations, whether the axes are those of the rest pose, None or a tuple of two outputs */
PyObject *skl_py_rest_relative(PyObject *module, PyObject *const *args) {
    skl_rest_relative_job job;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton) return NULL;
    job.rest_axes = PyObject_IsTrue(args[2]);
    static const char *const names[2] = {"out.rotations", "out.translations"};
    PyObject *given[2] = {Py_None, Py_None};
    if (args[3] != Py_None && !PyArg_ParseTuple(args[3], "OO:out", &given[0], &given[1])) return NULL;
    const int64_t joints = job.skeleton->num_joints;
    const skl_item quaternions = {2, 1, {joints, 4}}, vectors = {2, 1, {joints, 3}};
    const skl_input inputs[] = {{args[1], "rotations", &quaternions, &job.rotations, 0}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) ||
        !skl_call_out(&c, given[0], names[0], &quaternions, &job.out_rotations) ||
        !skl_call_out(&c, given[1], names[1], &vectors, &job.out_translations) || !skl_outs_apart(c.out, names, 2))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, joints, skl_rest_relative_run, job);
}
