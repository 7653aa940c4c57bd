/* SPDX-License-Identifier: MIT */
/* Smooth paths of feet and body, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "python/base/errors.h"
#include "python/base/struct_dtype.h"

#include "planting/curves/curves.h"
#include "planting/curves/filters.h"
#include "planting/paths/plan_paths.h"
#include "planting/paths/smooth_paths.h"

#include <string.h>

/* A new array of (F, K) doubles. */
static PyObject *new_curves(npy_intp frames, npy_intp columns) {
    npy_intp shape[2] = {frames, columns};
    return PyArray_SimpleNew(2, shape, NPY_DOUBLE);
}

/* A whole number that is at least `least`; 0 with an exception set where it is none. */
static int take_count(PyObject *value, const char *name, int64_t least, int64_t *count) {
    *count = PyNumber_AsSsize_t(value, PyExc_ValueError);
    if (*count == -1 && PyErr_Occurred()) return 0;
    if (*count >= least) return 1;
    PyErr_Format(PyExc_ValueError, "%s is %lld: it must be at least %lld", name, (long long)*count, (long long)least);
    return 0;
}

/* The result of a job that took memory, or what ended it. */
static PyObject *give_unless(int failed, PyThreadState *lock, PyObject *out) {
    out = skl_py_give(lock, out);
    if (!out || !failed) return out;
    Py_DECREF(out);
    return PyErr_NoMemory();
}

/* values (F, K), sigma */
PyObject *skl_py_low_pass(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("low_pass", nargs, 2)) return NULL;
    const npy_intp any[2] = {SKL_ANY, SKL_ANY};
    const double *values = skl_py_over_frames(args[0], "values", NPY_DOUBLE, 2, any);
    double sigma;
    if (!values || !skl_py_real(args[1], "sigma", &sigma)) return NULL;
    const npy_intp frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    const npy_intp columns = PyArray_DIM((PyArrayObject *)args[0], 1);
    PyObject *out = new_curves(frames, columns);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(frames * columns);
    skl_low_pass(values, frames, columns, sigma, &arena, skl_py_data(out));
    return give_unless(arena.failed, lock, out);
}

/* values (F,), half */
PyObject *skl_py_running_min(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("running_min", nargs, 2)) return NULL;
    int64_t half;
    const double *values = skl_py_numbers(args[0], "values", SKL_ANY);
    if (!values || !take_count(args[1], "half", 0, &half)) return NULL;
    const npy_intp frames = skl_py_rows(args[0], "values");
    PyObject *out = skl_py_new_frames(1, frames, NPY_DOUBLE);
    if (!out) return NULL;
    skl_arena arena = {0};
    PyThreadState *lock = skl_py_release(frames);
    skl_running_min(values, frames, half, &arena, skl_py_data(out));
    return give_unless(arena.failed, lock, out);
}

/* marks (F,) bool */
PyObject *skl_py_frames_to_nearest(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("frames_to_nearest", nargs, 1)) return NULL;
    const npy_intp any = SKL_ANY;
    const unsigned char *marks = skl_py_over_frames(args[0], "marks", NPY_BOOL, 1, &any);
    if (!marks) return NULL;
    const npy_intp frames = skl_py_rows(args[0], "marks");
    PyObject *out = skl_py_new_frames(1, frames, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(frames);
    skl_frames_to_nearest(marks, frames, skl_py_data(out));
    return skl_py_give(lock, out);
}

/* values (F, K), spans, window */
PyObject *skl_py_smooth_between(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("smooth_between", nargs, 3)) return NULL;
    const npy_intp any[2] = {SKL_ANY, SKL_ANY};
    int64_t window;
    const double *values = skl_py_over_frames(args[0], "values", NPY_DOUBLE, 2, any);
    if (!values || !take_count(args[2], "window", 0, &window)) return NULL;
    const npy_intp frames = PyArray_DIM((PyArrayObject *)args[0], 0);
    const npy_intp columns = PyArray_DIM((PyArrayObject *)args[0], 1);
    npy_intp num_spans;
    int64_t *spans = skl_py_spans(args[1], "spans", frames, &num_spans);
    if (!spans) return NULL;
    PyObject *out = new_curves(frames, columns);
    if (out) {
        skl_arena arena = {0};
        PyThreadState *lock = skl_py_release(frames * columns);
        const skl_known_curves known = {frames, columns, values, {(skl_span *)spans, num_spans}, window};
        skl_smooth_between(&known, &arena, skl_py_data(out));
        const int failed = arena.failed;
        skl_arena_free(&arena);
        out = give_unless(failed, lock, out);
    }
    PyMem_Free(spans);
    return out;
}

