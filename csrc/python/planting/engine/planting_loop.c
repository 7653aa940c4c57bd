/* SPDX-License-Identifier: MIT */
#include "planting_loop.h"

#include "python/base/args.h"
#include "python/base/module.h"

#include <string.h>

static int take_matrix(PyObject *loop, const char *name, double out[16]) {
    const npy_intp shape[2] = {4, 4};
    PyObject *value = skl_py_kept(loop, name);
    const double *numbers = value ? skl_py_over_frames(value, name, NPY_DOUBLE, 2, shape) : NULL;
    if (numbers) memcpy(out, numbers, 16 * sizeof *out);
    return numbers != NULL;
}

static int take_frames(PyObject *loop, const char *name, int64_t *out) {
    PyObject *value = skl_py_kept(loop, name);
    return value && skl_py_integer(value, name, out);
}

int skl_py_loop(PyObject *object, skl_loop *out, int *known) {
    memset(out, 0, sizeof *out);
    *known = object != Py_None;
    if (!*known) return 1;
    PyObject *rides = skl_py_kept(object, "rides");
    out->rides = rides ? PyObject_IsTrue(rides) : 0;
    if (!rides || !take_frames(object, "period", &out->period) || !take_frames(object, "margin", &out->margin) ||
        !take_matrix(object, "travel", out->travel) || !take_matrix(object, "planted", out->planted) ||
        !skl_py_number(object, "gap", 0, &out->gap))
        return 0;
    if (out->period > 0 && out->margin >= 0) return 1;
    PyErr_SetString(PyExc_ValueError, "loop: a period has one frame at least");
    return 0;
}

/* loop, spans of its clip: those of the unrolled motion */
PyObject *skl_py_unroll_spans(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_loop loop;
    int known;
    if (!skl_py_arity("unroll_spans", nargs, 2) || !skl_py_loop(args[0], &loop, &known)) return NULL;
    skl_arena arena = {0};
    skl_spans spans, unrolled;
    PyObject *out = NULL;
    if (!known)
        PyErr_SetString(PyExc_TypeError, "loop is None: a Loop is needed");
    else if (skl_py_take_spans(args[1], "spans", loop.period + 1, &arena, &spans))
        out = skl_loop_unroll_spans(&loop, spans, &arena, &unrolled) ? skl_py_span_list(unrolled) : PyErr_NoMemory();
    skl_arena_free(&arena);
    return out;
}
