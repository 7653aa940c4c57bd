/* SPDX-License-Identifier: MIT */
/* What a viewer would mind, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/measure/viewer_rows.h"

static const char *const ROWS[SKL_NUM_VIEWER_ROWS] = {
    [SKL_THROW] = "throw", [SKL_LIFT] = "lift",   [SKL_SLIDE] = "slide", [SKL_LEVEL] = "level",
    [SKL_FLOAT] = "float", [SKL_SINK] = "sink",   [SKL_KNEE] = "knee",   [SKL_POPS] = "pops",
    [SKL_JUMP] = "jump",   [SKL_SWING] = "swing", [SKL_HEEL] = "heel",   [SKL_JERK] = "jerk"};

#define FIELD(name, kind) {#name, SKL_PY_##kind, offsetof(skl_seen, name), 0, 0, NULL}
static const skl_py_field seen_fields[] = {FIELD(value, NUMBER), FIELD(leg, COUNT),  FIELD(frame, COUNT),
                                           FIELD(first, COUNT),  FIELD(last, COUNT), {0}};
#undef FIELD
#define FIELD(name) {#name, SKL_PY_NUMBER, offsetof(skl_contact_demand, name), 0, 0, NULL}
static const skl_py_field demand_fields[] = {FIELD(beyond), FIELD(away), FIELD(raised), {0}};
#undef FIELD

static PyObject *results(const skl_viewer_job *job, int64_t num_demands) {
    PyObject *rows = PyDict_New();
    for (int n = 0; rows && n < SKL_NUM_VIEWER_ROWS; n++) {
        PyObject *seen = skl_py_dict(seen_fields, &job->seen[n], 0, NULL);
        if (!seen || PyDict_SetItemString(rows, ROWS[n], seen) < 0) Py_CLEAR(rows);
        Py_XDECREF(seen);
    }
    return Py_BuildValue("NN", rows, skl_py_dicts(demand_fields, job->demands, sizeof *job->demands, num_demands, 0));
}

/* tracks of the original and of what was planted, contacts, up, ground_step, ground_given, length, fps: what is seen
 * of each row, and what contacts demand */
PyObject *skl_py_viewer_rows(PyObject *const *args) {
    skl_py_taken taken = {0};
    skl_viewer_job job = {.arena = &taken.arena};
    Py_ssize_t count = -1;
    int64_t num_demands = 0;
    PyObject *out = NULL;
    if (skl_py_vector(args[3], "up", job.up) && skl_py_vector(args[4], "ground_step", job.ground_step) &&
        (job.ground_given = PyObject_IsTrue(args[5])) >= 0 && skl_py_real(args[6], "length", &job.length) &&
        skl_py_real(args[7], "fps", &job.fps) && (job.before = skl_py_tracks(args[0], &taken, &count)) &&
        (job.after = skl_py_tracks(args[1], &taken, &count))) {
        job.num_legs = count;
        job.num_frames = count ? job.before->num_frames : 0;
        job.contacts = skl_py_span_lists(args[2], "contacts", job.num_frames, &taken.arena, count);
        for (int64_t k = 0; job.contacts && k < job.num_legs; k++) num_demands += job.contacts[k].count;
        job.demands = SKL_TAKE(&taken.arena, skl_contact_demand, num_demands);
    }
    if (job.contacts && (!count || job.after->num_frames != job.num_frames || !job.num_frames)) {
        PyErr_SetString(PyExc_ValueError, "tracks: both motions of a leg at least are needed, with as many frames");
    } else if (job.contacts) {
        PyThreadState *lock = skl_py_release((npy_intp)(job.num_legs * job.num_frames));
        const int done = job.demands && skl_read_viewer_rows(&job);
        if (skl_py_restore(lock)) out = done ? results(&job, num_demands) : PyErr_NoMemory();
    }
    skl_py_drop(&taken);
    return out;
}
