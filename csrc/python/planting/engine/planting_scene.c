/* SPDX-License-Identifier: MIT */
/* What is known of a motion while it is planted, for Python: read once, kept in a capsule, read again for its parts.
 * The package hands in its own dataclasses and packed arrays. */
#include "planting_scene.h"

#include <math.h>

#include "planting_rig.h"
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/objects.h"

#include "planting/engine/body_up.h"
#include "planting/engine/engine_constants.h"

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

/* --- as Python objects ----------------------------------------------------------------------------------------------
 */

PyObject *skl_py_vector_array(const double *vector) {
    const npy_intp three = 3;
    if (!vector || isnan(vector[0])) return Py_NewRef(Py_None);
    return skl_py_copy(vector, NPY_DOUBLE, 1, &three, 3 * sizeof *vector);
}

/* How feet are held, HeldFoot per leg. */
static PyObject *foot_dicts(PyObject *owner, const skl_scene *scene) {
    const Py_ssize_t legs = scene->stances ? (Py_ssize_t)scene->rig->num_legs : 0;
    PyObject *list = PyList_New(legs);
    for (Py_ssize_t k = 0; list && k < legs; k++) {
        const skl_stance *own = &scene->stances[k];
        const skl_foothold *ground = own->foot.ground;
        PyObject *foothold =
            ground ? skl_py_dict(skl_py_foothold_fields, ground, ground->num_frames, owner) : Py_NewRef(Py_None);
        skl_py_put(&list, k,
                   Py_BuildValue("{s:N,s:N,s:N}", "rises", skl_py_number_list(own->rises, own->foot.contacts.count),
                                 "held", skl_py_span_list(own->held), "foothold", foothold));
    }
    return list;
}

#define FIELD(name, kind) {#name, SKL_PY_##kind, offsetof(skl_levels, name), 0, 0, NULL}
static const skl_py_field level_fields[] = {
    FIELD(level, NUMBER),  FIELD(ground, NUMBER), FIELD(near, NUMBER), FIELD(uneven, NUMBER),
    FIELD(spread, NUMBER), FIELD(length, NUMBER), FIELD(given, FLAG),  {0}};
#undef FIELD

PyObject *skl_py_standing_dict(PyObject *capsule, const skl_scene *scene) {
    const Py_ssize_t legs = (Py_ssize_t)scene->rig->num_legs;
    const int has_levels = scene->stances && scene->has_levels;
    PyObject *rises = PyList_New(has_levels ? legs : 0);
    for (Py_ssize_t k = 0; rises && has_levels && k < legs; k++)
        skl_py_put(&rises, k, skl_py_number_list(scene->rises[k], scene->contacts[k].count));
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:L,s:L,s:N}", "contacts",
                         skl_py_lists_of_spans(scene->contacts, legs), "outside",
                         PyBool_FromLong(scene->contacts_outside), "models",
                         skl_py_dicts(skl_py_model_fields, scene->models, sizeof *scene->models, legs, 0), "feet",
                         foot_dicts(capsule, scene), "levels",
                         has_levels ? skl_py_dict(level_fields, &scene->levels, 0, NULL) : Py_NewRef(Py_None), "rises",
                         rises, "holes", (long long)scene->holes, "steep", (long long)scene->steep, "rolls_left",
                         skl_py_count_list(scene->rolls_left, legs));
}

/* --- reading -------------------------------------------------------------------------------------------------------
 */

PyObject *skl_py_track_dicts(const skl_track *tracks, int64_t legs, int64_t num_frames) {
    return skl_py_dicts(skl_py_track_fields, tracks, sizeof *tracks, legs, num_frames);
}

int skl_py_add_refusal(PyObject *module) {
    PyObject *type = PyErr_NewException("skelkin_py._core.RefusalError", PyExc_ValueError, NULL);
    PyObject *longest = PyFloat_FromDouble(LONGEST_LEG);
    const int done = type && longest && PyModule_AddObjectRef(module, "RefusalError", type) == 0 &&
                     PyModule_AddObjectRef(module, "LONGEST_LEG", longest) == 0 &&
                     PyModule_AddStringConstant(module, "LEG_SIZE", SKL_LEG_SIZE) == 0;
    Py_XDECREF(type);
    Py_XDECREF(longest);
    return done ? 0 : -1;
}

