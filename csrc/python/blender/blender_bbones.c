/* SPDX-License-Identifier: MIT */
/* Segments of bendy bones, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "skelkin/blender_bbones.h"

/* bends, out */
PyObject *skl_py_blender_bend(PyObject *const *args) {
    PyArrayObject *out = (PyArrayObject *)args[1];
    const npy_intp frames = skl_py_rows(args[0], "bends"), any[4] = {frames, SKL_ANY, 4, 4};
    skl_bbone_job job = {.num_frames = frames};
    if (frames < 0 ||
        !(job.bends = skl_py_packed(args[0], "bends", NPY_DOUBLE, 2, (npy_intp[]){frames, SKL_BEND_NUMBERS})) ||
        !skl_py_packed(args[1], "out", NPY_DOUBLE, 4, any))
        return NULL;
    if (!PyArray_ISWRITEABLE(out) || PyArray_DIM(out, 1) < 3 || PyArray_DIM(out, 1) > SKL_MOST_SEGMENTS + 1)
        return PyErr_Format(PyExc_TypeError, "out must be (F, segments + 1, 4, 4), to write");
    job.num_segments = (int32_t)(PyArray_DIM(out, 1) - 1);
    job.out = PyArray_DATA(out);
    PyThreadState *lock = skl_py_release(job.num_frames * job.num_segments);
    return skl_py_none(lock, skl_bbone_run(&job), &job.status);
}
