/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "module.h"

#include <string.h>

int skl_py_integer(PyObject *value, const char *name, int64_t *into) {
    PyObject *number = PyNumber_Index(value);
    if (!number) {
        if (PyErr_ExceptionMatches(PyExc_TypeError))
            PyErr_Format(PyExc_TypeError, "%s is %R: an integer is needed", name, value);
        return 0;
    }
    int overflow = 0;
    const long long within = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    if (within == -1 && PyErr_Occurred()) return 0;
    *into = overflow > 0 ? INT64_MAX : overflow < 0 ? INT64_MIN : (int64_t)within;
    return 1;
}

int skl_py_real(PyObject *value, const char *name, double *into) {
    *into = PyFloat_AsDouble(value);
    if (!(*into >= -1 && *into <= -1) || !PyErr_Occurred()) return 1;
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
        PyErr_Format(PyExc_ValueError, "%s is %R: it is too large for a float", name, value);
    else if (PyErr_ExceptionMatches(PyExc_TypeError))
        PyErr_Format(PyExc_TypeError, "%s is %R: a number is needed", name, value);
    return 0;
}

/* Raise that an argument or the result has too many dimensions. */
int skl_fail_dimensions(const char *name, int ndim) {
    return skl_py_fail(PyExc_ValueError, "%s has %d dimensions: at most %d are supported", name, ndim, SKL_MAX_DIMS);
}

/* Scalars and sequences of Python say nothing about precision. */
static int says_precision(PyObject *value) {
    if (PyArray_Check(value)) return 1;
    return !(PyList_Check(value) || PyTuple_Check(value) || PyFloat_Check(value) || PyLong_Check(value) ||
             PyArray_IsScalar(value, Generic));
}

/* Raise that an argument is of another type than is needed. */
void skl_fail_type(const char *name, PyObject *value, const char *rule) {
    PyObject *const type = PyObject_GetAttrString((PyObject *)Py_TYPE(value), "__name__");
    if (type) PyErr_Format(PyExc_TypeError, "%s is a %S: %s", name, type, rule);
    Py_XDECREF(type);
}

/* Put the argument's name before what numpy says of something that is no array of numbers, and its type if it is none
 * that could hold numbers. */
static int fail_conversion(const char *name, PyObject *given) {
    PyObject *const kind = PyErr_ExceptionMatches(PyExc_ValueError)  ? PyExc_ValueError
                           : PyErr_ExceptionMatches(PyExc_TypeError) ? PyExc_TypeError
                                                                     : NULL;
    if (!kind) return 0;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *own = NULL;
    if (!PyList_CheckExact(given) && !PyTuple_CheckExact(given))
        own = PyObject_GetAttrString((PyObject *)Py_TYPE(given), "__name__");
    if (own)
        PyErr_Format(kind, "%s is a %S, not an array of numbers: %S", name, own, value ? value : type);
    else
        PyErr_Format(kind, "%s is not an array of numbers: %S", name, value ? value : type);
    Py_XDECREF(own);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return 0;
}

/* 1 if the value is a masked array; -1 with an exception. There is none before numpy.ma is imported. */
static int is_masked(PyObject *value) {
    PyObject *const name = PyUnicode_FromString("numpy.ma");
    PyObject *const module = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    if (!module) return PyErr_Occurred() ? -1 : 0;
    PyObject *const type = PyObject_GetAttrString(module, "MaskedArray");
    Py_DECREF(module);
    if (!type) {
        PyErr_Clear(); /* another thread is importing it */
        return 0;
    }
    const int found = PyObject_IsInstance(value, type);
    Py_DECREF(type);
    return found;
}

/* The same of what lists hold, to the depth that numpy reads; only subclasses of arrays are looked at. */
static int holds_masked(PyObject *value, int depth) {
    if (PyArray_Check(value)) return PyArray_CheckExact(value) ? 0 : is_masked(value);
    const int list = PyList_Check(value);
    if (depth == SKL_MAX_DIMS || !(list || PyTuple_Check(value))) return 0;
    int found = 0;
    for (Py_ssize_t i = 0; !found && i < (list ? PyList_Size(value) : PyTuple_Size(value)); i++) {
        PyObject *const item = PySequence_GetItem(value, i); /* its own reference: other threads may change the list */
        if (!item) return -1;
        if (!PyFloat_CheckExact(item) && !PyLong_CheckExact(item)) found = holds_masked(item, depth + 1);
        Py_DECREF(item);
    }
    return found;
}

