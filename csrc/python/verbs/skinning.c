/* SPDX-License-Identifier: MIT */
/* Skinning for Python. */
#include "python/base/call.h"
#include "python/base/errors.h"
#include "python/base/module.h"

int skl_py_take_method(PyObject *value, skl_skin_method *method) {
    const long number = PyLong_AsLong(value);
    if (number == -1 && PyErr_Occurred()) return 0;
    *method = number ? SKL_DUAL_QUATERNION : SKL_LINEAR;
    return 1;
}

PyObject *skl_py_skin_points(PyObject *module, PyObject *const *args) {
    skl_skin_points_job job;
    job.weights = skl_py_weights(module, args[1]);
    if (!job.weights || !skl_py_take_method(args[3], &job.method)) return NULL;
    const int64_t vertices = job.weights->num_vertices;
    const skl_item points = {2, 1, {vertices, 3}}, matrices = {3, 1, {job.weights->num_joints, SKL_ROWS, 4}};
    const skl_input inputs[] = {{args[0], "points", &points, &job.points, 0},
                                {args[2], "matrices", &matrices, &job.matrices, 0}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 2, &job.dtype) || !skl_call_out(&c, args[4], "out", &points, &job.out))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, vertices, skl_skin_points_run, job);
}

/* The weights of corners: `given` is an array of int64 that nobody else has, or None. */
static int take_corners(skl_skin_mesh_job *job, skl_weights *corners, PyObject *given) {
    if (given == Py_None) return 1;
    PyArrayObject *ids = (PyArrayObject *)PyArray_FROMANY(given, NPY_INT64, 1, 1, NPY_ARRAY_CARRAY_RO);
    if (!ids) return 0;
    skl_status status;
    const skl_code code = skl_weights_take(corners, job->weights, PyArray_DATA(ids), PyArray_DIM(ids, 0), &status);
    Py_DECREF(ids);
    if (code != SKL_OK) return skl_py_raise(&status) != NULL;
    job->corners = corners;
    return 1;
}

/* The call of skin_mesh with its arrays, of which normals and tangents have so many `directions`. */
static PyObject *run_mesh(skl_skin_mesh_job *job, int64_t directions, PyObject *const *args) {
    enum { POINTS, NORMALS, TANGENTS, OUTS };
    static const char *const names[OUTS] = {"out.points", "out.normals", "out.tangents"};
    const int64_t vertices = job->weights->num_vertices;
    skl_item items[OUTS] = {{2, 1, {vertices, 3}}, {2, 1, {directions, 3}}, {2, 1, {directions, SKL_ROWS}}};
    const skl_item matrices = {3, 1, {job->weights->num_joints, SKL_ROWS, 4}};
    const skl_input inputs[] = {{args[0], "points", &items[POINTS], &job->points, 0},
                                {args[3], "normals", &items[NORMALS], &job->normals, 1},
                                {args[4], "tangents", &items[TANGENTS], &job->tangents, 1},
                                {args[2], "matrices", &matrices, &job->matrices, 0}};
    skl_array *const into[OUTS] = {&job->out_points, &job->out_normals, &job->out_tangents};
    skl_call c;
    int good = skl_call_begin(&c, inputs, 4, &job->dtype);
    PyArrayObject *const tangents = c.in[TANGENTS].array;
    job->tangent_size = good && tangents ? (int32_t)PyArray_DIM(tangents, PyArray_NDIM(tangents) - 1) : 3;
    items[TANGENTS].shape[1] = job->tangent_size;
    for (int k = 0; good && k < OUTS; k++) {
        if (c.in[k].array)
            good = skl_call_out(&c, args[7 + k], names[k], &items[k], into[k]);
        else
            skl_call_skip(&c);
    }
    if (!good || !skl_outs_apart(c.out, names, OUTS)) return skl_call_fail(&c);
    SKL_CALL_RUN(c, vertices + (job->corners ? directions : 0), skl_skin_mesh_run, *job);
}

/* points, weights, matrices, normals, tangents, corners, method, out x 3 */
PyObject *skl_py_skin_mesh(PyObject *module, PyObject *const *args) {
    skl_skin_mesh_job job = {.weights = skl_py_weights(module, args[1])};
    skl_weights corners = {0};
    if (!job.weights || !skl_py_take_method(args[6], &job.method) || !take_corners(&job, &corners, args[5]))
        return NULL;
    PyObject *result = run_mesh(&job, job.corners ? corners.num_vertices : job.weights->num_vertices, args);
    skl_weights_free(&corners);
    return result;
}
