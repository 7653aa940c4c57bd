/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <string.h>

PyObject *skl_py_alloc(PyTypeObject *type) {
    const allocfunc alloc = (allocfunc)(uintptr_t)PyType_GetSlot(type, Py_tp_alloc);
    return alloc(type, 0);
}

void skl_py_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    const freefunc release = (freefunc)(uintptr_t)PyType_GetSlot(type, Py_tp_free);
    release(self);
    Py_DECREF(type);
}

PyObject *skl_py_view(PyObject *owner, const void *data, int type, int ndim, const npy_intp *shape) {
    npy_intp dims[4];
    for (int i = 0; i < ndim; i++) dims[i] = shape[i];
    PyObject *array = PyArray_New(&PyArray_Type, ndim, dims, type, NULL, (void *)(uintptr_t)data, 0,
                                  NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED, NULL);
    if (!array) return NULL;
    Py_INCREF(owner);
    if (PyArray_SetBaseObject((PyArrayObject *)array, owner) < 0) Py_CLEAR(array);
    return array;
}

PyObject *skl_py_copy(const void *data, int type, int ndim, const npy_intp *shape, size_t size) {
    PyObject *array = PyArray_SimpleNew(ndim, shape, type);
    if (array) memcpy(PyArray_DATA((PyArrayObject *)array), data, size);
    return array;
}

void skl_py_put(PyObject **list, Py_ssize_t place, PyObject *item) {
    if (!item || PyList_SetItem(*list, place, item) < 0) Py_CLEAR(*list);
}
