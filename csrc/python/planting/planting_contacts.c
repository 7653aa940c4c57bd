/* SPDX-License-Identifier: MIT */
/* Spans of frames in which feet stand, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "planting/curves/spans.h"

static PyObject *pair_of(skl_span span) { return Py_BuildValue("(LL)", (long long)span.first, (long long)span.last); }

/* flags (F,) bool */
PyObject *skl_py_frames_to_spans(PyObject *const *args) {
    const npy_intp any = SKL_ANY;
    const uint8_t *flags = skl_py_packed(args[0], "flags", NPY_BOOL, 1, &any);
    if (!flags) return NULL;
    const npy_intp frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    PyObject *list = PyList_New(0);
    skl_span run;
    for (int64_t from = 0; list && skl_next_run(flags, frames, from, &run); from = run.last + 1) {
        PyObject *pair = pair_of(run);
        if (!pair || PyList_Append(list, pair) < 0) Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}
