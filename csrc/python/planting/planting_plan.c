/* SPDX-License-Identifier: MIT */
/* The paths of body and ankles, for Python. The package hands in its own dataclasses and packed arrays. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "planting_feet.h"

#include "planting/paths/plan_paths.h"

#include <math.h>

/* ramp, alone, whole (of a Fade), drift, rise or None, body_moves, heights_only, most, fps, blend, reach, stretch */
static int take_rest(PyObject *rest, skl_plan_job *job) {
    PyObject *ramp, *alone, *drift, *rise;
    int reach;
    const npy_intp num = (npy_intp)job->num_frames;
    if (!PyArg_ParseTuple(rest, "OOpOOppdddid", &ramp, &alone, &job->whole, &drift, &rise, &job->body_moves,
                          &job->heights_only, &job->acceleration, &job->fps, &job->blend, &reach, &job->stretch))
        return 0;
    job->reach = (skl_leg_reach)reach;
    job->rise = rise == Py_None ? NAN : PyFloat_AsDouble(rise);
    return !PyErr_Occurred() && (job->ramp = skl_py_numbers(ramp, "ramp", num)) &&
           (job->alone = skl_py_over_frames(alone, "alone", NPY_BOOL, 1, &num)) &&
           (job->drift = skl_py_numbers(drift, "drift", num));
}

/* New arrays for what comes out: offsets, turns, body, changed, missed. */
static PyObject *room_for(skl_plan_job *job) {
    const npy_intp legs = (npy_intp)job->num_legs, num = (npy_intp)job->num_frames, shape[3] = {legs, num, 3};
    PyObject *offsets = PyArray_SimpleNew(3, shape, NPY_DOUBLE), *turns = PyArray_SimpleNew(3, shape, NPY_DOUBLE);
    PyObject *body = skl_py_new_frames(2, num, NPY_DOUBLE), *changed = PyArray_SimpleNew(2, shape, NPY_BOOL);
    PyObject *missed = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (offsets && turns && body && changed && missed) {
        job->offsets = skl_py_data(offsets);
        job->body = skl_py_data(body);
        job->changed = skl_py_data(changed);
        job->missed = skl_py_data(missed);
        for (npy_intp k = 0; k < legs; k++) job->legs[k].turn = (double *)skl_py_data(turns) + 3 * k * num;
        return Py_BuildValue("(NNNNN)", offsets, turns, body, changed, missed);
    }
    Py_XDECREF(offsets);
    Py_XDECREF(turns);
    Py_XDECREF(body);
    Py_XDECREF(changed);
    Py_XDECREF(missed);
    return NULL;
}

/* feet (HeldFoot), ground, up, window, the rest: see take_rest */
PyObject *skl_py_plan_paths(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("plan_paths", nargs, 5)) return NULL;
    skl_arena arena = {0};
    skl_ground ground;
    skl_plan_job job = {.ground = &ground};
    PyObject *out = NULL;
    double up[3];
    int known;
    job.legs = skl_py_held_feet(args[0], &arena, &job.num_legs, &job.num_frames);
    if (job.legs && skl_py_vector(args[2], "up", up) && skl_py_ground(args[1], up, &ground, &known) &&
        skl_py_integer(args[3], "window", &job.window) && take_rest(args[4], &job)) {
        for (int64_t k = 0; k < job.num_legs; k++) job.legs[k].offset = SKL_TAKE(&arena, double, 3 * job.num_frames);
        out = arena.failed ? PyErr_NoMemory() : room_for(&job);
    }
    if (out) {
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * 64);
        const skl_code code = skl_plan_run(&job);
        if (!skl_py_restore(lock) || code != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&job.status);
        }
    }
    skl_arena_free(&arena);
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
