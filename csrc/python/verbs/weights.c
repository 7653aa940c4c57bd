/* SPDX-License-Identifier: MIT */
/* The type that owns a skl_weights. Python's SkinWeights derives from it and keeps what it was made from. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/objects.h"

typedef struct weights_object {
    PyObject_HEAD skl_weights weights;
} weights_object;

const skl_weights *skl_py_weights(PyObject *module, PyObject *object) {
    const skl_state *state = PyModule_GetState(module);
    if (PyObject_TypeCheck(object, state->weights_type)) return &((weights_object *)object)->weights;
    skl_fail_type("weights", object, "SkinWeights are needed");
    return NULL;
}

/* Joints and weights are arrays of one shape: (V, K), or (entries,) with (V + 1,) offsets. */
static int check_shapes(PyArrayObject *offsets, PyArrayObject *joints, PyArrayObject *values) {
    const int ndim = PyArray_NDIM(joints);
    int same = ndim == PyArray_NDIM(values) && ndim == (offsets ? 1 : 2);
    for (int d = 0; same && d < ndim; d++) same = PyArray_DIM(joints, d) == PyArray_DIM(values, d);
    if (!same)
        return skl_py_fail(PyExc_ValueError, offsets ? "indices and data must have the same shape (entries,)"
                                                     : "indices and weights must have the same shape (V, K)");
    if (!offsets) return 1;
    const npy_intp rows = PyArray_DIM(offsets, 0);
    if (rows == 0) return skl_py_fail(PyExc_ValueError, "indptr is empty: expected V + 1 offsets");
    const int64_t *const starts = PyArray_DATA(offsets);
    for (npy_intp v = 1; v < rows; v++)
        if (starts[v] < starts[v - 1]) return 1; /* the core names it */
    if (starts[rows - 1] == PyArray_DIM(joints, 0)) return 1;
    return skl_py_fail(PyExc_ValueError, "indptr[%lld] is %lld: the last offset must be the number of indices, %lld",
                       (long long)rows - 1, (long long)starts[rows - 1], (long long)PyArray_DIM(joints, 0));
}

static PyObject *make(PyTypeObject *type, long long num_joints, PyArrayObject *offsets, PyArrayObject *joints,
                      PyArrayObject *values) {
    if (!check_shapes(offsets, joints, values)) return NULL;
    PyObject *self = skl_py_alloc(type);
    if (!self) return NULL;
    const int64_t vertices = offsets ? PyArray_DIM(offsets, 0) - 1 : PyArray_DIM(joints, 0);
    skl_status status;
    const skl_code code =
        skl_weights_init(&((weights_object *)self)->weights, vertices, offsets ? 0 : PyArray_DIM(joints, 1), num_joints,
                         offsets ? PyArray_DATA(offsets) : NULL, PyArray_DATA(joints), PyArray_DATA(values), &status);
    if (code != SKL_OK) {
        skl_py_raise(&status);
        Py_CLEAR(self);
    }
    return self;
}

static PyObject *weights_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    long long num_joints;
    PyObject *joints_given, *values_given, *offsets_given = Py_None;
    if (kwargs && PyDict_Size(kwargs) > 0) return PyErr_Format(PyExc_TypeError, "keyword arguments are not taken here");
    if (!PyArg_ParseTuple(args, "LOO|O", &num_joints, &joints_given, &values_given, &offsets_given)) return NULL;
    PyArrayObject *values = NULL, *offsets = NULL;
    PyObject *self = NULL;
    PyArrayObject *joints = (PyArrayObject *)PyArray_FROMANY(joints_given, NPY_INT64, 1, 2, NPY_ARRAY_CARRAY_RO);
    if (!joints) return NULL;
    values = (PyArrayObject *)PyArray_FROMANY(values_given, NPY_DOUBLE, 1, 2, NPY_ARRAY_CARRAY_RO);
    if (!values) goto done;
    if (offsets_given != Py_None) {
        offsets = (PyArrayObject *)PyArray_FROMANY(offsets_given, NPY_INT64, 1, 1, NPY_ARRAY_CARRAY_RO);
        if (!offsets) goto done;
    }
    self = make(type, num_joints, offsets, joints, values);
done:
    Py_DECREF(joints);
    Py_XDECREF(values);
    Py_XDECREF(offsets);
    return self;
}

static void weights_dealloc(PyObject *self) {
    skl_weights_free(&((weights_object *)self)->weights);
    skl_py_dealloc(self);
}

static PyObject *get_num_joints(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong((long long)((weights_object *)self)->weights.num_joints);
}

static PyObject *get_num_vertices(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong((long long)((weights_object *)self)->weights.num_vertices);
}

static PyGetSetDef getters[] = {
    {"num_joints", get_num_joints, NULL, "Number of joints that indices refer to.", NULL},
    {"num_vertices", get_num_vertices, NULL, "Number of vertices.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)(uintptr_t)weights_new},
    {Py_tp_dealloc, (void *)(uintptr_t)weights_dealloc},
    {Py_tp_getset, getters},
    {Py_tp_doc,
     (void *)(uintptr_t)"SkinWeightsBase(num_joints, indices, weights, indptr=None, /)\n--\n\nMemory of SkinWeights."},
    {0, NULL},
};

PyType_Spec skl_py_weights_spec = {"skelkin_py._core.SkinWeightsBase", (int)sizeof(weights_object), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