PyObject *skl_py_refuse(PyObject *module, const skl_status *status) {
    char text[512];
    if (status->code != SKL_BAD_VALUE || PyErr_Occurred()) return skl_py_raise(status);
    PyObject *type = PyObject_GetAttrString(module, "RefusalError");
    PyObject *error = type ? PyObject_CallFunction(type, "s", skl_status_text(status, text, sizeof text)) : NULL;
    PyObject *own = error ? PyObject_GetAttrString(error, "__dict__") : NULL;
    PyObject *fields = Py_BuildValue("{s:s,s:N,s:N,s:s}", "argument", status->argument, "index",
                                     skl_py_count_list(status->index, status->num_indices), "value",
                                     skl_py_number_list(status->value, status->num_values), "rule", status->rule);
    if (own && fields && PyDict_Update(own, fields) == 0) PyErr_SetObject(type, error);
    Py_XDECREF(fields);
    Py_XDECREF(own);
    Py_XDECREF(error);
    Py_XDECREF(type);
    return NULL;
}

/* subset, local, tracks of other motion of the same legs or None: tracks */
PyObject *skl_py_read_tracks(PyObject *module, PyObject *const *args) {
    skl_py_taken taken = {0};
    skl_plant_rig rig;
    skl_read_tracks_job job = {.rig = &rig, .arena = &taken.arena};
    const skl_track *like = NULL;
    PyObject *out = NULL;
    if (skl_py_rig(module, args[0], &taken, &rig) && (job.local = skl_py_poses(args[1], &rig, &job.num_frames)) &&
        (args[2] == Py_None || (like = skl_py_tracks(args[2], &taken, &(Py_ssize_t){(Py_ssize_t)rig.num_legs})))) {
        job.tracks = SKL_ZEROS(&taken.arena, skl_track, rig.num_legs);
        if (taken.arena.failed || !job.num_frames) {
            out = taken.arena.failed ? PyErr_NoMemory()
                                     : PyErr_Format(PyExc_ValueError, "local: one frame is needed at least");
        } else {
            PyThreadState *lock = skl_py_release(job.num_frames * 8 * rig.num_legs);
            const skl_code code =
                like ? skl_read_tracks_like(&rig, job.num_frames, job.local, like, job.arena, job.tracks, &job.status)
                     : skl_read_tracks_run(&job);
            if (skl_py_restore(lock))
                out = code == SKL_OK ? skl_py_track_dicts(job.tracks, rig.num_legs, job.num_frames)
                                     : skl_py_refuse(module, &job.status);
        }
    }
    skl_py_drop(&taken);
    return out;
}

/* top, hips, feet (F, 3), rest (3,) or None, lowest (6 F,) or None, fps: up and its share */
PyObject *skl_py_body_up(PyObject *module, PyObject *const *args) {
    double rest[3], up[3], share;
    const double *given = NULL;
    skl_body_path body = {.num_frames = skl_py_rows(args[0], "top")};
    const npy_intp num = (npy_intp)body.num_frames;
    if (num < 0 || !(body.top = skl_py_vectors(args[0], "top", num)) ||
        !(body.hips = skl_py_vectors(args[1], "hips", num)) || !(body.feet = skl_py_vectors(args[2], "feet", num)) ||
        (args[3] != Py_None && !skl_py_vector(args[3], "rest", rest)) ||
        (args[4] != Py_None && !(given = skl_py_numbers(args[4], "lowest", 6 * num))) ||
        !skl_py_real(args[5], "fps", &body.fps))
        return NULL;
    if (args[3] != Py_None) body.rest = rest;
    if (!num || !skl_body_up(&body, up, &share)) {
        const skl_status status = {.code = SKL_BAD_VALUE, .argument = "up", .rule = SKL_NO_UP};
        return skl_py_refuse(module, &status);
    }
    if (given && body.rest && skl_up_is_doubtful(&body, up, share)) {
        double *lowest = PyMem_New(double, 6 * (size_t)num);
        if (!lowest) return PyErr_NoMemory();
        memcpy(lowest, given, 6 * (size_t)num * sizeof *lowest);
        skl_floor_up(&body, lowest, up, &share);
        PyMem_Free(lowest);
    }
    return Py_BuildValue("Nd", skl_py_vector_array(up), share);
}
