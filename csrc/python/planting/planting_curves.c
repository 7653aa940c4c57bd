/* SPDX-License-Identifier: MIT */
/* Curves of feet on the ground, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/measure/foot_curves.h"

#include <string.h>

/* New arrays by the names of FootCurves. */
static PyObject *room_for(npy_intp num, skl_foot_curves *out) {
    const struct {
        const char *name;
        int ndim, type;
        void *into;
    } curves[] = {{"height", 1, NPY_DOUBLE, &out->height},
                  {"speed", 1, NPY_DOUBLE, &out->speed},
                  {"knee", 1, NPY_DOUBLE, &out->knee},
                  {"steps", 2, NPY_DOUBLE, &out->steps},
                  {"ball_height", 1, NPY_DOUBLE, &out->ball_height},
                  {"ball_steps", 2, NPY_DOUBLE, &out->ball_steps},
                  {"roll", 1, NPY_INT8, &out->roll}};
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof curves / sizeof *curves; i++) {
        PyObject *array = skl_py_new_frames(curves[i].ndim, num - (curves[i].ndim == 2), curves[i].type);
        void *data = array ? skl_py_data(array) : NULL;
        memcpy(curves[i].into, &data, sizeof data);
        if (!array || PyDict_SetItemString(dict, curves[i].name, array) < 0) Py_CLEAR(dict);
        Py_XDECREF(array);
    }
    return dict;
}

/* track, model, ground, up, fps, ground_step or None, foothold or None */
PyObject *skl_py_foot_curves(PyObject *const *args) {
    skl_track track;
    skl_foot_model model;
    skl_ground ground;
    skl_foothold hold;
    double up[3], step[3];
    skl_py_taken taken = {0};
    skl_foot_curves_job job = {.track = &track, .sole = &model.sole, .ground = &ground, .arena = &taken.arena};
    int known, held;
    PyObject *out = NULL;
    if (skl_py_track(args[0], &taken, &track) && skl_py_foot_model(args[1], &taken, &model) &&
        skl_py_vector(args[3], "up", up) && skl_py_ground(args[2], up, &taken, &ground, &known) &&
        skl_py_real(args[4], "fps", &job.fps) && (args[5] == Py_None || skl_py_vector(args[5], "ground_step", step)) &&
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
