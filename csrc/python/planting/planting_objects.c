/* SPDX-License-Identifier: MIT */
#include "planting_objects.h"

#include "python/base/args.h"

#include <math.h>
#include <string.h>

PyObject *skl_py_keep(skl_py_taken *taken, PyObject *value) {
    if (value && !taken->owned) taken->owned = PyList_New(0);
    const int kept = value && taken->owned && PyList_Append(taken->owned, value) == 0;
    Py_XDECREF(value);
    return kept ? value : NULL;
}

PyObject *skl_py_attribute(skl_py_taken *taken, PyObject *object, const char *name) {
    return skl_py_keep(taken, PyObject_GetAttrString(object, name));
}

void skl_py_drop(skl_py_taken *taken) {
    skl_arena_free(&taken->arena);
    Py_CLEAR(taken->owned);
}

/* The numbers of an attribute that is a packed array of doubles. */
static const double *array_in(PyObject *object, skl_py_taken *taken, const char *name, int ndim,
                              const npy_intp *shape) {
    PyObject *value = skl_py_attribute(taken, object, name);
    return value ? skl_py_over_frames(value, name, NPY_DOUBLE, ndim, shape) : NULL;
}

static int vector_in(PyObject *object, const char *name, double out[3]) {
    PyObject *value = PyObject_GetAttrString(object, name);
    const int taken = value && skl_py_vector(value, name, out);
    Py_XDECREF(value);
    return taken;
}

PyObject *skl_py_finished(PyThreadState *lock, PyObject *out, int done, skl_py_taken *taken) {
    out = skl_py_give(lock, out);
    if (out && !done) {
        Py_CLEAR(out);
        if (!PyErr_Occurred()) PyErr_NoMemory();
    }
    skl_py_drop(taken);
    return out;
}

int skl_py_optional_vector(PyObject *object, const char *name, double out[3], int *has) {
    PyObject *value = PyObject_GetAttrString(object, name);
    if (!value) return 0;
    *has = value != Py_None;
    const int taken = !*has || skl_py_vector(value, name, out);
    Py_DECREF(value);
    return taken;
}

int skl_py_number(PyObject *object, const char *name, int none, double *out) {
    PyObject *value = PyObject_GetAttrString(object, name);
    if (!value) return 0;
    *out = none && value == Py_None ? NAN : PyFloat_AsDouble(value);
    Py_DECREF(value);
    return !PyErr_Occurred();
}

int skl_py_flag(PyObject *object, const char *name, int *out) {
    PyObject *value = PyObject_GetAttrString(object, name);
    if (!value) return 0;
    *out = PyObject_IsTrue(value);
    Py_DECREF(value);
    return *out >= 0;
}

int skl_py_track(PyObject *object, skl_py_taken *taken, skl_track *out) {
    memset(out, 0, sizeof *out);
    PyObject *hip = skl_py_attribute(taken, object, "hip");
    const npy_intp num = hip ? skl_py_rows(hip, "hip") : -1, shape[3] = {num, 3, 3};
    out->num_frames = num;
    return num >= 0 && (out->hip = skl_py_vectors(hip, "hip", num)) &&
           (out->knee = array_in(object, taken, "knee", 2, shape)) &&
           (out->ankle = array_in(object, taken, "ankle", 2, shape)) &&
           (out->foot = array_in(object, taken, "foot", 3, shape)) &&
           (out->flexion = array_in(object, taken, "flexion", 1, shape)) && vector_in(object, "hinge", out->hinge) &&
           skl_py_optional_vector(object, "ball", out->ball, &out->has_ball) &&
           skl_py_optional_vector(object, "marker", out->marker, &out->has_marker) &&
           skl_py_optional_vector(object, "rest_up", out->rest_up, &out->has_rest_up) &&
           skl_py_flag(object, "bends", &out->bends) && skl_py_number(object, "length", 0, &out->length);
}

int skl_py_foot_model(PyObject *object, skl_foot_model *out) {
    memset(out, 0, sizeof *out);
    PyObject *source = PyObject_GetAttrString(object, "source");
    if (!source) return 0;
    out->from_rest_pose = PyUnicode_Check(source) && !PyUnicode_CompareWithASCIIString(source, "rest pose");
    Py_DECREF(source);
    return vector_in(object, "heel", out->sole.heel) && vector_in(object, "ball", out->sole.ball) &&
           vector_in(object, "back", out->sole.back) && vector_in(object, "along", out->sole.along) &&
           skl_py_number(object, "drop", 0, &out->sole.drop) && skl_py_number(object, "raised", 0, &out->sole.raised) &&
           skl_py_number(object, "clearance", 0, &out->clearance);
}

