/* SPDX-License-Identifier: MIT */
/* Segments of bendy bones, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "skelkin/blender_bbones.h"

static int is_packed(PyObject *value, int ndim) {
    PyArrayObject *array = (PyArrayObject *)value;
    return PyArray_Check(value) && PyArray_TYPE(array) == NPY_DOUBLE && PyArray_ISCARRAY_RO(array) &&
           PyArray_NDIM(array) == ndim;
}

/* bends, out */
PyObject *skl_py_blender_bend(PyObject *const *args) {
    PyArrayObject *bends = (PyArrayObject *)args[0], *out = (PyArrayObject *)args[1];
    if (!is_packed(args[0], 2) || !is_packed(args[1], 4) || !PyArray_ISWRITEABLE(out) ||
        PyArray_DIM(bends, 1) != SKL_BEND_NUMBERS || PyArray_DIM(bends, 0) != PyArray_DIM(out, 0) ||
        PyArray_DIM(out, 1) < 3 || PyArray_DIM(out, 1) > SKL_MOST_SEGMENTS + 1 || PyArray_DIM(out, 2) != 4 ||
        PyArray_DIM(out, 3) != 4) {
        PyErr_SetString(PyExc_TypeError, "bends must be packed (F, 24) float64, out (F, segments + 1, 4, 4)");
        return NULL;
    }
    skl_bbone_job job = {
        .num_frames = PyArray_DIM(out, 0),
        .num_segments = (int32_t)(PyArray_DIM(out, 1) - 1),
        .bends = PyArray_DATA(bends),
        .out = PyArray_DATA(out),
    };
    PyThreadState *lock = skl_py_release(job.num_frames * job.num_segments);
    const skl_code code = skl_bbone_run(&job);
    return skl_py_restore(lock) && code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(&job.status);
}
