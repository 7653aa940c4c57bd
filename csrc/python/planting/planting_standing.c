/* SPDX-License-Identifier: MIT */
/* When feet stand, for Python: from tracks of all legs to soles, limits and contacts. */
#include "planting_models.h"

#include <string.h>

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "planting/contacts/find_standing.h"

/* tracks, up and fps are the arguments 0, `at` and `at` + 1 of all functions. */
static int take_job(PyObject *const *args, Py_ssize_t at, skl_py_taken *taken, skl_standing_job *job) {
    Py_ssize_t legs = -1;
    memset(job, 0, sizeof *job);
    job->arena = &taken->arena;
    job->tracks = skl_py_tracks(args[0], taken, &legs);
    job->num_legs = legs;
    if (!job->tracks || !skl_py_vector(args[at], "up", job->up)) return 0;
    job->fps = PyFloat_AsDouble(args[at + 1]);
    if (PyErr_Occurred()) return 0;
    if (legs > 0 && job->tracks->num_frames > 0) return 1;
    PyErr_SetString(PyExc_ValueError, "tracks: one leg and one frame are needed at least");
    return 0;
}

/* The velocity of the ground, or None. */
static int take_velocity(PyObject *value, skl_clip_limits *limits) {
    limits->moves = value != Py_None;
    return !limits->moves || skl_py_vector(value, "ground_velocity", limits->ground_velocity);
}

static PyObject *velocity_out(const skl_clip_limits *limits) {
    if (!limits->moves) Py_RETURN_NONE;
    const npy_intp three = 3;
    PyObject *array = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (array) memcpy(skl_py_data(array), limits->ground_velocity, sizeof limits->ground_velocity);
    return array;
}

static PyObject *numbers_out(const double *numbers, Py_ssize_t count) {
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t k = 0; tuple && k < count; k++) {
        PyObject *number = PyFloat_FromDouble(numbers[k]);
        if (!number || PyTuple_SetItem(tuple, k, number) < 0) Py_CLEAR(tuple);
    }
    return tuple;
}

/* Soles, velocity, and what a search has found. */
static PyObject *standing_out(const skl_standing_job *job, int search, uint8_t *const *still) {
    const Py_ssize_t legs = (Py_ssize_t)job->num_legs;
    PyObject *flags = skl_py_list_of_flags(still, job->tracks->num_frames, legs);
    PyObject *models = skl_py_list_of_models(job->models, legs), *velocity = velocity_out(&job->limits);
    if (!search) return Py_BuildValue("NNNOO", flags, models, velocity, Py_None, Py_None);
    return Py_BuildValue("NNN(dNN)N", flags, models, velocity, job->limits.enter, numbers_out(job->limits.lowest, legs),
                         numbers_out(job->limits.smoothing, legs), skl_py_lists_of_spans(job->contacts, legs));
}

/* tracks, clearances, up, fps, ground_velocity or None, search */
PyObject *skl_py_find_standing(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("find_standing", nargs, 6)) return NULL;
    skl_py_taken taken = {0};
    skl_standing_job job;
    PyObject *result = NULL;
    const int is_one = take_job(args, 2, &taken, &job) && take_velocity(args[4], &job.limits);
    const int search = is_one ? PyObject_IsTrue(args[5]) : -1;
    const Py_ssize_t legs = (Py_ssize_t)job.num_legs;
    const double *clearance = search >= 0 ? skl_py_leg_numbers(args[1], "clearances", &taken.arena, legs) : NULL;
    uint8_t **still = clearance ? SKL_TAKE(&taken.arena, uint8_t *, legs) : NULL;
    for (Py_ssize_t k = 0; still && k < legs; k++) still[k] = SKL_TAKE(&taken.arena, uint8_t, job.tracks->num_frames);
    if (still && !taken.arena.failed) {
        PyThreadState *lock = skl_py_release(job.tracks->num_frames);
        const skl_code code = skl_find_standing(&job, clearance, search, still);
        result = skl_py_restore(lock) && code == SKL_OK ? standing_out(&job, search, still) : skl_py_raise(&job.status);
    } else if (clearance) {
        PyErr_NoMemory();
    }
    skl_py_drop(&taken);
    return result;
}

/* tracks, models, enter, lowest, smoothing, ground_velocity or None, up, fps */
PyObject *skl_py_find_again(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("find_again", nargs, 8)) return NULL;
    skl_py_taken taken = {0};
    skl_standing_job job;
    PyObject *result = NULL;
    if (take_job(args, 6, &taken, &job) && take_velocity(args[5], &job.limits)) {
        const Py_ssize_t legs = (Py_ssize_t)job.num_legs;
        job.limits.enter = PyFloat_AsDouble(args[2]);
        job.models = PyErr_Occurred() ? NULL : skl_py_foot_models(args[1], &taken.arena, legs);
        job.limits.lowest = job.models ? skl_py_leg_numbers(args[3], "lowest", &taken.arena, legs) : NULL;
        job.limits.smoothing = job.limits.lowest ? skl_py_leg_numbers(args[4], "smoothing", &taken.arena, legs) : NULL;
    }
    if (job.limits.smoothing) {
        PyThreadState *lock = skl_py_release(job.tracks->num_frames);
        const skl_code code = skl_find_again(&job);
        result = skl_py_restore(lock) && code == SKL_OK ? skl_py_lists_of_spans(job.contacts, (Py_ssize_t)job.num_legs)
                                                        : skl_py_raise(&job.status);
    }
    skl_py_drop(&taken);
    return result;
}

/* tracks, models, contacts, up, fps */
PyObject *skl_py_stance_velocity(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("stance_velocity", nargs, 5)) return NULL;
    skl_py_taken taken = {0};
    skl_standing_job job;
    PyObject *result = NULL;
    if (take_job(args, 3, &taken, &job)) {
        const Py_ssize_t legs = (Py_ssize_t)job.num_legs;
        job.models = skl_py_foot_models(args[1], &taken.arena, legs);
        if (job.models)
            job.contacts = skl_py_span_lists(args[2], "contacts", job.tracks->num_frames, &taken.arena, legs);
    }
    if (job.contacts) {
        PyThreadState *lock = skl_py_release(job.tracks->num_frames);
        const skl_code code = skl_stance_velocity(&job);
        result = skl_py_restore(lock) && code == SKL_OK ? velocity_out(&job.limits) : skl_py_raise(&job.status);
    }
    skl_py_drop(&taken);
    return result;
}