int skl_py_foothold(PyObject *object, int64_t num_frames, skl_py_taken *taken, skl_foothold *out, int *known) {
    memset(out, 0, sizeof *out);
    *known = object != Py_None;
    if (!*known) return 1;
    const npy_intp shape[3] = {num_frames, 3, 3};
    PyObject *yaw = skl_py_attribute(taken, object, "yaw");
    if (!yaw) return 0;
    out->num_frames = num_frames;
    if (!(out->place = array_in(object, taken, "place", 2, shape)) ||
        !(out->tilt = array_in(object, taken, "tilt", 2, shape)) ||
        !(out->lean = array_in(object, taken, "lean", 3, shape)) ||
        !(out->turn = array_in(object, taken, "turn", 3, shape)) ||
        (yaw != Py_None && !(out->yaw = skl_py_matrices(yaw, "yaw", (npy_intp)num_frames))) ||
        !skl_py_flag(object, "along", &out->along))
        return 0;
    for (int64_t i = 0; i < 3 * num_frames && !out->tilts; i++) out->tilts = out->tilt[i] != 0.0;
    return 1;
}

/* How many objects a sequence holds, if that is `count` or that is -1; or -1 and an exception. */
static Py_ssize_t size_of(PyObject *sequence, const char *name, Py_ssize_t count) {
    const Py_ssize_t size = PySequence_Size(sequence);
    if (size < 0 || count < 0 || size == count) return size;
    PyErr_Format(PyExc_ValueError, "%s: %zd are needed, one per leg, not %zd", name, count, size);
    return -1;
}

/* Memory for as many; NULL with an exception. */
static void *room_for(skl_arena *arena, Py_ssize_t count, size_t size) {
    void *room = count < 0 ? NULL : skl_arena_take(arena, count, size);
    if (!room && count >= 0) PyErr_NoMemory();
    return room;
}

skl_track *skl_py_tracks(PyObject *sequence, skl_py_taken *taken, Py_ssize_t *count) {
    *count = size_of(sequence, "tracks", *count);
    skl_track *out = room_for(&taken->arena, *count, sizeof *out);
    for (Py_ssize_t k = 0; out && k < *count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        if (!each || !skl_py_track(each, taken, &out[k])) {
            out = NULL;
        } else if (out[k].num_frames != out[0].num_frames) {
            PyErr_Format(PyExc_ValueError, "tracks[%zd] has another number of frames than the first", k);
            out = NULL;
        }
        Py_XDECREF(each);
    }
    return out;
}

skl_foot_model *skl_py_foot_models(PyObject *sequence, skl_arena *arena, Py_ssize_t count) {
    count = size_of(sequence, "models", count);
    skl_foot_model *out = room_for(arena, count, sizeof *out);
    for (Py_ssize_t k = 0; out && k < count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        if (!each || !skl_py_foot_model(each, &out[k])) out = NULL;
        Py_XDECREF(each);
    }
    return out;
}

int skl_py_take_spans(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena, skl_spans *out) {
    npy_intp count;
    int64_t *pairs = skl_py_spans(sequence, name, num_frames, &count);
    if (!pairs) return 0;
    out->count = count;
    out->at = room_for(arena, count, sizeof *out->at);
    for (npy_intp i = 0; out->at && i < count; i++) out->at[i] = (skl_span){pairs[2 * i], pairs[2 * i + 1]};
    PyMem_Free(pairs);
    return out->at != NULL;
}

skl_spans *skl_py_span_lists(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena,
                             Py_ssize_t count) {
    count = size_of(sequence, name, count);
    skl_spans *out = room_for(arena, count, sizeof *out);
    for (Py_ssize_t k = 0; out && k < count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        if (!each || !skl_py_take_spans(each, name, num_frames, arena, &out[k])) out = NULL;
        Py_XDECREF(each);
    }
    return out;
}

