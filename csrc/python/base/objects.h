/* SPDX-License-Identifier: MIT */
/* What the two owning types share. */
#pragma once

#include "numpy_api.h"

/* A zeroed object of this type. */
PyObject *skl_py_alloc(PyTypeObject *type);

/* The end of a tp_dealloc. */
void skl_py_dealloc(PyObject *self);

/* A read-only array over memory that `owner` keeps. As `owner` offers no writable buffer, numpy refuses to make the
 * array writeable again. */
PyObject *skl_py_view(PyObject *owner, const void *data, int type, int ndim, const npy_intp *shape);

/* A new array that holds a copy of so many bytes. */
PyObject *skl_py_copy(const void *data, int type, int ndim, const npy_intp *shape, size_t size);

/* Put a new item into a list of this size; where it is NULL, or does not fit, the list goes and is NULL. */
void skl_py_put(PyObject **list, Py_ssize_t place, PyObject *item);
