/* SPDX-License-Identifier: MIT */
#include "packed.h"

#include <math.h>
#include <string.h>

/* "(3000, ?)" for messages. */
static PyObject *shape_text(int ndim, const npy_intp *shape) {
    PyObject *text = PyUnicode_FromString("(");
    for (int i = 0; i < ndim; i++) {
        const char *before = i ? ", " : "";
        PyUnicode_AppendAndDel(&text, shape[i] == SKL_ANY ? PyUnicode_FromFormat("%s?", before)
                                                          : PyUnicode_FromFormat("%s%zd", before, shape[i]));
    }
    PyUnicode_AppendAndDel(&text, PyUnicode_FromString(ndim == 1 ? ",)" : ")"));
    return text;
}

static const char *type_name(int type) {
    return type == NPY_DOUBLE  ? "float64"
           : type == NPY_FLOAT ? "float32"
           : type == NPY_INT32 ? "int32"
           : type == NPY_INT64 ? "int64"
                               : "flags";
}

const void *skl_py_packed(PyObject *value, const char *name, int type, int ndim, const npy_intp *shape) {
    PyArrayObject *array = (PyArrayObject *)value;
    int fits = PyArray_Check(value) && PyArray_TYPE(array) == type && PyArray_ISCARRAY_RO(array) &&
               PyArray_NDIM(array) == ndim;
    for (int i = 0; fits && i < ndim; i++) fits = shape[i] == SKL_ANY || PyArray_DIM(array, i) == shape[i];
    if (fits) return PyArray_DATA(array);
    PyObject *wanted = shape_text(ndim, shape);
    if (wanted)
        PyErr_Format(PyExc_TypeError, "%s is not a packed array of %s of shape %U", name, type_name(type), wanted);
    Py_XDECREF(wanted);
    return NULL;
}

const double *skl_py_numbers(PyObject *value, const char *name, npy_intp frames) {
    return skl_py_packed(value, name, NPY_DOUBLE, 1, &frames);
}

const double *skl_py_vectors(PyObject *value, const char *name, npy_intp frames) {
    const npy_intp shape[2] = {frames, 3};
    return skl_py_packed(value, name, NPY_DOUBLE, 2, shape);
}

const double *skl_py_matrices(PyObject *value, const char *name, npy_intp frames) {
    const npy_intp shape[3] = {frames, 3, 3};
    return skl_py_packed(value, name, NPY_DOUBLE, 3, shape);
}

int skl_py_vector(PyObject *value, const char *name, double out[3]) {
    const double *from = skl_py_numbers(value, name, 3);
    if (from) memcpy(out, from, 3 * sizeof *out);
    return from != NULL;
}

PyObject *skl_py_new_frames(int ndim, npy_intp frames, int type) {
    npy_intp shape[3] = {frames, 3, 3};
    return PyArray_SimpleNew(ndim, shape, type);
}

void *skl_py_data(PyObject *array) { return PyArray_DATA((PyArrayObject *)array); }

npy_intp skl_py_rows(PyObject *value, const char *name) {
    if (PyArray_Check(value) && PyArray_NDIM((PyArrayObject *)value) > 0) return PyArray_DIM((PyArrayObject *)value, 0);
    PyErr_Format(PyExc_TypeError, "%s is not an array of rows", name);
    return -1;
}
