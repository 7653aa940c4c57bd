/* SPDX-License-Identifier: MIT */
/* How standing feet are held, for Python. */
#include "planting_models.h"

#include <string.h>

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "planting/motion/hold_and_refit.h"
#include "planting/motion/hold_flat.h"

/* Turn and spans, which Hold is made of. */
static PyObject *hold_fields(const skl_hold *hold, int64_t num_frames) {
    PyObject *turn = skl_py_new_frames(2, num_frames, NPY_DOUBLE);
    if (turn) memcpy(skl_py_data(turn), hold->turn, (size_t)(3 * num_frames) * sizeof *hold->turn);
    return Py_BuildValue("NN", turn, skl_py_span_list(hold->spans));
}

static int take_rate(PyObject *fps, PyObject *window, double *rate, int64_t *frames) {
    *rate = PyFloat_AsDouble(fps);
    if (PyErr_Occurred() || !skl_py_integer(window, "window", frames)) return 0;
    if (*frames > 0) return 1;
    PyErr_SetString(PyExc_ValueError, "window: one frame is needed at least");
    return 0;
}

/* track, model, contacts, up, fps, window */
PyObject *skl_py_hold_flat(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_track track;
    skl_foot_model model;
    skl_flat_foot foot = {.track = &track, .model = &model};
    skl_py_taken taken = {0};
    PyObject *result = NULL;
    if (skl_py_arity("hold_flat", nargs, 6) && skl_py_track(args[0], &taken, &track) &&
        skl_py_foot_model(args[1], &model) && skl_py_vector(args[3], "up", foot.up) &&
        take_rate(args[4], args[5], &foot.fps, &foot.window) &&
        skl_py_take_spans(args[2], "contacts", track.num_frames, &taken.arena, &foot.contacts)) {
        skl_foot_spin spin;
        skl_hold hold;
        foot.spin = &spin;
        PyThreadState *lock = skl_py_release(track.num_frames);
        skl_read_spin(&track, foot.fps, &taken.arena, &spin);
        if (!taken.arena.failed) skl_hold_flat(&foot, &taken.arena, &hold);
        if (skl_py_restore(lock)) result = taken.arena.failed ? PyErr_NoMemory() : hold_fields(&hold, track.num_frames);
    }
    skl_py_drop(&taken);
    return result;
}

static PyObject *refit_out(const skl_refit_job *job) {
    const Py_ssize_t legs = (Py_ssize_t)job->num_legs;
    PyObject *holds = PyList_New(legs);
    for (Py_ssize_t k = 0; holds && k < legs; k++) {
        PyObject *each = hold_fields(&job->holds[k], job->tracks->num_frames);
        if (!each || PyList_SetItem(holds, k, each) < 0) Py_CLEAR(holds);
    }
    return Py_BuildValue("NNNN", skl_py_list_of_models(job->models, legs),
                         skl_py_list_of_models(job->hold_models, legs), holds,
                         skl_py_list_of_flags(job->still, job->tracks->num_frames, legs));
}

/* All but tracks, of hold_and_refit. */
static int take_refit(PyObject *const *args, Py_ssize_t legs, skl_refit_job *job) {
    const npy_intp num = job->tracks->num_frames;
    job->num_legs = legs;
    return (job->models = skl_py_foot_models(args[1], job->arena, legs)) &&
           (job->still = skl_py_leg_flags(args[2], "still", num, job->arena, legs)) &&
           (job->clearance = skl_py_leg_numbers(args[3], "clearances", job->arena, legs)) &&
           (job->contacts = skl_py_span_lists(args[4], "contacts", num, job->arena, legs)) &&
           (job->flat = skl_py_span_lists(args[5], "flat", num, job->arena, legs)) &&
           (job->own = skl_py_over_frames(args[6], "own", NPY_BOOL, 1, &num)) &&
           skl_py_vector(args[7], "up", job->up) && take_rate(args[8], args[9], &job->fps, &job->window) &&
           (job->pins = PyObject_IsTrue(args[10])) >= 0;
}

/* tracks, models, still, clearances, contacts, flat, own, up, fps, window, pins */
PyObject *skl_py_hold_and_refit(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("hold_and_refit", nargs, 11)) return NULL;
    skl_py_taken taken = {0};
    skl_refit_job job = {.arena = &taken.arena};
    Py_ssize_t legs = -1;
    PyObject *result = NULL;
    job.tracks = skl_py_tracks(args[0], &taken, &legs);
    if (job.tracks && legs > 0 && take_refit(args, legs, &job)) {
        job.hold_models = SKL_ZEROS(&taken.arena, skl_foot_model, legs);
        job.holds = SKL_ZEROS(&taken.arena, skl_hold, legs);
        PyThreadState *lock = skl_py_release(job.tracks->num_frames);
        const skl_code code = skl_hold_and_refit(&job);
        result = skl_py_restore(lock) && code == SKL_OK ? refit_out(&job) : skl_py_raise(&job.status);
    } else if (job.tracks && legs == 0) {
        PyErr_SetString(PyExc_ValueError, "tracks: one leg is needed at least");
    }
    skl_py_drop(&taken);
    return result;
}
