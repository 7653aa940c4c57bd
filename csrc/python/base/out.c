/* SPDX-License-Identifier: MIT */
/* The `out` argument: checked, protected against overlap, or made. */
#include "args.h"
#include "overlap.h"

int skl_out_rows(PyObject *out) {
    if (!PyArray_Check(out)) return 4;
    PyArrayObject *array = (PyArrayObject *)out;
    const int ndim = PyArray_NDIM(array);
    return ndim >= 2 && PyArray_DIM(array, ndim - 2) == 3 ? 3 : 4;
}

/* Size of dimension d of the output. */
static npy_intp size_at(const skl_shape *shape, const skl_item *item, int d) {
    return (npy_intp)(d < shape->ndim ? shape->size[d] : item->shape[d - shape->ndim]);
}

static PyArrayObject *new_array(const skl_shape *shape, const skl_item *item, int type) {
    npy_intp dims[SKL_MAX_DIMS + 3];
    const int ndim = shape->ndim + item->ndim;
    for (int d = 0; d < ndim; d++) dims[d] = size_at(shape, item, d);
    return (PyArrayObject *)PyArray_SimpleNew(ndim, dims, type);
}

static int fail_out_shape(PyArrayObject *array, const char *name, const skl_shape *shape, const skl_item *item) {
    npy_intp wanted[SKL_MAX_DIMS + 3];
    const int ndim = shape->ndim + item->ndim;
    for (int d = 0; d < ndim; d++) wanted[d] = size_at(shape, item, d);
    return skl_fail_shape(name, array, skl_py_sizes(wanted, ndim));
}

/* Shape, dtype and memory of the array that the caller gave. */
static int check_given(PyObject *given, const char *name, skl_dtype dtype, const skl_shape *shape,
                       const skl_item *item) {
    if (!PyArray_Check(given)) {
        PyErr_Format(PyExc_TypeError, "%s must be a numpy array, not %R", name, (PyObject *)Py_TYPE(given));
        return 0;
    }
    if (!PyArray_CheckExact(given) && !skl_check_unmasked(given, name)) return 0;
    PyArrayObject *array = (PyArrayObject *)given;
    if (PyArray_TYPE(array) != skl_type_number(dtype)) {
        PyErr_Format(PyExc_TypeError, "%s has dtype %S: the result is %s", name, (PyObject *)PyArray_DESCR(array),
                     dtype == SKL_FLOAT32 ? "float32" : "float64");
        return 0;
    }
    int same = PyArray_NDIM(array) == shape->ndim + item->ndim;
    for (int d = 0; same && d < PyArray_NDIM(array); d++) same = PyArray_DIM(array, d) == size_at(shape, item, d);
    if (!same) return fail_out_shape(array, name, shape, item);
    return skl_check_own_memory(array, name);
}

/* 1 if a job can write straight into it: it lies as a job needs it, and no input lies there too. */
static int writable_in_place(PyArrayObject *array, const skl_item *item, const skl_arg *args, int count) {
    if (!skl_usable(array, item)) return 0;
    for (int i = 0; i < count; i++)
        if (args[i].array && skl_ranges_meet(array, args[i].array)) return 0;
    return 1;
}

/* The result, and where the job writes it: the array that the caller gave, where that is checked, or a new one. */
static int begin(skl_out *out, PyObject *given, int type, const skl_shape *shape, const skl_item *item,
                 const skl_arg *args, int count, skl_array *into) {
    out->given = given != Py_None;
    if (out->given) out->result = (PyArrayObject *)Py_NewRef(given);
    if (out->given && writable_in_place(out->result, item, args, count))
        out->work = (PyArrayObject *)Py_NewRef(given);
    else
        out->work = new_array(shape, item, type);
    if (!out->work) return 0;
    if (!out->given) out->result = (PyArrayObject *)Py_NewRef((PyObject *)out->work);
    into->step = item->stepped ? PyArray_STRIDE(out->work, shape->ndim) : 0;
    into->data = PyArray_DATA(out->work);
    into->ndim = shape->ndim;
    for (int d = 0; d < shape->ndim; d++) {
        into->shape[d] = shape->size[d];
        into->strides[d] = PyArray_STRIDE(out->work, d);
    }
    return 1;
}