int skl_check_unmasked(PyObject *value, const char *name) {
    const int masked = holds_masked(value, 0);
    if (masked > 0)
        PyErr_Format(PyExc_TypeError, "%s %s a masked array: fill it or select its rows first", name,
                     PyArray_Check(value) ? "is" : "holds");
    return masked == 0;
}

/* value, its name */
PyObject *skl_py_check_unmasked(PyObject *const *args) {
    const char *const name = PyUnicode_AsUTF8AndSize(args[1], NULL);
    if (!name || !skl_check_unmasked(args[0], name)) return NULL;
    Py_RETURN_NONE;
}

int skl_arg_take(skl_arg *arg, PyObject *value, const char *name) {
    arg->name = name;
    arg->counts = says_precision(value);
    if (!PyArray_CheckExact(value) && !skl_check_unmasked(value, name)) return 0;
    if (PyArray_Check(value)) {
        arg->array = (PyArrayObject *)Py_NewRef(value);
    } else if (value == Py_None) {
        return skl_py_fail(PyExc_TypeError, "%s is None: an array is needed", name);
    } else {
        arg->array = (PyArrayObject *)PyArray_FROM_O(value);
        if (!arg->array) return fail_conversion(name, value);
    }
    const int type = PyArray_TYPE(arg->array), ndim = PyArray_NDIM(arg->array);
    if (ndim > SKL_MAX_DIMS) return skl_fail_dimensions(name, ndim);
    if (type == NPY_FLOAT || type == NPY_DOUBLE || type == NPY_HALF || PyTypeNum_ISINTEGER(type) ||
        PyTypeNum_ISBOOL(type))
        return 1;
    return skl_py_fail(PyExc_TypeError, "%s has dtype %S: float32, float64 or an integer type is needed", name,
                       (PyObject *)PyArray_DESCR(arg->array));
}

skl_dtype skl_args_dtype(const skl_arg *args, int count) {
    int narrow = 0, wide = 0;
    for (int i = 0; i < count; i++) {
        if (!args[i].array || !args[i].counts) continue;
        const int type = PyArray_TYPE(args[i].array);
        if (type == NPY_FLOAT || type == NPY_HALF)
            narrow = 1;
        else
            wide = 1;
    }
    return narrow && !wide ? SKL_FLOAT32 : SKL_FLOAT64;
}

/* "(..., 24, 4, 4)" for messages. */
static PyObject *item_text(const skl_item *item) {
    PyObject *text = PyUnicode_FromString("(...");
    for (int i = 0; i < item->ndim; i++) {
        const int64_t size = item->shape[i];
        PyUnicode_AppendAndDel(&text, size == SKL_MANY ? PyUnicode_FromString(", N")
                                      : size != SKL_ROWS
                                          ? PyUnicode_FromFormat(", %lld", (long long)size)
                                          : PyUnicode_FromString(i + 1 < item->ndim ? ", 4" : ", 3 or 4"));
    }
    PyUnicode_AppendAndDel(&text, PyUnicode_FromString(")"));
    return text;
}

PyObject *skl_py_sizes(const npy_intp *shape, int ndim) {
    PyObject *tuple = PyTuple_New(ndim);
    for (int i = 0; tuple && i < ndim; i++) {
        PyObject *size = PyLong_FromLongLong((long long)shape[i]);
        if (!size) Py_CLEAR(tuple);
        if (tuple) PyTuple_SetItem(tuple, i, size);
    }
    return tuple;
}

int skl_fail_shape(const char *name, PyArrayObject *array, PyObject *wanted) {
    PyObject *shape = skl_py_sizes(PyArray_DIMS(array), PyArray_NDIM(array));
    if (shape && wanted) PyErr_Format(PyExc_ValueError, "%s has shape %R: expected %S", name, shape, wanted);
    Py_XDECREF(shape);
    Py_XDECREF(wanted);
    return 0;
}

