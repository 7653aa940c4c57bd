/* SPDX-License-Identifier: MIT */
/* Joint limits for Python. */
#include "limits.h"
#include "python/base/call.h"
#include "python/base/module.h"
#include "python/base/struct_dtype.h"

#include <stddef.h>

#define FIELD(name, format) {#name, format, offsetof(skl_joint_limit, name)}
static const skl_struct_field fields[] = {FIELD(joint, "i4"),
                                          FIELD(frame, "9f8"),
                                          FIELD(rest, "9f8"),
                                          FIELD(swing, "2f8"),
                                          FIELD(twist, "2f8"),
                                          FIELD(soft, "f8"),
                                          {0}};
#undef FIELD
static const skl_struct_type limit_type = {"JOINT_LIMIT", fields, sizeof(skl_joint_limit)};

int skl_py_add_limit_struct(PyObject *module) { return skl_py_add_struct(module, &limit_type); }

int skl_py_take_limits(PyObject *module, PyObject *given, const skl_joint_limit **limits, int64_t *count) {
    npy_intp rows = 0;
    *limits = NULL;
    *count = 0;
    if (given == Py_None) return 1;
    *limits = skl_py_rows_of(module, given, &limit_type, &rows);
    *count = rows;
    return *limits != NULL;
}

/* skeleton, local, limits, only_angles, out */
PyObject *skl_py_limit_poses(PyObject *module, PyObject *const *args) {
    skl_limit_poses_job job = {.skeleton = skl_py_skeleton(module, args[0]), .out_rows = skl_out_rows(args[4])};
    if (!job.skeleton) return NULL;
    if (!skl_py_take_limits(module, args[2], &job.limits, &job.num_limits)) return NULL;
    const int64_t joints = job.skeleton->num_joints;
    const int only_angles = PyObject_IsTrue(args[3]);
    const skl_item pose = {3, 1, {joints, SKL_ROWS, 4}}, out_pose = {3, 1, {joints, job.out_rows, 4}},
                   angles = {1, 0, {job.num_limits}};
    const skl_input inputs[] = {{args[1], "local", &pose, &job.local, 0}};
    skl_call c;
    job.hard = only_angles;
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) ||
        !skl_call_out(&c, args[4], "out", only_angles ? &angles : &out_pose, only_angles ? &job.out_angle : &job.out))
        return skl_call_fail(&c);
    job.local_rows = (int32_t)PyArray_DIM(c.in[0].array, PyArray_NDIM(c.in[0].array) - 2);
    SKL_CALL_RUN(c, joints, skl_limit_poses_run, job);
}