/* ankle (F, 3), steps (F - 1, 3), spans */
PyObject *skl_py_rolled_path(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("rolled_path", nargs, 3)) return NULL;
    const npy_intp frames = skl_py_rows(args[0], "ankle");
    if (frames < 0) return NULL;
    const double *ankle = skl_py_vectors(args[0], "ankle", frames);
    const double *steps = ankle ? skl_py_vectors(args[1], "steps", frames > 0 ? frames - 1 : 0) : NULL;
    if (!steps) return NULL;
    npy_intp num_spans;
    int64_t *spans = skl_py_spans(args[2], "spans", frames, &num_spans);
    if (!spans) return NULL;
    PyObject *out = skl_py_new_frames(2, frames, NPY_DOUBLE);
    if (out) {
        PyThreadState *lock = skl_py_release(frames);
        skl_rolled_path(ankle, steps, frames, spans, num_spans, skl_py_data(out));
        out = skl_py_give(lock, out);
    }
    PyMem_Free(spans);
    return out;
}

/* The arrays of all legs: hip, ankle, line, held (K, F, 3); bones, flexion, reach, lowest (K, F); stands (K, F) bool.
 */
static int take_legs(PyObject *const *args, npy_intp legs, npy_intp frames, skl_path_leg *out) {
    static const char *const names[] = {"hip",     "ankle", "line",   "held",  "bones",
                                        "flexion", "reach", "lowest", "stands"};
    const npy_intp shape[3] = {legs, frames, 3};
    const void *data[9];
    for (int i = 0; i < 9; i++) {
        data[i] = skl_py_over_frames(args[i], names[i], i < 8 ? NPY_DOUBLE : NPY_BOOL, i < 4 ? 3 : 2, shape);
        if (!data[i]) return 0;
    }
    for (npy_intp k = 0; k < legs; k++) {
        const npy_intp numbers = k * frames, vectors = 3 * numbers;
        out[k].hip = (const double *)data[0] + vectors;
        out[k].ankle = (const double *)data[1] + vectors;
        out[k].line = (const double *)data[2] + vectors;
        out[k].held = (const double *)data[3] + vectors;
        out[k].bones = (const double *)data[4] + numbers;
        out[k].flexion = (const double *)data[5] + numbers;
        out[k].reach = (const double *)data[6] + numbers;
        out[k].lowest = (const double *)data[7] + numbers;
        out[k].stands = (const uint8_t *)data[8] + numbers;
    }
    return 1;
}

#define FIELD(name) {#name, "f8", offsetof(skl_path_weights, name)}
static const skl_struct_field weight_fields[] = {FIELD(body),  FIELD(ankle),  FIELD(flexion),      FIELD(flexion_jerk),
                                                 FIELD(split), FIELD(spring), FIELD(acceleration), {0}};
#undef FIELD
static const skl_struct_type weights_type = {"PATH_WEIGHTS", weight_fields, sizeof(skl_path_weights)};

int skl_py_add_path_structs(PyObject *module) { return skl_py_add_struct(module, &weights_type); }

