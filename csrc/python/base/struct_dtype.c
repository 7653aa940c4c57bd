/* SPDX-License-Identifier: MIT */
#include "struct_dtype.h"

/* A list of what a function gives for each field. */
static PyObject *listed(const skl_struct_field *fields, PyObject *(*of)(const skl_struct_field *)) {
    PyObject *list = PyList_New(0);
    for (; list && fields->name; fields++) {
        PyObject *item = of(fields);
        if (!item || PyList_Append(list, item) < 0) Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *name_of(const skl_struct_field *field) { return PyUnicode_FromString(field->name); }
static PyObject *format_of(const skl_struct_field *field) { return PyUnicode_FromString(field->format); }
static PyObject *offset_of(const skl_struct_field *field) { return PyLong_FromSize_t(field->offset); }

int skl_py_add_struct(PyObject *module, const skl_struct_type *type) {
    PyArray_Descr *descr = NULL;
    PyObject *spec = Py_BuildValue("{s:N,s:N,s:N,s:n}", "names", listed(type->fields, name_of), "formats",
                                   listed(type->fields, format_of), "offsets", listed(type->fields, offset_of),
                                   "itemsize", (Py_ssize_t)type->size);
    int done = -1;
    if (spec && PyArray_DescrConverter(spec, &descr) == NPY_SUCCEED)
        done = PyModule_AddObjectRef(module, type->name, (PyObject *)descr);
    Py_XDECREF(descr);
    Py_XDECREF(spec);
    return done;
}

const void *skl_py_rows_of(PyObject *module, PyObject *value, const skl_struct_type *type, npy_intp *count) {
    PyArrayObject *array = (PyArrayObject *)value;
    PyObject *descr = PyObject_GetAttrString(module, type->name);
    if (!descr) return NULL;
    const int fits = PyArray_Check(value) && PyArray_NDIM(array) == 1 && PyArray_ISCARRAY_RO(array) &&
                     PyArray_EquivTypes(PyArray_DESCR(array), (PyArray_Descr *)descr);
    Py_DECREF(descr);
    if (!fits) return PyErr_Format(PyExc_TypeError, "expected a packed array (N,) of %s", type->name);
    *count = PyArray_DIM(array, 0);
    return PyArray_DATA(array);
}
