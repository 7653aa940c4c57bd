/* SPDX-License-Identifier: MIT */
/* The `out` argument: checked, protected against overlap, or made. */
#include "args.h"
#include "errors.h"
#include "overlap.h"

int skl_out_rows(PyObject *out) {
    if (!PyArray_Check(out)) return 4;
    PyArrayObject *array = (PyArrayObject *)out;
    const int ndim = PyArray_NDIM(array);
    return ndim >= 2 && PyArray_DIM(array, ndim - 2) == 3 ? 3 : 4;
}

/* Sizes of the output, and how many. */
static int sizes_of(const skl_shape *shape, const skl_item *item, npy_intp sizes[SKL_MAX_DIMS + 3]) {
    for (int d = 0; d < shape->ndim; d++) sizes[d] = (npy_intp)shape->size[d];
    for (int d = 0; d < item->ndim; d++) sizes[shape->ndim + d] = (npy_intp)item->shape[d];
    return shape->ndim + item->ndim;
}

/* Type, shape and memory of the array that the caller gave. */
static int check_given(PyObject *given, const char *name, int type, int ndim, const npy_intp *sizes) {
    if (!PyArray_Check(given))
        return skl_py_fail(PyExc_TypeError, "%s must be a numpy array, not %R", name, (PyObject *)Py_TYPE(given));
    if (!PyArray_CheckExact(given) && !skl_check_unmasked(given, name)) return 0;
    PyArrayObject *array = (PyArrayObject *)given;
    if (PyArray_TYPE(array) != type) {
        PyArray_Descr *wanted = PyArray_DescrFromType(type);
        PyErr_Format(PyExc_TypeError, "%s has dtype %S: the result is %S", name, (PyObject *)PyArray_DESCR(array),
                     (PyObject *)wanted);
        Py_DECREF(wanted);
        return 0;
    }
    if (PyArray_NDIM(array) != ndim || !PyArray_CompareLists(PyArray_DIMS(array), sizes, ndim))
        return skl_fail_shape(name, array, skl_py_sizes(sizes, ndim));
    return skl_check_own_memory(array, name);
}

/* 1 if a job can write straight into it: it lies as a job needs it, and no input lies there too. */
static int writable_in_place(const skl_out *out, const skl_item *item, skl_arg *args, int count) {
    if (!skl_usable(out->result, item)) return 0;
    for (int i = 0; i < count; i++) {
        if (args[i].array && !args[i].extent.high) args[i].extent = skl_extent_of(args[i].array);
        if (skl_extents_meet(out->extent, args[i].extent)) return 0;
    }
    return 1;
}

int skl_out_begin(skl_out *out, PyObject *given, const char *name, int type, const skl_shape *shape,
                  const skl_item *item, skl_arg *args, int count, skl_array *into) {
    npy_intp sizes[SKL_MAX_DIMS + 3];
    const int ndim = sizes_of(shape, item, sizes);
    if (ndim > SKL_MAX_DIMS) return skl_fail_dimensions("the result", ndim);
    out->given = given != Py_None;
    if (out->given && !check_given(given, name, type, ndim, sizes)) return 0;
    if (out->given) {
        out->result = (PyArrayObject *)Py_NewRef(given);
        out->extent = skl_extent_of(out->result);
    }
    if (out->given && writable_in_place(out, item, args, count))
        out->work = (PyArrayObject *)Py_NewRef(given);
    else
        out->work = (PyArrayObject *)PyArray_SimpleNew(ndim, sizes, type);
    if (!out->work) return 0;
    if (!out->given) out->result = (PyArrayObject *)Py_NewRef((PyObject *)out->work);
    skl_fill_view(out->work, item, into);
    return 1;
}

int skl_outs_apart(const skl_out *out, const char *const *names, int count) {
    for (int k = 0; k < count; k++) {
        for (int before = 0; out[k].given && before < k; before++) {
            if (!skl_extents_meet(out[before].extent, out[k].extent)) continue;
            if (!skl_share_memory(out[before].result, out[k].result)) continue;
            return skl_py_fail(PyExc_ValueError, "%s shares memory with %s: every result needs memory of its own",
                               names[k], names[before]);
        }
    }
    return 1;
}

PyObject *skl_out_finish(skl_out *out) {
    if (!out->result) return Py_NewRef(Py_None);
    if (out->work != out->result && PyArray_CopyInto(out->result, out->work) < 0) return NULL;
    return Py_NewRef((PyObject *)out->result);
}

void skl_out_clear(skl_out *out) {
    Py_CLEAR(out->work);
    Py_CLEAR(out->result);
}

int skl_out_check(PyObject *given, int count) {
    if (given == Py_None || (PyTuple_Check(given) && PyTuple_Size(given) == count)) return 1;
    return skl_py_fail(PyExc_TypeError, "out must be a tuple of %d arrays, as the function returns it", count);
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
