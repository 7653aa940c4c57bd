/* SPDX-License-Identifier: MIT */
/* From rotations to points, for Python. */
#include "args.h"
#include "errors.h"
#include "module.h"

enum { POINTS, ROTATIONS, TRANSLATIONS, SCALES, INPUTS };

/* points, weights, skeleton, rotations, translations, scales, out */
PyObject *skl_py_skin_poses(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("skin_poses", nargs, 7)) return NULL;
    skl_skin_poses_job job;
    job.weights = skl_py_weights(module, args[1]);
    job.skeleton = job.weights ? skl_py_skeleton(module, args[2]) : NULL;
    if (!job.skeleton) return NULL;
    const int64_t vertices = job.weights->num_vertices, joints = job.skeleton->num_joints;
    const skl_item points = {2, 1, {vertices, 3}}, quaternions = {2, 1, {joints, 4}}, vectors = {2, 1, {joints, 3}};
    skl_arg in[INPUTS] = {{0}};
    skl_out out = {0};
    skl_shape shape;
    PyObject *result = NULL;
    if (skl_arg_take(&in[POINTS], args[0], "points") && skl_arg_take(&in[ROTATIONS], args[3], "rotations") &&
        skl_arg_take_optional(&in[TRANSLATIONS], args[4], "translations") &&
        skl_arg_take_optional(&in[SCALES], args[5], "scales") && skl_args_dtype(in, INPUTS, &job.dtype) &&
        skl_arg_prepare(&in[POINTS], job.dtype, &points, &job.points) &&
        skl_arg_prepare(&in[ROTATIONS], job.dtype, &quaternions, &job.rotations) &&
        skl_arg_prepare(&in[TRANSLATIONS], job.dtype, &vectors, &job.translations) &&
        skl_arg_prepare(&in[SCALES], job.dtype, &vectors, &job.scales) && skl_args_broadcast(in, INPUTS, &shape) &&
        skl_out_begin(&out, args[6], "out", job.dtype, &shape, &points, in, INPUTS, &job.out)) {
        PyThreadState *lock = skl_py_release(skl_shape_items(&shape) * (vertices + joints));
        const skl_code code = skl_skin_poses_run(&job);
        skl_py_restore(lock);
        result = code == SKL_OK ? skl_out_finish(&out) : skl_py_raise(&job.status);
    }
    skl_out_clear(&out);
    skl_args_clear(in, INPUTS);
    return result;
}
