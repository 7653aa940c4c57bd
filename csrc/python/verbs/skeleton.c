/* SPDX-License-Identifier: MIT */
/* The type that owns a skl_skeleton. Python's Skeleton derives from it and adds names. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/objects.h"

#include <stddef.h>

typedef struct skeleton_object {
    PyObject_HEAD skl_skeleton skeleton;
} skeleton_object;

const skl_skeleton *skl_py_skeleton(PyObject *module, PyObject *object) {
    const skl_state *state = PyModule_GetState(module);
    if (PyObject_TypeCheck(object, state->skeleton_type)) return &((skeleton_object *)object)->skeleton;
    skl_fail_type("skeleton", object, "a Skeleton is needed");
    return NULL;
}

/* (J, 4, 4) doubles, or NULL and an exception. */
static PyArrayObject *take_matrices(PyObject *value, const char *name, npy_intp joints) {
    PyArrayObject *array = (PyArrayObject *)PyArray_FROMANY(value, NPY_DOUBLE, 0, 0, NPY_ARRAY_CARRAY_RO);
    if (!array) return NULL;
    if (PyArray_NDIM(array) == 3 && PyArray_DIM(array, 0) == joints && PyArray_DIM(array, 1) == 4 &&
        PyArray_DIM(array, 2) == 4)
        return array;
    PyErr_Format(PyExc_ValueError, "%s must have shape (%zd, 4, 4), one matrix per joint", name, (Py_ssize_t)joints);
    Py_DECREF(array);
    return NULL;
}

static PyObject *skeleton_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    PyObject *parents_given, *rest_given, *bind_given = Py_None;
    if (kwargs && PyDict_Size(kwargs) > 0) return PyErr_Format(PyExc_TypeError, "keyword arguments are not taken here");
    if (!PyArg_ParseTuple(args, "OO|O", &parents_given, &rest_given, &bind_given)) return NULL;
    PyArrayObject *rest = NULL, *bind = NULL;
    PyObject *self = NULL;
    PyArrayObject *parents = (PyArrayObject *)PyArray_FROMANY(parents_given, NPY_INT64, 1, 1, NPY_ARRAY_CARRAY_RO);
    if (!parents) return NULL;
    const npy_intp joints = PyArray_DIM(parents, 0);
    rest = take_matrices(rest_given, "rest_local", joints);
    if (!rest) goto done;
    if (bind_given != Py_None) {
        bind = take_matrices(bind_given, "inverse_bind", joints);
        if (!bind) goto done;
    }
    self = skl_py_alloc(type);
    if (!self) goto done;
    skl_status status;
    const skl_code code = skl_skeleton_init(&((skeleton_object *)self)->skeleton, joints, PyArray_DATA(parents),
                                            PyArray_DATA(rest), bind ? PyArray_DATA(bind) : NULL, &status);
    if (code != SKL_OK) {
        skl_py_raise(&status);
        Py_CLEAR(self);
    }
done:
    Py_DECREF(parents);
    Py_XDECREF(rest);
    Py_XDECREF(bind);
    return self;
}

static void skeleton_dealloc(PyObject *self) {
    skl_skeleton_free(&((skeleton_object *)self)->skeleton);
    skl_py_dealloc(self);
}

static PyObject *get_num_joints(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromLongLong((long long)((skeleton_object *)self)->skeleton.num_joints);
}

static PyObject *get_parents(PyObject *self, void *closure) {
    const skl_skeleton *s = &((skeleton_object *)self)->skeleton;
    const npy_intp shape[1] = {(npy_intp)s->num_joints};
    (void)closure;
    return skl_py_view(self, s->parents, NPY_INT32, 1, shape);
}

/* Matrices of all joints; `place` is where in the skeleton their address stands. */
static PyObject *get_matrices(PyObject *self, void *place) {
    const skl_skeleton *s = &((skeleton_object *)self)->skeleton;
    const npy_intp shape[3] = {(npy_intp)s->num_joints, 4, 4};
    const void *const *data = (const void *const *)(const void *)((const char *)s + (uintptr_t)place);
    return skl_py_view(self, *data, NPY_DOUBLE, 3, shape);
}

#define AT(member) (void *)(uintptr_t)offsetof(skl_skeleton, member)
static PyGetSetDef getters[] = {
    {"num_joints", get_num_joints, NULL, "Number of joints.", NULL},
    {"parents", get_parents, NULL, "(J,) int32, read-only: the parent of each joint, -1 for a root.", NULL},
    {"rest_local", get_matrices, NULL, "(J, 4, 4) float64, read-only: rest pose relative to the parent.",
     AT(rest_local)},
    {"rest_global", get_matrices, NULL, "(J, 4, 4) float64, read-only: rest pose in model space.", AT(rest_global)},
    {"inverse_bind", get_matrices, NULL, "(J, 4, 4) float64, read-only: model space to joint at bind.",
     AT(inverse_bind)},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)(uintptr_t)skeleton_new},
    {Py_tp_dealloc, (void *)(uintptr_t)skeleton_dealloc},
    {Py_tp_getset, getters},
    {Py_tp_doc,
     (void *)(uintptr_t)"SkeletonBase(parents, rest_local, inverse_bind=None, /)\n--\n\nMemory of a Skeleton."},
    {0, NULL},
};

PyType_Spec skl_py_skeleton_spec = {"skelkin_py._core.SkeletonBase", (int)sizeof(skeleton_object), 0,
                                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
