/* SPDX-License-Identifier: MIT */
#include "planting_objects.h"

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/objects.h"

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

PyObject *skl_py_finished(PyThreadState *lock, PyObject *out, int done, skl_py_taken *taken) {
    out = skl_py_give(lock, out);
    if (out && !done) {
        Py_CLEAR(out);
        if (!PyErr_Occurred()) PyErr_NoMemory();
    }
    skl_py_drop(taken);
    return out;
}

/* --- named fields --------------------------------------------------------------------------------------------------
 */

static int is_over_frames(const skl_py_field *field) { return field->kind >= SKL_PY_NUMBERS; }
static int ndim_of(const skl_py_field *field) { return 1 + (int)(field->kind - SKL_PY_NUMBERS); }

static int take_word(PyObject *value, const skl_py_field *field, int *out) {
    for (*out = 0; field->words[*out]; ++*out)
        if (PyUnicode_Check(value) && !PyUnicode_CompareWithASCIIString(value, field->words[*out])) return 1;
    return skl_py_fail(PyExc_ValueError, "%s is %R: there is no such word", field->name, value);
}

static int take_matrix(PyObject *value, const char *name, double out[16]) {
    const npy_intp shape[2] = {4, 4};
    const double *numbers = skl_py_packed(value, name, NPY_DOUBLE, 2, shape);
    if (numbers) memcpy(out, numbers, 16 * sizeof *out);
    return numbers != NULL;
}

static int take_field(PyObject *value, const skl_py_field *field, int64_t num_frames, char *out) {
    const npy_intp shape[3] = {(npy_intp)num_frames, 3, 3};
    void *at = out + field->offset;
    const int none = field->optional && value == Py_None;
    if (field->has) *(int *)(void *)(out + field->has) = !none;
    if (none && is_over_frames(field)) memset(at, 0, sizeof(double *));
    if (none && !is_over_frames(field) && !field->has) *(double *)at = NAN;
    if (none) return 1;
    switch (field->kind) {
    case SKL_PY_NUMBER:
        return skl_py_real(value, field->name, at);
    case SKL_PY_COUNT:
        return skl_py_integer(value, field->name, at);
    case SKL_PY_FLAG:
        return (*(int *)at = PyObject_IsTrue(value)) >= 0;
    case SKL_PY_WORD:
        return take_word(value, field, at);
    case SKL_PY_VECTOR:
        return skl_py_vector(value, field->name, at);
    case SKL_PY_MATRIX:
        return take_matrix(value, field->name, at);
    default:
        break;
    }
    const double *numbers = skl_py_packed(value, field->name, NPY_DOUBLE, ndim_of(field), shape);
    memcpy(at, &numbers, sizeof numbers);
    return numbers != NULL;
}

int skl_py_take(skl_py_taken *taken, PyObject *object, const skl_py_field *fields, int64_t num_frames, void *out) {
    for (; fields->name; fields++) {
        PyObject *value = skl_py_attribute(taken, object, fields->name);
        if (!value || !take_field(value, fields, num_frames, out)) return 0;
    }
    return 1;
}

PyObject *skl_py_frames_array(PyObject *owner, const double *numbers, int ndim, int64_t num_frames) {
    const npy_intp shape[3] = {(npy_intp)num_frames, 3, 3};
    const size_t columns = ndim == 1 ? 1 : ndim == 2 ? 3 : 9;
    if (owner) return skl_py_view(owner, numbers, NPY_DOUBLE, ndim, shape);
    return skl_py_copy(numbers, NPY_DOUBLE, ndim, shape, (size_t)num_frames * columns * sizeof *numbers);
}

static PyObject *field_value(const skl_py_field *field, const char *from, int64_t num_frames, PyObject *owner) {
    const npy_intp four[2] = {4, 4};
    const void *at = from + field->offset;
    const double *numbers = NULL;
    if (is_over_frames(field)) memcpy(&numbers, at, sizeof numbers);
    int none = 0;
    if (field->has)
        none = !*(const int *)(const void *)(from + field->has);
    else if (field->optional)
        none = is_over_frames(field) ? !numbers : isnan(*(const double *)at);
    if (none) return Py_NewRef(Py_None);
    switch (field->kind) {
    case SKL_PY_NUMBER:
        return PyFloat_FromDouble(*(const double *)at);
    case SKL_PY_COUNT:
        return PyLong_FromLongLong(*(const int64_t *)at);
    case SKL_PY_FLAG:
        return PyBool_FromLong(*(const int *)at);
    case SKL_PY_WORD:
        return PyUnicode_FromString(field->words[*(const int *)at]);
    case SKL_PY_VECTOR:
        return skl_py_copy(at, NPY_DOUBLE, 1, (npy_intp[]){3}, 3 * sizeof(double));
    case SKL_PY_MATRIX:
        return skl_py_copy(at, NPY_DOUBLE, 2, four, 16 * sizeof(double));
    default:
        return skl_py_frames_array(owner, numbers, ndim_of(field), num_frames);
    }
}

