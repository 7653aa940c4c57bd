/* SPDX-License-Identifier: MIT */
/* Curves of feet on the ground, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/measure/foot_curves.h"

/* height, speed, knee, steps, ball_height, ball_steps, roll: new arrays. */
static PyObject *room_for(npy_intp num, skl_foot_curves *out) {
    static const int ndim[6] = {1, 1, 1, 2, 1, 2};
    double **into[6] = {&out->height, &out->speed, &out->knee, &out->steps, &out->ball_height, &out->ball_steps};
    PyObject *tuple = PyTuple_New(7), *roll = skl_py_new_frames(1, num, NPY_INT8);
    for (Py_ssize_t i = 0; tuple && i < 6; i++) {
        PyObject *array = skl_py_new_frames(ndim[i], ndim[i] == 2 ? num - 1 : num, NPY_DOUBLE);
        if (array) *into[i] = skl_py_data(array);
        if (!array || PyTuple_SetItem(tuple, i, array) < 0) Py_CLEAR(tuple);
    }
    if (roll) out->roll = skl_py_data(roll);
    if (!tuple || !roll) {
        Py_XDECREF(roll);
        Py_XDECREF(tuple);
        return NULL;
    }
    PyTuple_SetItem(tuple, 6, roll);
    return tuple;
}

/* track, model, ground, up, fps, ground_step or None, foothold or None */
PyObject *skl_py_foot_curves(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_track track;
    skl_foot_model model;
    skl_ground ground;
    skl_foothold hold;
    double up[3], step[3];
    skl_py_taken taken = {0};
    skl_foot_curves_job job = {.track = &track, .sole = &model.sole, .ground = &ground, .arena = &taken.arena};
    int known, held;
    PyObject *out = NULL;
    if (skl_py_arity("foot_curves", nargs, 7) && skl_py_track(args[0], &taken, &track) &&
        skl_py_foot_model(args[1], &taken, &model) && skl_py_vector(args[3], "up", up) &&
        skl_py_ground(args[2], up, &taken, &ground, &known) && skl_py_real(args[4], "fps", &job.fps) &&
        (args[5] == Py_None || skl_py_vector(args[5], "ground_step", step)) &&
        skl_py_foothold(args[6], track.num_frames, &taken, &hold, &held)) {
        job.ground_step = args[5] == Py_None ? NULL : step;
        job.hold = held ? &hold : NULL;
        out = track.num_frames ? room_for((npy_intp)track.num_frames, &job.out)
                               : PyErr_Format(PyExc_ValueError, "track has no frames");
    }
    if (!out) {
        skl_py_drop(&taken);
        return NULL;
    }
    PyThreadState *lock = skl_py_release_on(&ground, track.num_frames * 16);
    const int done = skl_read_foot_curves(&job);
    return skl_py_finished(lock, out, done, &taken);
}
