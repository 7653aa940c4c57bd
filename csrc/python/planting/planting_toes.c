/* SPDX-License-Identifier: MIT */
/* Toes that bend, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/paths/bend_toes.h"

#include <math.h>
#include <string.h>

/* (joint, parent, tip, length, contacts, rises, held, skin or None) of one leg. */
static int take_toe(PyObject *leg, int64_t num_frames, int64_t num_joints, skl_arena *arena, skl_toe *out) {
    long long joint, parent;
    PyObject *tip, *contacts, *rises, *held, *skin;
    double length;
    if (!PyArg_ParseTuple(leg, "LLOdOOOO", &joint, &parent, &tip, &length, &contacts, &rises, &held, &skin)) return 0;
    *out = (skl_toe){.joint = joint, .parent = parent, .length = length, .skin = NAN};
    if (joint < 0 || joint >= num_joints || parent < 0 || parent >= num_joints) {
        PyErr_SetString(PyExc_ValueError, "a toe's joints must be among those of local");
        return 0;
    }
    if (!skl_py_vector(tip, "tip", out->tip) ||
        !skl_py_take_spans(contacts, "contacts", num_frames, arena, &out->contacts) ||
        !skl_py_take_spans(held, "held", num_frames, arena, &out->held) ||
        !(out->rises = skl_py_numbers(rises, "rises", (npy_intp)out->contacts.count)))
        return 0;
    if (skin != Py_None) out->skin = PyFloat_AsDouble(skin);
    return !PyErr_Occurred();
}

/* local, globals, toes, ground, up, ramp, window, limit */
static int take_job(PyObject *const *args, skl_arena *arena, skl_ground *ground, skl_toes_job *job) {
    const npy_intp frames = skl_py_rows(args[0], "local");
    const npy_intp joints = frames < 0 ? -1 : PyArray_DIM((PyArrayObject *)args[0], 1);
    const npy_intp shape[4] = {frames, joints, 4, 4};
    double up[3];
    int known;
    *job = (skl_toes_job){.num_frames = frames, .num_joints = joints, .num_toes = PySequence_Size(args[2])};
    int64_t window;
    if (joints < 0 || job->num_toes < 0 ||
        !(job->local = (double *)skl_py_over_frames(args[0], "local", NPY_DOUBLE, 4, shape)) ||
        !(job->globals = skl_py_over_frames(args[1], "globals", NPY_DOUBLE, 4, shape)) ||
        !skl_py_vector(args[4], "up", up) || !skl_py_ground(args[3], up, ground, &known) ||
        !(job->ramp = skl_py_numbers(args[5], "ramp", frames)) || !skl_py_integer(args[6], "window", &window) ||
        !skl_py_real(args[7], "limit", &job->limit))
        return 0;
    job->window = window;
    job->ground = ground;
    job->toes = SKL_TAKE(arena, skl_toe, job->num_toes);
    for (int64_t k = 0; job->toes && k < job->num_toes; k++) {
        PyObject *leg = PySequence_GetItem(args[2], (Py_ssize_t)k);
        const int taken = leg && take_toe(leg, frames, joints, arena, &job->toes[k]);
        Py_XDECREF(leg);
        if (!taken) return 0;
        job->toes[k].changed = SKL_TAKE(arena, uint8_t, frames);
    }
    if (arena->failed) PyErr_NoMemory();
    return !arena->failed;
}

static PyObject *skin_of(const skl_toe *toe) {
    return isnan(toe->skin) ? Py_NewRef(Py_None) : PyFloat_FromDouble(toe->skin);
}

static PyObject *changed_by(const skl_toe *toe, int64_t frames) {
    PyObject *flags = skl_py_new_frames(1, (npy_intp)frames, NPY_BOOL);
    if (flags) memcpy(skl_py_data(flags), toe->changed, (size_t)frames);
    return flags;
}

static PyObject *run(const char *name, skl_code (*job_of)(skl_toes_job *), int bends, PyObject *const *args,
                     Py_ssize_t nargs) {
    if (!skl_py_arity(name, nargs, 8)) return NULL;
    skl_arena arena = {0};
    skl_ground ground;
    skl_toes_job job;
    PyObject *out = NULL;
    if (take_job(args, &arena, &ground, &job)) {
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * job.num_toes);
        const skl_code code = job_of(&job);
        out = skl_py_restore(lock) && code == SKL_OK ? PyList_New((Py_ssize_t)job.num_toes) : skl_py_raise(&job.status);
        for (int64_t k = 0; out && k < job.num_toes; k++) {
            PyObject *each = bends ? changed_by(&job.toes[k], job.num_frames) : skin_of(&job.toes[k]);
            if (!each || PyList_SetItem(out, (Py_ssize_t)k, each) < 0) Py_CLEAR(out);
        }
    }
    skl_arena_free(&arena);
    return out;
}

PyObject *skl_py_read_skins(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    return run("read_skins", skl_read_skins, 0, args, nargs);
}

PyObject *skl_py_bend_toes(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    return run("bend_toes", skl_bend_toes, 1, args, nargs);
}
