/* SPDX-License-Identifier: MIT */
#include "planting_args.h"

#include <math.h>
#include <string.h>

/* "(3000, ?)" for messages. */
static PyObject *shape_text(int ndim, const npy_intp *shape) {
    PyObject *text = PyUnicode_FromString("(");
    for (int i = 0; text && i < ndim; i++) {
        PyObject *longer = shape[i] == SKL_ANY ? PyUnicode_FromFormat("%U%s?", text, i ? ", " : "")
                                               : PyUnicode_FromFormat("%U%s%zd", text, i ? ", " : "", shape[i]);
        Py_DECREF(text);
        text = longer;
    }
    if (!text) return NULL;
    PyObject *closed = PyUnicode_FromFormat("%U%s)", text, ndim == 1 ? "," : "");
    Py_DECREF(text);
    return closed;
}

static const char *type_name(int type) {
    return type == NPY_DOUBLE ? "float64" : type == NPY_INT32 ? "int32" : type == NPY_INT64 ? "int64" : "flags";
}

const void *skl_py_over_frames(PyObject *value, const char *name, int type, int ndim, const npy_intp *shape) {
    PyArrayObject *array = (PyArrayObject *)value;
    int fits = PyArray_Check(value) && PyArray_TYPE(array) == type && PyArray_ISCARRAY_RO(array) &&
               PyArray_NDIM(array) == ndim;
    for (int i = 0; fits && i < ndim; i++) fits = shape[i] == SKL_ANY || PyArray_DIM(array, i) == shape[i];
    if (fits) return PyArray_DATA(array);
    PyObject *wanted = shape_text(ndim, shape);
    if (wanted) PyErr_Format(PyExc_TypeError, "%s is no packed array of %s of shape %U", name, type_name(type), wanted);
    Py_XDECREF(wanted);
    return NULL;
}

const double *skl_py_numbers(PyObject *value, const char *name, npy_intp frames) {
    return skl_py_over_frames(value, name, NPY_DOUBLE, 1, &frames);
}

const double *skl_py_vectors(PyObject *value, const char *name, npy_intp frames) {
    const npy_intp shape[2] = {frames, 3};
    return skl_py_over_frames(value, name, NPY_DOUBLE, 2, shape);
}

const double *skl_py_matrices(PyObject *value, const char *name, npy_intp frames) {
    const npy_intp shape[3] = {frames, 3, 3};
    return skl_py_over_frames(value, name, NPY_DOUBLE, 3, shape);
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
    PyErr_Format(PyExc_TypeError, "%s is no array of rows", name);
    return -1;
}

/* One number of a span; 0 with an exception set where it is none. */
static int take_frame(PyObject *span, Py_ssize_t place, int64_t *frame) {
    PyObject *item = PySequence_GetItem(span, place);
    if (!item) return 0;
    *frame = PyNumber_AsSsize_t(item, PyExc_ValueError);
    Py_DECREF(item);
    return !(*frame == -1 && PyErr_Occurred());
}

static int take_span(PyObject *value, const char *name, Py_ssize_t place, npy_intp num_frames, int64_t *pair) {
    PyObject *span = PySequence_GetItem(value, place);
    if (!span) return 0;
    const Py_ssize_t length = PySequence_Size(span);
    int taken = length == 2 && take_frame(span, 0, &pair[0]) && take_frame(span, 1, &pair[1]);
    if (length >= 0 && length != 2)
        PyErr_Format(PyExc_ValueError, "%s[%zd] is %R: (first, last) is needed", name, place, span);
    if (taken && !(0 <= pair[0] && pair[0] <= pair[1] && pair[1] < num_frames)) {
        PyErr_Format(PyExc_ValueError, "%s[%zd] is %R: 0 <= first <= last < %zd is needed", name, place, span,
                     num_frames);
        taken = 0;
    }
    Py_DECREF(span);
    return taken;
}

int64_t *skl_py_spans(PyObject *value, const char *name, npy_intp num_frames, npy_intp *count) {
    const Py_ssize_t size = PySequence_Size(value);
    if (size < 0) return NULL;
    int64_t *spans = PyMem_Malloc((size_t)(size ? size : 1) * 2 * sizeof *spans);
    if (!spans) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t i = 0; i < size; i++)
        if (!take_span(value, name, i, num_frames, spans + 2 * i)) {
            PyMem_Free(spans);
            return NULL;
        }
    *count = size;
    return spans;
}
