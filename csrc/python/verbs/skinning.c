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

/* Arguments of skin_mesh: points, weights, matrices, normals, tangents, corners, method, out x 3. */
enum { MESH_POINTS, MESH_MATRICES, MESH_NORMALS, MESH_TANGENTS, MESH_INPUTS, MESH_OUTPUTS = 3 };

/* The input that each output is made from. */
static const int mesh_source[MESH_OUTPUTS] = {MESH_POINTS, MESH_NORMALS, MESH_TANGENTS};

/* One call of skin_mesh. */
typedef struct mesh_call {
    skl_skin_mesh_job job;
    skl_weights corners; /* of the call; job.corners points here */
    skl_item items[MESH_INPUTS];
    skl_arg in[MESH_INPUTS];
    skl_out out[MESH_OUTPUTS];
    skl_shape shape;
} mesh_call;

/* `given` is an array of int64 that nobody else has, or None. */
static int take_corners(mesh_call *c, PyObject *given) {
    if (given == Py_None) return 1;
    PyArrayObject *ids = (PyArrayObject *)PyArray_FROMANY(given, NPY_INT64, 1, 1, NPY_ARRAY_CARRAY_RO);
    if (!ids) return 0;
    skl_status status;
    const skl_code code =
        skl_weights_take(&c->corners, c->job.weights, PyArray_DATA(ids), PyArray_DIM(ids, 0), &status);
    Py_DECREF(ids);
    if (code != SKL_OK) return skl_py_raise(&status) != NULL;
    c->job.corners = &c->corners;
    return 1;
}

/* Tangents are the one argument with a choice of sizes. */
static int check_tangents(PyArrayObject *tangents, int64_t count) {
    const int ndim = tangents ? PyArray_NDIM(tangents) : 0;
    const npy_intp *const shape = tangents ? PyArray_DIMS(tangents) : NULL;
    if (!tangents || (ndim > 1 && shape[ndim - 2] == count && (shape[ndim - 1] == 3 || shape[ndim - 1] == 4))) return 1;
    return skl_fail_shape("tangents", tangents, PyUnicode_FromFormat("(..., %lld, 3 or 4)", (long long)count));
}

/* Shapes of the inputs, and the precision. */
static int prepare_mesh(mesh_call *c) {
    const int64_t vertices = c->job.weights->num_vertices;
    const int64_t directions = c->job.corners ? c->job.corners->num_vertices : vertices;
    PyArrayObject *tangents = c->in[MESH_TANGENTS].array;
    if (!check_tangents(tangents, directions)) return 0;
    const int ndim = tangents ? PyArray_NDIM(tangents) : 0;
    c->job.tangent_size = ndim && PyArray_DIM(tangents, ndim - 1) == 4 ? 4 : 3;
    c->items[MESH_POINTS] = (skl_item){2, 1, {vertices, 3}};
    c->items[MESH_NORMALS] = (skl_item){2, 1, {directions, 3}};
    c->items[MESH_TANGENTS] = (skl_item){2, 1, {directions, c->job.tangent_size}};
    c->items[MESH_MATRICES] = (skl_item){3, 1, {c->job.weights->num_joints, SKL_ROWS, 4}};
    skl_array *const into[MESH_INPUTS] = {&c->job.points, &c->job.matrices, &c->job.normals, &c->job.tangents};
    if (!skl_args_dtype(c->in, MESH_INPUTS, &c->job.dtype)) return 0;
    for (int k = 0; k < MESH_INPUTS; k++)
        if (!skl_arg_prepare(&c->in[k], c->job.dtype, &c->items[k], into[k])) return 0;
    return skl_args_broadcast(c->in, MESH_INPUTS, &c->shape);
}

/* Outputs; one amid an input, or amid the ones before it, goes through a copy. */
static int begin_mesh_outputs(mesh_call *c, PyObject *const *given) {
    static const char *const names[MESH_OUTPUTS] = {"out.points", "out.normals", "out.tangents"};
    skl_array *const into[MESH_OUTPUTS] = {&c->job.out_points, &c->job.out_normals, &c->job.out_tangents};
    skl_arg others[MESH_INPUTS + MESH_OUTPUTS] = {{0}};
    for (int k = 0; k < MESH_INPUTS; k++) others[k] = c->in[k];
    for (int k = 0; k < MESH_OUTPUTS; k++) {
        const int source = mesh_source[k];
        if (!c->in[source].array) continue;
        if (!skl_out_begin(&c->out[k], given[k], names[k], c->job.dtype, &c->shape, &c->items[source], others,
                           MESH_INPUTS + k, into[k]))
            return 0;
        others[MESH_INPUTS + k].array = c->out[k].result;
    }
    return skl_outs_apart(c->out, names, MESH_OUTPUTS);
}

static PyObject *finish_mesh(mesh_call *c) {
    PyObject *result = PyTuple_New(MESH_OUTPUTS);
    for (int k = 0; result && k < MESH_OUTPUTS; k++) {
        PyObject *array = c->in[mesh_source[k]].array ? skl_out_finish(&c->out[k]) : Py_NewRef(Py_None);
        if (array)
            PyTuple_SetItem(result, k, array);
        else
            Py_CLEAR(result);
    }
    return result;
}

static PyObject *run_mesh(mesh_call *c) {
    const int64_t vertices = c->job.weights->num_vertices + (c->job.corners ? c->job.corners->num_vertices : 0);
    PyThreadState *lock = skl_py_release(skl_shape_items(&c->shape) * vertices);
    const skl_code code = skl_skin_mesh_run(&c->job);
    return skl_py_restore(lock) && code == SKL_OK ? finish_mesh(c) : skl_py_raise(&c->job.status);
}

PyObject *skl_py_skin_mesh(PyObject *module, PyObject *const *args) {
    mesh_call call = {0};
    PyObject *result = NULL;
    call.job.weights = skl_py_weights(module, args[1]);
    if (!call.job.weights || !skl_py_take_method(args[6], &call.job.method)) return NULL;
    if (skl_arg_take(&call.in[MESH_POINTS], args[0], "points") &&
        skl_arg_take(&call.in[MESH_MATRICES], args[2], "matrices") &&
        skl_arg_take_optional(&call.in[MESH_NORMALS], args[3], "normals") &&
        skl_arg_take_optional(&call.in[MESH_TANGENTS], args[4], "tangents") && take_corners(&call, args[5]) &&
        prepare_mesh(&call) && begin_mesh_outputs(&call, args + 7))
        result = run_mesh(&call);
    for (int k = 0; k < MESH_OUTPUTS; k++) skl_out_clear(&call.out[k]);
    skl_args_clear(call.in, MESH_INPUTS);
    skl_weights_free(&call.corners);
    return result;
}
