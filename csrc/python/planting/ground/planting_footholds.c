/* SPDX-License-Identifier: MIT */
/* The ground below contacts, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include "planting/ground/read_footholds.h"

/* Track, model and contacts of a StandingFoot. */
static int take_standing(PyObject *object, skl_arena *arena, skl_track *track, skl_foot_model *model,
                         skl_foothold_leg *out) {
    PyObject *motion = skl_py_kept(object, "track"), *sole = motion ? skl_py_kept(object, "model") : NULL;
    PyObject *contacts = sole ? skl_py_kept(object, "contacts") : NULL;
    out->track = track;
    out->model = model;
    return contacts && skl_py_track(motion, track) && skl_py_foot_model(sole, model) &&
           skl_py_take_spans(contacts, "contacts", track->num_frames, arena, &out->contacts);
}

/* (place, yaw or None, tilt, along), whose numbers the job fills. */
static PyObject *foothold_of(skl_foothold_leg *leg, npy_intp num, int moves) {
    PyObject *place = skl_py_new_frames(2, num, NPY_DOUBLE), *tilt = skl_py_new_frames(2, num, NPY_DOUBLE);
    PyObject *yaw = moves ? skl_py_new_frames(3, num, NPY_DOUBLE) : Py_NewRef(Py_None);
    PyObject *out = place && tilt && yaw ? PyTuple_Pack(3, place, yaw, tilt) : NULL;
    if (out) {
        leg->place = skl_py_data(place);
        leg->tilt = skl_py_data(tilt);
        leg->yaw = moves ? skl_py_data(yaw) : NULL;
    }
    Py_XDECREF(place);
    Py_XDECREF(yaw);
    Py_XDECREF(tilt);
    return out;
}

/* (contacts, footholds: arrays and `along`, or None; holes, steep, nowhere). */
static PyObject *told(const skl_footholds_job *job, PyObject *const *arrays) {
    PyObject *contacts = PyList_New((Py_ssize_t)job->num_legs), *holds = PyList_New((Py_ssize_t)job->num_legs);
    for (int64_t k = 0; contacts && holds && !job->nowhere && k < job->num_legs; k++) {
        const skl_foothold_leg *leg = &job->legs[k];
        PyObject *spans = skl_py_span_list(leg->contacts);
        PyObject *hold =
            leg->slopes ? Py_BuildValue("(OO)", arrays[k], leg->along ? Py_True : Py_False) : Py_NewRef(Py_None);
        if (!spans || PyList_SetItem(contacts, (Py_ssize_t)k, spans) < 0) Py_CLEAR(contacts);
        if (!hold || PyList_SetItem(holds, (Py_ssize_t)k, hold) < 0) Py_CLEAR(holds);
    }
    PyObject *out = contacts && holds ? Py_BuildValue("(OOLLO)", contacts, holds, (long long)job->holes,
                                                      (long long)job->steep, job->nowhere ? Py_True : Py_False)
                                      : NULL;
    Py_XDECREF(contacts);
    Py_XDECREF(holds);
    return out;
}

/* feet (StandingFoot), ground, up, weight, steepest, window, pin, part */
PyObject *skl_py_read_footholds(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("read_footholds", nargs, 8)) return NULL;
    skl_arena arena = {0};
    skl_ground ground;
    skl_footholds_job job = {.num_legs = PySequence_Size(args[0]), .ground = &ground};
    double up[3];
    int known;
    const int64_t num = job.num_legs < 0 ? 0 : job.num_legs;
    skl_track *tracks = SKL_TAKE(&arena, skl_track, num);
    skl_foot_model *models = SKL_TAKE(&arena, skl_foot_model, num);
    PyObject **arrays = SKL_ZEROS(&arena, PyObject *, num), *out = NULL;
    job.legs = SKL_ZEROS(&arena, skl_foothold_leg, num);
    if (arena.failed) PyErr_NoMemory();
    int taken = !arena.failed && job.num_legs >= 0 && skl_py_vector(args[2], "up", up) &&
                skl_py_ground(args[1], up, &ground, &known) && skl_py_real(args[3], "weight", &job.weight) &&
                skl_py_real(args[4], "steepest", &job.steepest) && skl_py_integer(args[5], "window", &job.window);
    job.pin = PyObject_IsTrue(args[6]);
    job.part = PyObject_IsTrue(args[7]);
    for (int64_t k = 0; taken && k < num; k++) {
        PyObject *foot = PySequence_GetItem(args[0], (Py_ssize_t)k);
        taken = foot && take_standing(foot, &arena, &tracks[k], &models[k], &job.legs[k]);
        Py_XDECREF(foot);
        taken = taken && (arrays[k] = foothold_of(&job.legs[k], (npy_intp)tracks[k].num_frames, ground.moves));
    }
    if (taken) {
        job.num_frames = num ? tracks[0].num_frames : 0;
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * num);
        const skl_code code = skl_footholds_run(&job, &arena);
        out = skl_py_restore(lock) && code == SKL_OK ? told(&job, arrays) : skl_py_raise(&job.status);
    }
    for (int64_t k = 0; arrays && k < num; k++) Py_XDECREF(arrays[k]);
    skl_arena_free(&arena);
    return out;
}
