/* SPDX-License-Identifier: MIT */
/* What a viewer would mind, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/measure/viewer_rows.h"

enum { FIELDS = 5, ASKS = 3 };
_Static_assert(sizeof(skl_contact_ask) == ASKS * sizeof(double), "what contacts ask is rows of doubles");

static PyObject *told(const skl_viewer_job *job, PyObject *asks) {
    const npy_intp shape[2] = {SKL_NUM_VIEWER_ROWS, FIELDS};
    PyObject *rows = PyArray_SimpleNew(2, (npy_intp *)shape, NPY_DOUBLE);
    if (!rows) return NULL;
    double *at = skl_py_data(rows);
    for (int n = 0; n < SKL_NUM_VIEWER_ROWS; n++) {
        const skl_seen *seen = &job->seen[n];
        *at++ = seen->value;
        *at++ = (double)seen->leg;
        *at++ = (double)seen->frame;
        *at++ = (double)seen->first;
        *at++ = (double)seen->last;
    }
    PyObject *out = PyTuple_Pack(2, rows, asks);
    Py_DECREF(rows);
    return out;
}

/* tracks of the original and of what was planted, contacts, up, ground_step, ground_given, length, fps. Returns rows of
 * value, leg, frame, first, last, and what contacts ask. */
PyObject *skl_py_viewer_rows(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_py_taken taken = {0};
    skl_viewer_job job = {.arena = &taken.arena};
    Py_ssize_t count = -1;
    PyObject *out = NULL, *asked = NULL;
    if (!skl_py_arity("viewer_rows", nargs, 8)) return NULL;
    if (skl_py_vector(args[3], "up", job.up) && skl_py_vector(args[4], "ground_step", job.ground_step) &&
        (job.ground_given = PyObject_IsTrue(args[5])) >= 0 && skl_py_real(args[6], "length", &job.length) &&
        skl_py_real(args[7], "fps", &job.fps) && (job.before = skl_py_tracks(args[0], &taken, &count)) &&
        (job.after = skl_py_tracks(args[1], &taken, &count))) {
        npy_intp asks[2] = {0, ASKS};
        job.num_legs = count;
        job.num_frames = count ? job.before->num_frames : 0;
        job.contacts = skl_py_span_lists(args[2], "contacts", job.num_frames, &taken.arena, count);
        for (int64_t k = 0; job.contacts && k < job.num_legs; k++) asks[0] += (npy_intp)job.contacts[k].count;
        asked = job.contacts ? PyArray_SimpleNew(2, asks, NPY_DOUBLE) : NULL;
    }
    if (asked && (!count || job.after->num_frames != job.num_frames || !job.num_frames)) {
        PyErr_SetString(PyExc_ValueError, "tracks: both motions of a leg at least are needed, with as many frames");
    } else if (asked) {
        job.asks = skl_py_data(asked);
        PyThreadState *lock = skl_py_release((npy_intp)(job.num_legs * job.num_frames));
        const int done = skl_read_viewer_rows(&job);
        if (skl_py_restore(lock)) out = done ? told(&job, asked) : PyErr_NoMemory();
    }
    Py_XDECREF(asked);
    skl_py_drop(&taken);
    return out;
}