PyObject *skl_py_dict(const skl_py_field *fields, const void *from, int64_t num_frames, PyObject *owner) {
    PyObject *dict = PyDict_New();
    for (; dict && fields->name; fields++) {
        PyObject *value = field_value(fields, from, num_frames, owner);
        if (!value || PyDict_SetItemString(dict, fields->name, value) < 0) Py_CLEAR(dict);
        Py_XDECREF(value);
    }
    return dict;
}

PyObject *skl_py_dicts(const skl_py_field *fields, const void *from, size_t size, int64_t count, int64_t num_frames) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (Py_ssize_t k = 0; list && k < count; k++)
        skl_py_put(&list, k, skl_py_dict(fields, (const char *)from + (size_t)k * size, num_frames, NULL));
    return list;
}

PyObject *skl_py_number_list(const double *numbers, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (Py_ssize_t i = 0; list && i < count; i++) skl_py_put(&list, i, PyFloat_FromDouble(numbers[i]));
    return list;
}

PyObject *skl_py_count_list(const int64_t *counts, int64_t count) {
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (Py_ssize_t i = 0; list && i < count; i++) skl_py_put(&list, i, PyLong_FromLongLong(counts[i]));
    return list;
}

/* --- legs, soles, the ground below feet ----------------------------------------------------------------------------
 */

#define FIELD(name, kind) {#name, SKL_PY_##kind, offsetof(skl_track, name), 0, 0, NULL}
#define MAYBE(name, kind) {#name, SKL_PY_##kind, offsetof(skl_track, name), 1, offsetof(skl_track, has_##name), NULL}
const skl_py_field skl_py_track_fields[] = {FIELD(hip, VECTORS),   FIELD(knee, VECTORS),    FIELD(ankle, VECTORS),
                                            FIELD(foot, MATRICES), FIELD(flexion, NUMBERS), FIELD(hinge, VECTOR),
                                            FIELD(length, NUMBER), FIELD(bends, FLAG),      MAYBE(ball, VECTOR),
                                            MAYBE(marker, VECTOR), MAYBE(rest_up, VECTOR),  {0}};
#undef FIELD
#undef MAYBE

int skl_py_track(PyObject *object, skl_py_taken *taken, skl_track *out) {
    PyObject *hip = skl_py_attribute(taken, object, "hip");
    memset(out, 0, sizeof *out);
    out->num_frames = hip ? skl_py_rows(hip, "hip") : -1;
    return out->num_frames >= 0 && skl_py_take(taken, object, skl_py_track_fields, out->num_frames, out);
}

static const char *const SOURCES[] = {"typical foot", "rest pose", NULL};
#define FIELD(name, member, kind) {#name, SKL_PY_##kind, offsetof(skl_foot_model, member), 0, 0, NULL}
const skl_py_field skl_py_model_fields[] = {
    FIELD(heel, sole.heel, VECTOR),
    FIELD(ball, sole.ball, VECTOR),
    FIELD(back, sole.back, VECTOR),
    FIELD(along, sole.along, VECTOR),
    FIELD(drop, sole.drop, NUMBER),
    FIELD(raised, sole.raised, NUMBER),
    FIELD(clearance, clearance, NUMBER),
    {"source", SKL_PY_WORD, offsetof(skl_foot_model, from_rest_pose), 0, 0, SOURCES},
    {0}};
#undef FIELD

int skl_py_foot_model(PyObject *object, skl_py_taken *taken, skl_foot_model *out) {
    return skl_py_take(taken, object, skl_py_model_fields, 0, out);
}

#define FIELD(name, kind, optional) {#name, SKL_PY_##kind, offsetof(skl_foothold, name), optional, 0, NULL}
const skl_py_field skl_py_foothold_fields[] = {
    FIELD(place, VECTORS, 0), FIELD(yaw, MATRICES, 1), FIELD(tilt, VECTORS, 0), FIELD(along, FLAG, 0), {0}};
static const skl_py_field made_of_foothold[] = {FIELD(lean, MATRICES, 0), FIELD(turn, MATRICES, 0), {0}};
#undef FIELD

