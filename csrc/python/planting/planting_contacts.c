/* SPDX-License-Identifier: MIT */
/* Spans of frames in which feet stand, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "planting_args.h"
#include "python/base/struct_dtype.h"

#include "planting/contacts/contacts.h"
#include "planting/curves/median.h"

static PyObject *pair_of(skl_span span) { return Py_BuildValue("(LL)", (long long)span.first, (long long)span.last); }

/* A list of (first, last). */
static PyObject *list_of(const skl_span *spans, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *pair = pair_of(spans[i]);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) < 0) Py_CLEAR(list);
    }
    return list;
}

/* flags (F,) bool */
PyObject *skl_py_frames_to_spans(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("frames_to_spans", nargs, 1)) return NULL;
    const npy_intp any = SKL_ANY;
    const uint8_t *flags = skl_py_over_frames(args[0], "flags", NPY_BOOL, 1, &any);
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

/* values (F,) float64, spans of frames */
PyObject *skl_py_span_medians(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("span_medians", nargs, 2)) return NULL;
    const npy_intp num = skl_py_rows(args[0], "values");
    const double *values = num < 0 ? NULL : skl_py_numbers(args[0], "values", num);
    npy_intp count;
    int64_t *spans = values ? skl_py_spans(args[1], "spans", num, &count) : NULL;
    if (!spans) return NULL;
    double *scratch = PyMem_Malloc((size_t)(num ? num : 1) * sizeof *scratch);
    PyObject *out = scratch ? skl_py_new_frames(1, count, NPY_DOUBLE) : PyErr_NoMemory();
    if (out) skl_span_medians(values, count, spans, scratch, skl_py_data(out));
    PyMem_Free(scratch);
    PyMem_Free(spans);
    return out;
}

#define FIELD(name, format) {#name, format, offsetof(skl_contact_limits, name)}
static const skl_struct_field limit_fields[] = {
    FIELD(shortest_core, "f8"), FIELD(shortest_rest, "f8"), FIELD(shortest, "f8"),     FIELD(steady, "f8"),
    FIELD(stay, "f8"),          FIELD(quiet, "f8"),         FIELD(lift, "f8"),         FIELD(noise, "f8"),
    FIELD(sets_off, "f8"),      FIELD(rises_off, "f8"),     FIELD(on_the_way, "f8"),   FIELD(brief, "f8"),
    FIELD(gap, "f8"),           FIELD(same_place, "f8"),    FIELD(ground_step, "3f8"), {0}};
#undef FIELD
static const skl_struct_type limits_type = {"CONTACT_LIMITS", limit_fields, sizeof(skl_contact_limits)};

int skl_py_add_contact_structs(PyObject *module) { return skl_py_add_struct(module, &limits_type); }

/* core, leave, rests (F,) bool; height (F,), velocity, place (F, 3), slips (F - 1, 3), rises (F - 1,) float64; limits
 * (1,) of CONTACT_LIMITS */
PyObject *skl_py_find_contacts(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("find_contacts", nargs, 9)) return NULL;
    const npy_intp frames = skl_py_rows(args[0], "core");
    if (frames < 0) return NULL;
    const npy_intp each[2] = {frames, 3}, between[2] = {frames > 0 ? frames - 1 : 0, 3};
    npy_intp num_limits;
    skl_contacts_job job = {.num_frames = frames};
    const skl_contact_limits *limits;
    if (!(job.core = skl_py_over_frames(args[0], "core", NPY_BOOL, 1, each)) ||
        !(job.leave = skl_py_over_frames(args[1], "leave", NPY_BOOL, 1, each)) ||
        !(job.rests = skl_py_over_frames(args[2], "rests", NPY_BOOL, 1, each)) ||
        !(job.height = skl_py_over_frames(args[3], "height", NPY_DOUBLE, 1, each)) ||
        !(job.velocity = skl_py_over_frames(args[4], "velocity", NPY_DOUBLE, 2, each)) ||
        !(job.place = skl_py_over_frames(args[5], "place", NPY_DOUBLE, 2, each)) ||
        !(job.slips = skl_py_over_frames(args[6], "slips", NPY_DOUBLE, 2, between)) ||
        !(job.rises = skl_py_over_frames(args[7], "rises", NPY_DOUBLE, 1, between)) ||
        !(limits = skl_py_rows_of(module, args[8], &limits_type, &num_limits)))
        return NULL;
    if (num_limits != 1) {
        PyErr_SetString(PyExc_ValueError, "limits must be one row");
        return NULL;
    }
    job.limits = *limits;
    job.spans = PyMem_Malloc((size_t)(2 * skl_most_runs(frames) + 1) * sizeof *job.spans);
    if (!job.spans) return PyErr_NoMemory();
    PyThreadState *lock = skl_py_release(frames);
    const skl_code code = skl_contacts_run(&job);
    PyObject *list =
        skl_py_restore(lock) && code == SKL_OK ? list_of(job.spans, job.num_spans) : skl_py_raise(&job.status);
    PyMem_Free(job.spans);
    return list;
}
