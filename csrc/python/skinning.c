/* SPDX-License-Identifier: MIT */
/* Skinning for Python. */
#include "args.h"
#include "errors.h"
#include "module.h"

PyObject *skl_py_skin_points(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("skin_points", nargs, 4)) return NULL;
    skl_skin_points_job job;
    job.weights = skl_py_weights(module, args[1]);
    if (!job.weights) return NULL;
    const int64_t vertices = job.weights->num_vertices;
    const skl_item points = {2, 1, {vertices, 3}}, matrices = {3, 1, {job.weights->num_joints, SKL_ROWS, 4}};
    skl_arg in[2] = {{0}};
    skl_out out = {0};
    skl_shape shape;
    PyObject *result = NULL;
    if (skl_arg_take(&in[0], args[0], "points") && skl_arg_take(&in[1], args[2], "matrices") &&
        skl_args_dtype(in, 2, &job.dtype) && skl_arg_prepare(&in[0], job.dtype, &points, &job.points) &&
        skl_arg_prepare(&in[1], job.dtype, &matrices, &job.matrices) && skl_args_broadcast(in, 2, &shape) &&
        skl_out_begin(&out, args[3], "out", job.dtype, &shape, &points, in, 2, &job.out)) {
        PyThreadState *lock = skl_py_release(skl_shape_items(&shape) * vertices);
        const skl_code code = skl_skin_points_run(&job);
        skl_py_restore(lock);
        result = code == SKL_OK ? skl_out_finish(&out) : skl_py_raise(&job.status);
    }
    skl_out_clear(&out);
    skl_args_clear(in, 2);
    return result;
}