int skl_py_foothold(PyObject *object, int64_t num_frames, skl_py_taken *taken, skl_foothold *out, int *known) {
    memset(out, 0, sizeof *out);
    *known = object != Py_None;
    if (!*known) return 1;
    out->num_frames = num_frames;
    if (!skl_py_take(taken, object, skl_py_foothold_fields, num_frames, out) ||
        !skl_py_take(taken, object, made_of_foothold, num_frames, out))
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

skl_foot_model *skl_py_foot_models(PyObject *sequence, skl_py_taken *taken, Py_ssize_t count) {
    count = size_of(sequence, "models", count);
    skl_foot_model *out = room_for(&taken->arena, count, sizeof *out);
    for (Py_ssize_t k = 0; out && k < count; k++) {
        PyObject *each = PySequence_GetItem(sequence, k);
        if (!each || !skl_py_foot_model(each, taken, &out[k])) out = NULL;
        Py_XDECREF(each);
    }
    return out;
}

/* One number of a span; 0 with an exception set where it is none. */
static int take_frame(PyObject *span, Py_ssize_t place, int64_t *frame) {
    PyObject *item = PySequence_GetItem(span, place);
    if (!item) return 0;
    *frame = PyNumber_AsSsize_t(item, PyExc_ValueError);
    Py_DECREF(item);
    return !(*frame == -1 && PyErr_Occurred());
}

static int take_span(PyObject *value, const char *name, Py_ssize_t place, npy_intp num_frames, skl_span *out) {
    PyObject *span = PySequence_GetItem(value, place);
    if (!span) return 0;
    const Py_ssize_t length = PySequence_Size(span);
    int taken = length == 2 && take_frame(span, 0, &out->first) && take_frame(span, 1, &out->last);
    if (length >= 0 && length != 2)
        PyErr_Format(PyExc_ValueError, "%s[%zd] is %R: (first, last) is needed", name, place, span);
    if (taken && !(0 <= out->first && out->first <= out->last && out->last < num_frames)) {
        PyErr_Format(PyExc_ValueError, "%s[%zd] is %R: 0 <= first <= last < %zd is needed", name, place, span,
                     num_frames);
        taken = 0;
    }
    Py_DECREF(span);
    return taken;
}

int skl_py_take_spans(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena, skl_spans *out) {
    const Py_ssize_t count = PySequence_Size(sequence);
    out->count = count;
    out->at = room_for(arena, count, sizeof *out->at);
    for (Py_ssize_t i = 0; out->at && i < count; i++)
        if (!take_span(sequence, name, i, (npy_intp)num_frames, &out->at[i])) return 0;
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
    for (Py_ssize_t i = 0; list && i < spans.count; i++)
        skl_py_put(&list, i, Py_BuildValue("(LL)", (long long)spans.at[i].first, (long long)spans.at[i].last));
    return list;
}

PyObject *skl_py_lists_of_spans(const skl_spans *spans, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) skl_py_put(&list, k, skl_py_span_list(spans[k]));
    return list;
}

/* A new array that holds a copy of these numbers. */
static PyObject *copied(const void *numbers, int type, size_t size, npy_intp num, npy_intp columns) {
    const npy_intp shape[2] = {num, columns};
    return skl_py_copy(numbers, type, columns > 1 ? 2 : 1, shape, (size_t)(num * columns) * size);
}

/* Copy what a ground returned; 0 with an exception where it is of another type or shape. */
static int taken(PyObject *value, const char *name, int type, size_t size, npy_intp num, npy_intp columns, void *out) {
    if (!value) return 0;
    const npy_intp shape[2] = {num, columns};
    PyObject *packed = PyArray_FROM_OTF(value, type, NPY_ARRAY_IN_ARRAY);
    Py_DECREF(value);
    const void *numbers = packed ? skl_py_packed(packed, name, type, columns > 1 ? 2 : 1, shape) : NULL;
    if (numbers) memcpy(out, numbers, (size_t)(num * columns) * size);
    Py_XDECREF(packed);
    return numbers != NULL;
}

static int call_below(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    PyObject *ground = context;
    PyObject *at = copied(points, NPY_DOUBLE, sizeof *points, num, 3);
    PyObject *when = copied(frames, NPY_INT64, sizeof *frames, num, 1);
    const int footing = out->normals || out->surface;
    PyObject *found = at && when ? PyObject_CallMethod(ground, footing ? "footing" : "heights", "OO", at, when) : NULL;
    Py_XDECREF(at);
    Py_XDECREF(when);
    if (!found) return 1;
    if (!footing) return !taken(found, "heights", NPY_DOUBLE, sizeof(double), num, 1, out->heights);
    const int whole =
        taken(PyObject_GetAttrString(found, "heights"), "heights", NPY_DOUBLE, sizeof(double), num, 1, out->heights) &&
        (!out->normals || taken(PyObject_GetAttrString(found, "normals"), "normals", NPY_DOUBLE, sizeof(double), num, 3,
                                out->normals)) &&
        (!out->surface ||
         taken(PyObject_GetAttrString(found, "surface"), "surface", NPY_INT64, sizeof(int64_t), num, 1, out->surface));
    Py_DECREF(found);
    return !whole;
}

static int call_carry(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
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

#define FIELD(name, kind, optional) {#name, SKL_PY_##kind, offsetof(skl_ground, name), optional, 0, NULL}
static const skl_py_field ground_fields[] = {FIELD(level, NUMBER, 1), FIELD(moves, FLAG, 0), {0}};
#undef FIELD

int skl_py_ground(PyObject *object, const double up[3], skl_py_taken *taken, skl_ground *out, int *known) {
    memset(out, 0, sizeof *out);
    memcpy(out->up, up, sizeof out->up);
    *known = object != Py_None;
    out->is_level = 1;
    if (!*known) return 1;
    if (!skl_py_take(taken, object, ground_fields, 0, out)) return 0;
    out->is_level = !isnan(out->level);
    out->context = object;
    out->below = call_below;
    out->carry = call_carry;
    return 1;
}

PyThreadState *skl_py_release_on(const skl_ground *ground, int64_t work) {
    return ground->is_level ? skl_py_release(work) : NULL;
}
