/* SPDX-License-Identifier: MIT */
/* FABRIK for Python. */
#include "args.h"
#include "errors.h"
#include "module.h"

/* A new array of the leading dimensions, of this type. */
static PyArrayObject *new_numbers(const skl_shape *shape, int type, skl_array *into) {
    npy_intp dims[SKL_MAX_DIMS];
    for (int d = 0; d < shape->ndim; d++) dims[d] = (npy_intp)shape->size[d];
    PyArrayObject *array = (PyArrayObject *)PyArray_SimpleNew(shape->ndim, dims, type);
    if (!array) return NULL;
    into->data = PyArray_DATA(array);
    into->ndim = shape->ndim;
    into->step = 0;
    for (int d = 0; d < shape->ndim; d++) {
        into->shape[d] = shape->size[d];
        into->strides[d] = PyArray_STRIDE(array, d);
    }
    return array;
}

/* None, or a contiguous row of int32, made by the Python wrapper. */
static int take_joints(PyObject *value, int64_t *count, const int32_t **into) {
    *into = NULL;
    if (value == Py_None) return 1;
    PyArrayObject *array = (PyArrayObject *)value;
    if (!PyArray_Check(value) || PyArray_TYPE(array) != NPY_INT32 || PyArray_NDIM(array) != 1 ||
        !PyArray_ISCARRAY_RO(array)) {
        PyErr_SetString(PyExc_TypeError, "parents and leaves must be rows of int32");
        return 0;
    }
    *count = PyArray_DIM(array, 0);
    *into = PyArray_DATA(array);
    return 1;
}

/* The number of joints is that of the positions; a tree says how many it has, and targets of its leaves. */
static int take_sizes(const skl_arg *positions, PyObject *parents, PyObject *leaves, skl_fabrik_job *job) {
    const int ndim = PyArray_NDIM(positions->array);
    int64_t tree = -1;
    job->num_joints = ndim >= 2 ? PyArray_DIM(positions->array, ndim - 2) : 0;
    job->num_targets = 1;
    if (!take_joints(parents, &tree, &job->parents) || !take_joints(leaves, &job->num_targets, &job->leaves)) return 0;
    if (ndim < 2 || job->num_joints < 2) {
        PyErr_SetString(PyExc_ValueError, "positions must have shape (..., N, 3) with at least two joints");
        return 0;
    }
    if (tree >= 0 && tree != job->num_joints) {
        PyErr_Format(PyExc_ValueError, "positions has %lld joints: expected %lld, as parents has",
                     (long long)job->num_joints, (long long)tree);
        return 0;
    }
    return 1;
}

/* positions, target, parents, leaves, tolerance, max_iterations, pole. */
PyObject *skl_py_fabrik(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    enum { POSITIONS, TARGET, POLE, ARGS };
    (void)module;
    if (!skl_py_arity("fabrik", nargs, 7)) return NULL;
    static const skl_item vector_item = {1, 0, {3}};
    skl_fabrik_job job;
    skl_arg in[ARGS] = {{0}};
    skl_out out = {0};
    skl_shape shape;
    PyArrayObject *numbers[3] = {0};
    PyObject *result = NULL;
    const long iterations = PyLong_AsLong(args[5]);
    if (iterations == -1 && PyErr_Occurred()) return NULL;
    job.max_iterations = iterations > INT32_MAX ? INT32_MAX : iterations < 0 ? 0 : (int32_t)iterations;
    int good = skl_arg_take(&in[POSITIONS], args[0], "positions") && skl_arg_take(&in[TARGET], args[1], "target") &&
               skl_arg_take_optional(&in[POLE], args[6], "pole") && skl_args_dtype(in, ARGS, &job.dtype) &&
               take_sizes(&in[POSITIONS], args[2], args[3], &job);
    if (good) {
        const skl_item points = {2, 1, {job.num_joints, 3}}, targets = {2, 1, {job.num_targets, 3}};
        job.tolerance = job.dtype == SKL_FLOAT32 ? 1e-4 : 1e-6;
        if (args[4] != Py_None) job.tolerance = PyFloat_AsDouble(args[4]);
        good = !PyErr_Occurred() && skl_arg_prepare(&in[POSITIONS], job.dtype, &points, &job.positions) &&
               skl_arg_prepare(&in[TARGET], job.dtype, job.leaves ? &targets : &vector_item, &job.target) &&
               skl_arg_prepare(&in[POLE], job.dtype, &vector_item, &job.pole) && skl_args_broadcast(in, ARGS, &shape) &&
               skl_out_begin(&out, Py_None, "out", job.dtype, &shape, &points, in, ARGS, &job.out) &&
               (numbers[0] = new_numbers(&shape, NPY_UINT8, &job.out_status)) != NULL &&
               (numbers[1] = new_numbers(&shape, skl_type_number(job.dtype), &job.out_error)) != NULL &&
               (numbers[2] = new_numbers(&shape, NPY_INT32, &job.out_iterations)) != NULL;
    }
    if (good) {
        PyThreadState *lock = skl_py_release(4 * skl_shape_items(&shape) * job.num_joints);
        const skl_code code = skl_fabrik_run(&job);
        skl_py_restore(lock);
        if (code == SKL_OK) {
            PyObject *positions = skl_out_finish(&out);
            if (positions) result = Py_BuildValue("(NOOO)", positions, numbers[0], numbers[1], numbers[2]);
        } else {
            result = skl_py_raise(&job.status);
        }
    }
    for (int k = 0; k < 3; k++) Py_XDECREF((PyObject *)numbers[k]);
    skl_out_clear(&out);
    skl_args_clear(in, ARGS);
    return result;
}
