/* SPDX-License-Identifier: MIT */
/* Forward kinematics and skinning matrices for Python. */
#include "args.h"
#include "errors.h"
#include "module.h"

/* What the verbs from pose to pose have in common: args are skeleton, matrices (called `name`), out. */
static PyObject *pose_to_pose(const char *verb, const char *name, skl_code (*run)(skl_pose_job *), PyObject *module,
                              PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity(verb, nargs, 3)) return NULL;
    skl_pose_job job;
    job.part = NULL;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton) return NULL;
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[2]);
    const skl_item item = {3, 1, {joints, SKL_ROWS, 4}}, out_item = {3, 1, {joints, job.out_rows, 4}};
    skl_arg in = {0};
    skl_out out = {0};
    skl_shape shape;
    PyObject *result = NULL;
    if (skl_arg_take(&in, args[1], name) && skl_args_dtype(&in, 1, &job.dtype) &&
        skl_arg_prepare(&in, job.dtype, &item, &job.matrices) && skl_args_broadcast(&in, 1, &shape) &&
        skl_out_begin(&out, args[2], "out", job.dtype, &shape, &out_item, &in, 1, &job.out)) {
        PyThreadState *lock = skl_py_release(skl_shape_items(&shape) * joints);
        const skl_code code = run(&job);
        skl_py_restore(lock);
        result = code == SKL_OK ? skl_out_finish(&out) : skl_py_raise(&job.status);
    }
    skl_out_clear(&out);
    skl_args_clear(&in, 1);
    return result;
}

PyObject *skl_py_forward_kinematics(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    return pose_to_pose("forward_kinematics", "local", skl_forward_kinematics_run, module, args, nargs);
}

PyObject *skl_py_skinning_matrices(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    return pose_to_pose("skinning_matrices", "global_", skl_skinning_matrices_run, module, args, nargs);
}

PyObject *skl_py_local_from_global(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    return pose_to_pose("local_from_global", "global_", skl_local_from_global_run, module, args, nargs);
}

PyObject *skl_py_forward_kinematics_trs(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("forward_kinematics_trs", nargs, 5)) return NULL;
    skl_forward_kinematics_trs_job job;
    job.part = NULL;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton) return NULL;
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[4]);
    const skl_item quaternions = {2, 1, {joints, 4}}, vectors = {2, 1, {joints, 3}};
    const skl_item out_item = {3, 1, {joints, job.out_rows, 4}};
    skl_arg in[3] = {{0}};
    skl_out out = {0};
    skl_shape shape;
    PyObject *result = NULL;
    if (skl_arg_take(&in[0], args[1], "rotations") && skl_arg_take_optional(&in[1], args[2], "translations") &&
        skl_arg_take_optional(&in[2], args[3], "scales") && skl_args_dtype(in, 3, &job.dtype) &&
        skl_arg_prepare(&in[0], job.dtype, &quaternions, &job.rotations) &&
        skl_arg_prepare(&in[1], job.dtype, &vectors, &job.translations) &&
        skl_arg_prepare(&in[2], job.dtype, &vectors, &job.scales) && skl_args_broadcast(in, 3, &shape) &&
        skl_out_begin(&out, args[4], "out", job.dtype, &shape, &out_item, in, 3, &job.out)) {
        PyThreadState *lock = skl_py_release(skl_shape_items(&shape) * joints);
        const skl_code code = skl_forward_kinematics_trs_run(&job);
        skl_py_restore(lock);
        result = code == SKL_OK ? skl_out_finish(&out) : skl_py_raise(&job.status);
    }
    skl_out_clear(&out);
    skl_args_clear(in, 3);
    return result;
}
