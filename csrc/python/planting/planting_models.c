/* SPDX-License-Identifier: MIT */
/* Soles of standing feet, for Python. */
#include "planting_models.h"

#include <math.h>
#include <string.h>

#include "python/base/args.h"
#include "python/base/module.h"

#include "planting/motion/fit_foot.h"

static PyObject *vector_out(const double from[3]) {
    const npy_intp three = 3;
    PyObject *array = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (array) memcpy(skl_py_data(array), from, 3 * sizeof *from);
    return array;
}

PyObject *skl_py_model_fields(const skl_foot_model *model) {
    const skl_sole *sole = &model->sole;
    const char *source = model->from_rest_pose ? "rest pose" : "typical foot";
    return Py_BuildValue("NNddsNNd", vector_out(sole->heel), vector_out(sole->ball), sole->drop, model->clearance,
                         source, vector_out(sole->back), vector_out(sole->along), sole->raised);
}

/* Whether a sequence has one item for each leg. */
static int fits(PyObject *sequence, const char *name, Py_ssize_t count) {
    const Py_ssize_t size = PySequence_Size(sequence);
    if (size >= 0 && size != count)
        PyErr_Format(PyExc_ValueError, "%s: %zd are needed, one per leg, not %zd", name, count, size);
    return size == count;
}

double *skl_py_leg_numbers(PyObject *sequence, const char *name, skl_arena *arena, Py_ssize_t count) {
    if (!fits(sequence, name, count)) return NULL;
    double *out = SKL_TAKE(arena, double, count);
    if (!out) return (double *)PyErr_NoMemory();
    for (Py_ssize_t k = 0; out && k < count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        if (!each || !skl_py_number_or_nan(each, &out[k])) out = NULL;
        Py_XDECREF(each);
    }
    return out;
}

uint8_t **skl_py_leg_flags(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena,
                           Py_ssize_t count) {
    if (!fits(sequence, name, count)) return NULL;
    const npy_intp shape = num_frames;
    uint8_t **out = SKL_TAKE(arena, uint8_t *, count);
    if (!out) return (uint8_t **)PyErr_NoMemory();
    for (Py_ssize_t k = 0; out && k < count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        const uint8_t *flags = each ? skl_py_over_frames(each, name, NPY_BOOL, 1, &shape) : NULL;
        out[k] = flags ? SKL_TAKE(arena, uint8_t, num_frames) : NULL;
        if (flags && !out[k]) PyErr_NoMemory();
        if (out[k])
            memcpy(out[k], flags, (size_t)num_frames);
        else
            out = NULL;
        Py_XDECREF(each);
    }
    return out;
}

PyObject *skl_py_list_of_models(const skl_foot_model *models, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) {
        PyObject *each = skl_py_model_fields(&models[k]);
        if (!each || PyList_SetItem(list, k, each) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *skl_py_list_of_flags(uint8_t *const *flags, int64_t num_frames, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) {
        PyObject *each = skl_py_new_frames(1, num_frames, NPY_BOOL);
        if (each) memcpy(skl_py_data(each), flags[k], (size_t)num_frames);
        if (!each || PyList_SetItem(list, k, each) < 0) Py_CLEAR(list);
    }
    return list;
}

/* track, up, still, clearance or None, raised, rest_up or None */
PyObject *skl_py_fit_foot(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_track track;
    skl_fit_hints hints = {0};
    double up[3], rest_up[3];
    skl_py_taken taken = {0};
    PyObject *out = NULL;
    const uint8_t *still = NULL;
    if (skl_py_arity("fit_foot", nargs, 6) && skl_py_track(args[0], &taken, &track) &&
        skl_py_vector(args[1], "up", up) && skl_py_number_or_nan(args[3], &hints.clearance) &&
        skl_py_number_or_nan(args[4], &hints.raised) &&
        (args[5] == Py_None || skl_py_vector(args[5], "rest_up", rest_up))) {
        const npy_intp shape = track.num_frames;
        still = skl_py_over_frames(args[2], "still", NPY_BOOL, 1, &shape);
    }
    if (still && memchr(still, 1, (size_t)track.num_frames)) {
        skl_foot_model model;
        hints.rest_up = args[5] == Py_None ? NULL : rest_up;
        PyThreadState *lock = skl_py_release(track.num_frames);
        skl_fit_foot(&track, up, still, &hints, &taken.arena, &model);
        if (skl_py_restore(lock)) out = taken.arena.failed ? PyErr_NoMemory() : skl_py_model_fields(&model);
    } else if (still) {
        PyErr_SetString(PyExc_ValueError, "still: a sole is fitted to one frame at least");
    }
    skl_py_drop(&taken);
    return out;
}
