/* SPDX-License-Identifier: MIT */
/* Few keys for known curves, for Python. The package hands in packed arrays of the right types. */
#include "blender_bones.h"
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "skelkin/blender_keys.h"

/* modes, columns, above, basis, scale, point_bones, points, targets; or None */
static int take_chain(skl_keyed_chain *chain, PyObject *object, int64_t frames) {
    if (object == Py_None) return 1;
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 8)
        return skl_py_fail(PyExc_TypeError, "chain is not the tuple that fit_keys takes");
    PyObject *const modes = PyTuple_GetItem(object, 0), *const bones = PyTuple_GetItem(object, 5);
    if (!PyArray_Check(modes) || !PyArray_Check(bones))
        return skl_py_fail(PyExc_TypeError, "modes and point_bones must be arrays");
    const int64_t n = PyArray_SIZE((PyArrayObject *)modes), points = PyArray_SIZE((PyArrayObject *)bones);
    chain->num_bones = n;
    chain->num_points = points;
    return (chain->modes = skl_py_flat(modes, NPY_UINT8, n, "modes")) &&
           (chain->columns = skl_py_flat(PyTuple_GetItem(object, 1), NPY_INT32, 2 * n, "columns")) &&
           (chain->above = skl_py_flat(PyTuple_GetItem(object, 2), NPY_DOUBLE, frames * n * 16, "above")) &&
           (chain->basis = skl_py_flat(PyTuple_GetItem(object, 3), NPY_DOUBLE, frames * n * 16, "basis")) &&
           (chain->scale = skl_py_flat(PyTuple_GetItem(object, 4), NPY_DOUBLE, frames * n * 3, "scale")) &&
           (chain->point_bones = skl_py_flat(bones, NPY_INT32, points, "point_bones")) &&
           (chain->points = skl_py_flat(PyTuple_GetItem(object, 6), NPY_DOUBLE, frames * points * 3, "points")) &&
           (chain->targets = skl_py_flat(PyTuple_GetItem(object, 7), NPY_DOUBLE, frames * points * 3, "targets"));
}

/* frames, values, kinds, tolerance, chain: is_key, values, left, right, error */
PyObject *skl_py_fit_keys(PyObject *const *args) {
    PyArrayObject *const values = (PyArrayObject *)args[1];
    if (!PyArray_Check(args[1]) || PyArray_NDIM(values) != 2 || !PyArray_DIM(values, 0) || !PyArray_DIM(values, 1))
        return PyErr_Format(PyExc_TypeError, "values must be packed (F, C) of float64");
    npy_intp shape[2] = {PyArray_DIM(values, 0), PyArray_DIM(values, 1)};
    skl_fit_keys_job job = {.num_frames = shape[0], .num_curves = shape[1], .tolerance = PyFloat_AsDouble(args[3])};
    if (PyErr_Occurred() || !(job.frames = skl_py_flat(args[0], NPY_DOUBLE, shape[0], "frames")) ||
        !(job.values = skl_py_flat(args[1], NPY_DOUBLE, shape[0] * shape[1], "values")) ||
        !(job.kinds = skl_py_flat(args[2], NPY_UINT8, shape[0], "kinds")) || !take_chain(&job.chain, args[4], shape[0]))
        return NULL;
    PyObject *is_key = PyArray_ZEROS(1, shape, NPY_UINT8, 0), *fitted = PyArray_ZEROS(2, shape, NPY_DOUBLE, 0),
             *left = PyArray_ZEROS(2, shape, NPY_DOUBLE, 0), *right = PyArray_ZEROS(2, shape, NPY_DOUBLE, 0),
             *result = Py_BuildValue("NNNNO", is_key, fitted, left, right, Py_None);
    if (!result) return NULL;
    job.is_key = skl_py_data(is_key);
    job.fitted = skl_py_data(fitted);
    job.left = skl_py_data(left);
    job.right = skl_py_data(right);
    PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
    const skl_code code = skl_fit_keys_run(&job);
    PyObject *error =
        skl_py_restore(lock) && code == SKL_OK ? PyFloat_FromDouble(job.error) : skl_py_raise(&job.status);
    if (!error || PyTuple_SetItem(result, 4, error) < 0) Py_CLEAR(result);
    return result;
}