/* The job's numbers behind the legs; 0 with an exception set. */
static int take_rest(PyObject *module, PyObject *const *args, npy_intp frames, skl_smooth_paths_job *job) {
    npy_intp num_weights;
    const skl_path_weights *weights = skl_py_rows_of(module, args[16], &weights_type, &num_weights);
    if (!weights || !(job->free = skl_py_over_frames(args[9], "free", NPY_BOOL, 1, &frames))) return 0;
    if (!(job->cuts = skl_py_over_frames(args[10], "cuts", NPY_BOOL, 1, &frames))) return 0;
    if (!skl_py_vector(args[11], "up", job->up)) return 0;
    job->length = PyFloat_AsDouble(args[12]);
    job->frame_time = PyFloat_AsDouble(args[13]);
    job->body_moves = PyObject_IsTrue(args[14]);
    job->heights_only = PyObject_IsTrue(args[15]);
    if (!PyErr_Occurred() && num_weights != 1)
        PyErr_Format(PyExc_ValueError, "weights has %zd rows: 1 is needed", (Py_ssize_t)num_weights);
    if (PyErr_Occurred()) return 0;
    job->weights = *weights;
    return 1;
}

/* What the next job may begin with; 0 with an exception set where it is no (F, 8 K + 4) to write to. */
static int take_before(PyObject *value, npy_intp legs, npy_intp frames, skl_smooth_paths_job *job) {
    const npy_intp shape[2] = {frames, SKL_PATHS_BEFORE(legs)};
    if (!skl_py_over_frames(value, "before", NPY_DOUBLE, 2, shape)) return 0;
    if (!PyArray_ISWRITEABLE((PyArrayObject *)value)) {
        PyErr_SetString(PyExc_ValueError, "before is read-only");
        return 0;
    }
    job->before = skl_py_data(value);
    return 1;
}

/* Those of take_legs, then free and cuts (F,) bool, up (3,), length, frame_time, body_moves, heights_only, weights (1,)
 * of PATH_WEIGHTS, and before, which may be missing */
PyObject *skl_py_smooth_paths(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (nargs != 18 && !skl_py_arity("smooth_paths", nargs, 17)) return NULL;
    const npy_intp legs = skl_py_rows(args[0], "hip"), frames = skl_py_rows(args[9], "free");
    if (legs < 0 || frames < 0) return NULL;
    skl_path_leg *const each = PyMem_Calloc((size_t)legs + 1, sizeof *each);
    if (!each) return PyErr_NoMemory();
    skl_smooth_paths_job job = {.num_frames = frames, .num_legs = legs, .legs = each};
    npy_intp shape[3] = {legs, frames, 3};
    PyObject *body = NULL, *offsets = NULL, *out = NULL;
    if (take_rest(module, args, frames, &job) && take_legs(args, legs, frames, each) &&
        (nargs < 18 || take_before(args[17], legs, frames, &job))) {
        body = PyArray_SimpleNew(2, shape + 1, NPY_DOUBLE);
        offsets = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    }
    if (body && offsets) {
        job.body = skl_py_data(body);
        for (npy_intp k = 0; k < legs; k++) each[k].offset = (double *)skl_py_data(offsets) + 3 * k * frames;
        PyThreadState *lock = skl_py_release(frames * 64);
        const skl_code code = skl_smooth_paths_run(&job);
        if (skl_py_restore(lock) && code == SKL_OK)
            out = Py_BuildValue("(OOdL)", body, offsets, job.objective, (long long)job.rounds);
        else
            skl_py_raise(&job.status);
    }
    Py_XDECREF(body);
    Py_XDECREF(offsets);
    PyMem_Free(each);
    return out;
}

/* contacts, rises (C,), num_frames */
PyObject *skl_py_lowest_near(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    int64_t num;
    if (!skl_py_arity("lowest_near", nargs, 3) || !skl_py_integer(args[2], "num_frames", &num)) return NULL;
    skl_arena arena = {0};
    skl_spans contacts;
    const double *rises;
    PyObject *out = NULL;
    if (skl_py_take_spans(args[0], "contacts", num, &arena, &contacts) &&
        (rises = skl_py_numbers(args[1], "rises", (npy_intp)contacts.count)) &&
        (out = skl_py_new_frames(1, (npy_intp)num, NPY_DOUBLE)))
        skl_lowest_near(contacts, rises, num, skl_py_data(out));
    skl_arena_free(&arena);
    return out;
}
