/* SPDX-License-Identifier: MIT */
#include "blender_bones.h"
#include "python/base/errors.h"

const void *skl_py_flat(PyObject *value, int type, int64_t size, const char *name) {
    PyArrayObject *array = (PyArrayObject *)value;
    if (PyArray_Check(value) && PyArray_TYPE(array) == type && PyArray_ISCARRAY_RO(array) &&
        PyArray_SIZE(array) == size)
        return PyArray_DATA(array);
    return PyErr_Format(PyExc_TypeError, "%s must be a packed array of %lld numbers of its type", name,
                        (long long)size);
}

int skl_py_take_bones(skl_blender_bones *bones, PyObject *tuple) {
    if (!PyTuple_Check(tuple) || PyTuple_Size(tuple) != 9 || !PyArray_Check(PyTuple_GetItem(tuple, 0)))
        return skl_py_fail(PyExc_TypeError, "bones must be a tuple of nine arrays");
    const int64_t n = PyArray_SIZE((PyArrayObject *)PyTuple_GetItem(tuple, 0));
    bones->num_bones = n;
    return (bones->parents = skl_py_flat(PyTuple_GetItem(tuple, 0), NPY_INT32, n, "parents")) &&
           (bones->rest = skl_py_flat(PyTuple_GetItem(tuple, 1), NPY_FLOAT, 16 * n, "rest")) &&
           (bones->axes = skl_py_flat(PyTuple_GetItem(tuple, 2), NPY_FLOAT, 9 * n, "axes")) &&
           (bones->offsets = skl_py_flat(PyTuple_GetItem(tuple, 3), NPY_FLOAT, 3 * n, "offsets")) &&
           (bones->lengths = skl_py_flat(PyTuple_GetItem(tuple, 4), NPY_FLOAT, n, "lengths")) &&
           (bones->connected = skl_py_flat(PyTuple_GetItem(tuple, 5), NPY_BOOL, n, "connected")) &&
           (bones->inherit_rotation = skl_py_flat(PyTuple_GetItem(tuple, 6), NPY_BOOL, n, "inherit_rotation")) &&
           (bones->local_location = skl_py_flat(PyTuple_GetItem(tuple, 7), NPY_BOOL, n, "local_location")) &&
           (bones->inherit_scale = skl_py_flat(PyTuple_GetItem(tuple, 8), NPY_UINT8, n, "inherit_scale"));
}
