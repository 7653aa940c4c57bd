/* SPDX-License-Identifier: MIT */
/* What is known of a motion while it is planted, for Python: read once, kept in a capsule, asked again for its parts.
 * The package hands in its own dataclasses and packed arrays. */
#include "planting_scene.h"

#include <math.h>
#include <string.h>

#include "python/planting/planting_models.h"
#include "planting_loop.h"
#include "planting_rig.h"
#include "planting_options.h"
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/objects.h"

#include "planting/engine/body_up.h"

static const char NAME[] = "skelkin.scene";

static void free_kept(PyObject *capsule) {
    skl_kept_planting *kept = PyCapsule_GetPointer(capsule, NAME);
    skl_plant_free(kept->planting);
    skl_py_drop(&kept->taken);
    PyMem_Free(kept);
}

PyObject *skl_py_keep_planting(PyObject *const *args, Py_ssize_t count, skl_kept_planting **out) {
    skl_kept_planting *kept = PyMem_Calloc(1, sizeof *kept);
    if (!kept) return PyErr_NoMemory();
    PyObject *capsule = PyCapsule_New(kept, NAME, free_kept);
    if (!capsule) {
        PyMem_Free(kept);
        return NULL;
    }
    for (Py_ssize_t i = 0; capsule && i < count; i++)
        if (!skl_py_keep(&kept->taken, Py_NewRef(args[i]))) Py_CLEAR(capsule);
    *out = kept;
    return capsule;
}

skl_kept_planting *skl_py_kept_planting(PyObject *capsule) { return PyCapsule_GetPointer(capsule, NAME); }

/* --- what is told --------------------------------------------------------------------------------------------------
 */

PyObject *skl_py_told_frames(PyObject *owner, const void *numbers, int ndim, int64_t num_frames) {
    const npy_intp shape[3] = {(npy_intp)num_frames, 3, 3};
    if (owner) return skl_py_view(owner, numbers, NPY_DOUBLE, ndim, shape);
    PyObject *out = skl_py_new_frames(ndim, shape[0], NPY_DOUBLE);
    const size_t columns = ndim == 1 ? 1 : ndim == 2 ? 3 : 9;
    if (out) memcpy(skl_py_data(out), numbers, (size_t)num_frames * columns * sizeof(double));
    return out;
}

PyObject *skl_py_told_vector(const double *vector) {
    const npy_intp three = 3;
    if (!vector || isnan(vector[0])) return Py_NewRef(Py_None);
    PyObject *out = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (out) memcpy(skl_py_data(out), vector, 3 * sizeof *vector);
    return out;
}

static PyObject *told_foothold(PyObject *owner, const skl_foothold *ground) {
    if (!ground) return Py_NewRef(Py_None);
    const int64_t num = ground->num_frames;
    PyObject *yaw = ground->yaw ? skl_py_told_frames(owner, ground->yaw, 3, num) : Py_NewRef(Py_None);
    return Py_BuildValue("NNNO", skl_py_told_frames(owner, ground->place, 2, num), yaw,
                         skl_py_told_frames(owner, ground->tilt, 2, num), ground->along ? Py_True : Py_False);
}