PyObject *skl_py_span_list(skl_spans spans) {
    PyObject *list = PyList_New((Py_ssize_t)spans.count);
    for (int64_t i = 0; list && i < spans.count; i++) {
        PyObject *pair = Py_BuildValue("(LL)", (long long)spans.at[i].first, (long long)spans.at[i].last);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *skl_py_lists_of_spans(const skl_spans *spans, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) {
        PyObject *each = skl_py_span_list(spans[k]);
        if (!each || PyList_SetItem(list, k, each) < 0) Py_CLEAR(list);
    }
    return list;
}

/* A new array that holds a copy of these numbers. */
static PyObject *copied(const void *numbers, int type, size_t size, npy_intp num, npy_intp columns) {
    const npy_intp shape[2] = {num, columns};
    PyObject *array = PyArray_SimpleNew(columns > 1 ? 2 : 1, shape, type);
    if (array) memcpy(skl_py_data(array), numbers, (size_t)(num * columns) * size);
    return array;
}

/* Copy what a ground returned; 0 with an exception where it is of another type or shape. */
static int taken(PyObject *value, const char *name, int type, size_t size, npy_intp num, npy_intp columns, void *out) {
    if (!value) return 0;
    const npy_intp shape[2] = {num, columns};
    PyObject *packed = PyArray_FROM_OTF(value, type, NPY_ARRAY_IN_ARRAY);
    Py_DECREF(value);
    const void *numbers = packed ? skl_py_over_frames(packed, name, type, columns > 1 ? 2 : 1, shape) : NULL;
    if (numbers) memcpy(out, numbers, (size_t)(num * columns) * size);
    Py_XDECREF(packed);
    return numbers != NULL;
}

static int ask_below(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    PyObject *ground = context;
    PyObject *at = copied(points, NPY_DOUBLE, sizeof *points, num, 3);
    PyObject *when = copied(frames, NPY_INT64, sizeof *frames, num, 1);
    const int wants = out->normals || out->surface;
    PyObject *found = at && when ? PyObject_CallMethod(ground, wants ? "footing" : "heights", "OO", at, when) : NULL;
    Py_XDECREF(at);
    Py_XDECREF(when);
    if (!found) return 1;
    if (!wants) return !taken(found, "heights", NPY_DOUBLE, sizeof(double), num, 1, out->heights);
    const int whole =
        taken(PyObject_GetAttrString(found, "heights"), "heights", NPY_DOUBLE, sizeof(double), num, 1, out->heights) &&
        (!out->normals || taken(PyObject_GetAttrString(found, "normals"), "normals", NPY_DOUBLE, sizeof(double), num, 3,
                                out->normals)) &&
        (!out->surface ||
         taken(PyObject_GetAttrString(found, "surface"), "surface", NPY_INT64, sizeof(int64_t), num, 1, out->surface));
    Py_DECREF(found);
    return !whole;
}

static int ask_carry(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
                     const int64_t *to, double *out) {
    PyObject *args[4] = {copied(points, NPY_DOUBLE, sizeof *points, num, 3),
                         copied(surface, NPY_INT64, sizeof *surface, num, 1),
                         copied(from, NPY_INT64, sizeof *from, num, 1), copied(to, NPY_INT64, sizeof *to, num, 1)};
    PyObject *there = args[0] && args[1] && args[2] && args[3]
                          ? PyObject_CallMethod(context, "carry", "OOOO", args[0], args[1], args[2], args[3])
                          : NULL;
    for (int i = 0; i < 4; i++) Py_XDECREF(args[i]);
    return !taken(there, "carried points", NPY_DOUBLE, sizeof *out, num, 3, out);
}

int skl_py_ground(PyObject *object, const double up[3], skl_ground *out, int *known) {
    memset(out, 0, sizeof *out);
    memcpy(out->up, up, sizeof out->up);
    *known = object != Py_None;
    out->is_level = 1;
    if (!*known) return 1;
    if (!skl_py_number(object, "level", 1, &out->level) || !skl_py_flag(object, "moves", &out->moves)) return 0;
    out->is_level = !isnan(out->level);
    out->context = object;
    out->below = ask_below;
    out->carry = ask_carry;
    return 1;
}

PyThreadState *skl_py_release_on(const skl_ground *ground, int64_t work) {
    return ground->is_level ? skl_py_release(work) : NULL;
}
