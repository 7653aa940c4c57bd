/* SPDX-License-Identifier: MIT */
/* Legs over all frames, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/motion/legs.h"

#define FIELD(name, member) {#name, SKL_PY_NUMBER, offsetof(skl_contact_measure, member), 0, 0, NULL}
static const skl_py_field measure_fields[] = {FIELD(slide, slide),    FIELD(slide_mean, slide_mean),
                                              FIELD(travel, travel),  FIELD(penetration, penetration),
                                              FIELD(float, floating), {0}};
#undef FIELD

/* The doubles of poses (F, S, 4, 4). */
static const double *poses(PyObject *value, const char *name, npy_intp frames, npy_intp joints) {
    const npy_intp shape[4] = {frames, joints, 4, 4};
    return skl_py_packed(value, name, NPY_DOUBLE, 4, shape);
}

/* The number of a joint among so many; -1 with an exception set. */
static npy_intp joint_of(PyObject *value, const char *name, npy_intp joints) {
    const Py_ssize_t joint = PyNumber_AsSsize_t(value, PyExc_ValueError);
    if (joint == -1 && PyErr_Occurred()) return -1;
    if (joint >= 0 && joint < joints) return joint;
    PyErr_Format(PyExc_ValueError, "%s is %zd: there are %zd joints", name, joint, (Py_ssize_t)joints);
    return -1;
}

/* before, after, joint */
PyObject *skl_py_changed_frames(PyObject *const *args) {
    const npy_intp frames = skl_py_rows(args[0], "before");
    const double *before = frames < 0 ? NULL : poses(args[0], "before", frames, SKL_ANY), *after;
    if (!before) return NULL;
    const npy_intp joints = PyArray_DIM((PyArrayObject *)args[0], 1), joint = joint_of(args[2], "joint", joints);
    if (joint < 0 || !(after = poses(args[1], "after", frames, joints))) return NULL;
    PyObject *out = skl_py_new_frames(1, frames, NPY_BOOL);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(frames);
    skl_changed_frames(frames, joints, joint, before, after, skl_py_data(out));
    return skl_py_give(lock, out);
}

/* steps, heights, spans, rises */
PyObject *skl_py_measure_contacts(PyObject *const *args) {
    const npy_intp frames = skl_py_rows(args[1], "heights");
    const double *steps, *heights, *rises;
    if (frames < 0 || !(heights = skl_py_numbers(args[1], "heights", frames)) ||
        !(steps = skl_py_vectors(args[0], "steps", frames ? frames - 1 : 0)))
        return NULL;
    skl_arena arena = {0};
    skl_spans spans;
    PyObject *out = NULL;
    if (skl_py_take_spans(args[2], "spans", frames, &arena, &spans) &&
        (rises = skl_py_numbers(args[3], "rises", (npy_intp)spans.count))) {
        skl_contact_measure *each = SKL_TAKE(&arena, skl_contact_measure, spans.count);
        PyThreadState *lock = skl_py_release(frames);
        if (each) skl_measure_contacts(steps, heights, spans, rises, each);
        if (skl_py_restore(lock))
            out = each ? skl_py_dicts(measure_fields, each, sizeof *each, spans.count, 0) : PyErr_NoMemory();
    }
    skl_arena_free(&arena);
    return out;
}