static PyObject *told_numbers(const double *numbers, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *number = PyFloat_FromDouble(numbers[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *skl_py_told_counts(const int64_t *counts, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *number = PyLong_FromLongLong(counts[i]);
        if (!number || PyList_SetItem(list, (Py_ssize_t)i, number) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *told_places(const double *places, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t i = 0; list && i < count; i++) {
        PyObject *place = skl_py_told_vector(places + 3 * i);
        if (!place || PyList_SetItem(list, (Py_ssize_t)i, place) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *skl_py_told_feet(PyObject *owner, const skl_stance *stances, int64_t legs) {
    PyObject *list = PyList_New((Py_ssize_t)legs);
    for (int64_t k = 0; list && k < legs; k++) {
        const skl_stance *own = &stances[k];
        const int64_t count = own->foot.contacts.count;
        PyObject *each = Py_BuildValue(
            "NNNNNN", skl_py_told_frames(owner, own->foot.turn, 2, own->foot.track->num_frames),
            skl_py_span_list(own->held), told_foothold(owner, own->foot.ground), told_numbers(own->rises, count),
            skl_py_told_vector(own->foot.ground_step), told_places(own->places, count));
        if (!each || PyList_SetItem(list, (Py_ssize_t)k, each) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *told_levels(const skl_scene *scene) {
    const skl_levels *l = &scene->levels;
    if (!scene->stances || !scene->has_levels) return Py_NewRef(Py_None);
    PyObject *rises = PyList_New(0);
    for (int64_t k = 0; rises && k < scene->rig->num_legs; k++) {
        PyObject *own = told_numbers(scene->rises[k], scene->contacts[k].count);
        if (!own || PyList_Append(rises, own) < 0) Py_CLEAR(rises);
        Py_XDECREF(own);
    }
    return Py_BuildValue("((ddddddO)N)", l->level, l->ground, l->near, l->uneven, l->spread, l->length,
                         l->given ? Py_True : Py_False, rises);
}

PyObject *skl_py_told_scene(PyObject *capsule, const skl_scene *scene) {
    const Py_ssize_t legs = (Py_ssize_t)scene->rig->num_legs;
    PyObject *feet = scene->stances ? skl_py_told_feet(capsule, scene->stances, legs) : PyList_New(0);
    return Py_BuildValue("NONNNLLN", skl_py_lists_of_spans(scene->contacts, legs),
                         scene->contacts_outside ? Py_True : Py_False, skl_py_list_of_models(scene->models, legs), feet,
                         told_levels(scene), (long long)scene->holes, (long long)scene->steep,
                         skl_py_told_counts(scene->rolls_left, legs));
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

static PyObject *told_track(const skl_track *track, int64_t num) {
    PyObject *ball = skl_py_told_vector(track->has_ball ? track->ball : NULL);
    return Py_BuildValue("NNNNNNOdN", skl_py_told_frames(NULL, track->hip, 2, num),
                         skl_py_told_frames(NULL, track->knee, 2, num), skl_py_told_frames(NULL, track->ankle, 2, num),
                         skl_py_told_frames(NULL, track->foot, 3, num),
                         skl_py_told_frames(NULL, track->flexion, 1, num), ball, track->bends ? Py_True : Py_False,
                         track->length, skl_py_told_vector(track->hinge));
}

PyObject *skl_py_told_tracks(const skl_track *tracks, int64_t legs, int64_t num_frames) {
    PyObject *list = PyList_New((Py_ssize_t)legs);
    for (int64_t k = 0; list && k < legs; k++) {
        PyObject *each = told_track(&tracks[k], num_frames);
        if (!each || PyList_SetItem(list, (Py_ssize_t)k, each) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *skl_py_told_trouble(const skl_leg_trouble *t) {
    return Py_BuildValue("iLLLi(ddd)", (int)t->fault, (long long)t->leg, (long long)t->frame, (long long)t->count,
                         t->part, t->value[0], t->value[1], t->value[2]);
}

/* subset, local: tracks, and of thigh and shin of each leg in how many frames they have no length, and the first of
 * them from first to last; or what is wrong: fault, leg, frame, count, part, value */
PyObject *skl_py_read_tracks(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("read_tracks", nargs, 2)) return NULL;
    skl_py_taken taken = {0};
    skl_plant_rig rig;
    skl_read_tracks_job job = {.rig = &rig, .arena = &taken.arena};
    PyObject *out = NULL;
    if (skl_py_rig(module, args[0], &taken, &rig) && (job.local = skl_py_poses(args[1], &rig, &job.num_frames))) {
        job.tracks = SKL_ZEROS(&taken.arena, skl_track, rig.num_legs);
        job.no_bones = SKL_ZEROS(&taken.arena, int64_t, 6 * rig.num_legs);
        if (taken.arena.failed || !job.num_frames) {
            out = taken.arena.failed ? PyErr_NoMemory()
                                     : PyErr_Format(PyExc_ValueError, "local: one frame is needed at least");
        } else {
            PyThreadState *lock = skl_py_release(job.num_frames * 8 * rig.num_legs);
            const skl_code code = skl_read_tracks_run(&job);
            if (!skl_py_restore(lock))
                out = NULL;
            else if (code == SKL_OK)
                out = Py_BuildValue("NN", skl_py_told_tracks(job.tracks, rig.num_legs, job.num_frames),
                                    skl_py_told_counts(job.no_bones, 6 * rig.num_legs));
            else
                out = code == SKL_BAD_VALUE && job.trouble.fault ? skl_py_told_trouble(&job.trouble)
                                                                 : skl_py_raise(&job.status);
        }
    }
    skl_py_drop(&taken);
    return out;
}

/* top, feet (F, 3), rest (3,) or None, fps: up and its share; None where there is no direction */
PyObject *skl_py_body_up(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    double rest[3], up[3], fps, share;
    const double *top, *feet;
    if (!skl_py_arity("body_up", nargs, 4)) return NULL;
    const npy_intp num = skl_py_rows(args[0], "top");
    if (num < 0 || !(top = skl_py_vectors(args[0], "top", num)) || !(feet = skl_py_vectors(args[1], "feet", num)) ||
        (args[2] != Py_None && !skl_py_vector(args[2], "rest", rest)) || !skl_py_real(args[3], "fps", &fps))
        return NULL;
    if (!num || !skl_body_up(num, top, feet, args[2] == Py_None ? NULL : rest, fps, up, &share))
        return Py_NewRef(Py_None);
    return Py_BuildValue("Nd", skl_py_told_vector(up), share);
}

/* --- looking again -------------------------------------------------------------------------------------------------
 */

/* --- parts ---------------------------------------------------------------------------------------------------------
 */