static int ends_with(PyArrayObject *array, const skl_item *item) {
    const int lead = PyArray_NDIM(array) - item->ndim;
    if (lead < 0) return 0;
    for (int i = 0; i < item->ndim; i++) {
        const int64_t size = PyArray_DIM(array, lead + i);
        if (item->shape[i] == SKL_ROWS ? size != 3 && size != 4 : item->shape[i] != SKL_MANY && size != item->shape[i])
            return 0;
    }
    return 1;
}

int skl_usable(PyArrayObject *array, const skl_item *item) {
    if (!PyArray_ISALIGNED(array) || !PyArray_ISNOTSWAPPED(array)) return 0;
    int64_t expected = PyArray_ITEMSIZE(array);
    for (int d = PyArray_NDIM(array) - 1; d >= PyArray_NDIM(array) - item->ndim + item->stepped; d--) {
        if (PyArray_DIM(array, d) > 1 && PyArray_STRIDE(array, d) != expected) return 0;
        expected *= PyArray_DIM(array, d);
    }
    return 1;
}

int skl_arg_prepare(skl_arg *arg, skl_dtype dtype, const skl_item *item, skl_array *into) {
    arg->item_ndim = item->ndim;
    into->data = NULL;
    into->ndim = 0;
    into->step = 0;
    if (!arg->array) return 1;
    if (!ends_with(arg->array, item)) return skl_fail_shape(arg->name, arg->array, item_text(item));
    if (PyArray_TYPE(arg->array) != skl_type_number(dtype) || !skl_usable(arg->array, item)) {
        /* The stored array may lie transposed in memory: a plain copy in C order is always usable. */
        PyArray_Descr *descr = PyArray_DescrFromType(skl_type_number(dtype));
        const int flags = NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST | NPY_ARRAY_ENSUREARRAY;
        PyObject *copy = PyArray_FromArray(arg->array, descr, flags);
        if (!copy) return 0;
        Py_DECREF(arg->array);
        arg->array = (PyArrayObject *)copy;
    }
    skl_fill_view(arg->array, item, into);
    return 1;
}

/* Raise the leading shapes of all arguments. */
static int fail_broadcast(const skl_arg *args, int count) {
    PyObject *text = PyUnicode_FromString("");
    for (int i = 0, given = 0; i < count; i++) {
        if (!args[i].array) continue;
        PyObject *shape = skl_py_sizes(PyArray_DIMS(args[i].array), PyArray_NDIM(args[i].array) - args[i].item_ndim);
        PyUnicode_AppendAndDel(
            &text, shape ? PyUnicode_FromFormat("%s%s has %R", given++ ? ", " : "", args[i].name, shape) : NULL);
        Py_XDECREF(shape);
    }
    if (text) PyErr_Format(PyExc_ValueError, "leading dimensions do not broadcast: %U", text);
    Py_XDECREF(text);
    return 0;
}

int skl_args_broadcast(const skl_arg *args, int count, skl_shape *shape) {
    shape->ndim = 0;
    for (int i = 0; i < count; i++) {
        if (!args[i].array) continue;
        const int lead = PyArray_NDIM(args[i].array) - args[i].item_ndim;
        if (lead > shape->ndim) shape->ndim = lead;
    }
    for (int d = 0; d < shape->ndim; d++) shape->size[d] = 1;
    for (int i = 0; i < count; i++) {
        if (!args[i].array) continue;
        const int lead = PyArray_NDIM(args[i].array) - args[i].item_ndim;
        for (int d = 0; d < lead; d++) {
            const int64_t size = PyArray_DIM(args[i].array, d);
            int64_t *common = &shape->size[shape->ndim - lead + d];
            if (size == 1 || size == *common) continue;
            if (*common != 1) return fail_broadcast(args, count);
            *common = size;
        }
    }
    return 1;
}

void skl_args_clear(skl_arg *args, int count) {
    for (int i = 0; i < count; i++) Py_CLEAR(args[i].array);
}

int64_t skl_shape_items(const skl_shape *shape) {
    int64_t items = 1;
    for (int d = 0; d < shape->ndim; d++) items *= shape->size[d];
    return items;
}
