/* SPDX-License-Identifier: MIT */
/* From rotations to points and normals, for Python. */
#include "python/base/call.h"
#include "python/base/module.h"

/* points, weights, skeleton, rotations, translations, scales, normals, method, out, out of the normals */
PyObject *skl_py_skin_poses(PyObject *module, PyObject *const *args) {
    skl_skin_poses_job job = {.weights = skl_py_weights(module, args[1])};
    job.skeleton = job.weights ? skl_py_skeleton(module, args[2]) : NULL;
    if (!job.skeleton || !skl_py_take_method(args[7], &job.method)) return NULL;
    const int64_t vertices = job.weights->num_vertices, joints = job.skeleton->num_joints;
    const int shaded = args[6] != Py_None;
    const char *const names[2] = {shaded ? "out.points" : "out", "out.normals"};
    const skl_item points = {2, 1, {vertices, 3}}, quaternions = {2, 1, {joints, 4}}, vectors = {2, 1, {joints, 3}};
    const skl_input inputs[] = {{args[0], "points", &points, &job.points, 0},
                                {args[6], "normals", &points, &job.normals, 1},
                                {args[3], "rotations", &quaternions, &job.rotations, 0},
                                {args[4], "translations", &vectors, &job.translations, 1},
                                {args[5], "scales", &vectors, &job.scales, 1}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 5, &job.dtype) || !skl_call_out(&c, args[8], names[0], &points, &job.out_points) ||
        (shaded && !skl_call_out(&c, args[9], names[1], &points, &job.out_normals)) ||
        !skl_outs_apart(c.out, names, c.outputs))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, vertices + joints, skl_skin_poses_run, job);
}