int skl_outs_apart(const skl_out *out, const char *const *names, int count) {
    uintptr_t low[SKL_MOST_OUTS], high[SKL_MOST_OUTS];
    for (int k = 0; k < count; k++) {
        if (!out[k].given || !skl_extent(out[k].result, &low[k], &high[k])) low[k] = high[k] = 0;
        for (int before = 0; before < k; before++) {
            if (low[before] >= high[k] || low[k] >= high[before]) continue;
            if (!skl_share_memory(out[before].result, out[k].result)) continue;
            PyErr_Format(PyExc_ValueError, "%s shares memory with %s: every result needs memory of its own", names[k],
                         names[before]);
            return 0;
        }
    }
    return 1;
}

int skl_out_begin(skl_out *out, PyObject *given, const char *name, skl_dtype dtype, const skl_shape *shape,
                  const skl_item *item, const skl_arg *args, int count, skl_array *into) {
    if (shape->ndim + item->ndim > SKL_MAX_DIMS) return skl_fail_dimensions("the result", shape->ndim + item->ndim);
    return (given == Py_None || check_given(given, name, dtype, shape, item)) &&
           begin(out, given, skl_type_number(dtype), shape, item, args, count, into);
}

/* Kind, shape and memory of the array of codes that the caller gave. */
static int check_codes(PyObject *given, const char *name, int type, const skl_shape *shape) {
    PyArrayObject *array = (PyArrayObject *)given;
    if (!PyArray_CheckExact(given) && !skl_check_unmasked(given, name)) return 0;
    if (!PyArray_Check(given) || PyArray_TYPE(array) != type) {
        PyErr_Format(PyExc_TypeError, "%s must be a numpy array of %s", name, type == NPY_UINT8 ? "uint8" : "int32");
        return 0;
    }
    int same = PyArray_NDIM(array) == shape->ndim;
    for (int d = 0; same && d < shape->ndim; d++) same = PyArray_DIM(array, d) == shape->size[d];
    if (!same) {
        PyErr_Format(PyExc_ValueError, "%s has not the leading dimensions of the result", name);
        return 0;
    }
    return skl_check_own_memory(array, name);
}

int skl_out_begin_codes(skl_out *out, PyObject *given, const char *name, int type, const skl_shape *shape,
                        const skl_arg *args, int count, skl_array *into) {
    static const skl_item number = {0, 0, {0}};
    return (given == Py_None || check_codes(given, name, type, shape)) &&
           begin(out, given, type, shape, &number, args, count, into);
}

PyObject *skl_out_finish(skl_out *out) {
    if (out->work != out->result && PyArray_CopyInto(out->result, out->work) < 0) return NULL;
    return Py_NewRef((PyObject *)out->result);
}

void skl_out_clear(skl_out *out) {
    Py_CLEAR(out->work);
    Py_CLEAR(out->result);
}

int skl_out_check(PyObject *given, int count) {
    if (given == Py_None || (PyTuple_Check(given) && PyTuple_Size(given) == count)) return 1;
    PyErr_Format(PyExc_TypeError, "out must be a tuple of %d arrays, as the function returns it", count);
    return 0;
}

PyObject *skl_out_given(PyObject *given, int k) { return given == Py_None ? Py_None : PyTuple_GetItem(given, k); }

PyObject *skl_out_finish_all(skl_out *out, int count) {
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple && k < count; k++) {
        PyObject *array = skl_out_finish(&out[k]);
        if (!array || PyTuple_SetItem(tuple, k, array) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

/* By what makes tuples of any class: from CPython 3.14 on they remember their hash, of which zeroed memory knows
 * nothing. */
PyObject *skl_out_finish_as(skl_out *out, int count, PyTypeObject *type) {
    const newfunc make = (newfunc)(uintptr_t)PyType_GetSlot(&PyTuple_Type, Py_tp_new);
    PyObject *const plain = skl_out_finish_all(out, count);
    PyObject *const arguments = plain ? PyTuple_Pack(1, plain) : NULL;
    PyObject *const result = arguments ? make(type, arguments, NULL) : NULL;
    Py_XDECREF(arguments);
    Py_XDECREF(plain);
    return result;
}
