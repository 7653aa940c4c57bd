/* SPDX-License-Identifier: MIT */
/* Feet on ground that slopes or moves, for Python. The package hands in its own dataclasses and packed arrays. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/planting/planting_feet.h"

#include "planting/ground/foothold.h"

/* --- stances -------------------------------------------------------------------------------------------------------
 */

/* A list of (offset, turn), whose numbers the job fills. */
static PyObject *results_of(skl_stances_job *job) {
    PyObject *list = PyList_New((Py_ssize_t)job->num_legs);
    for (int64_t k = 0; list && k < job->num_legs; k++) {
        PyObject *offset = skl_py_new_frames(2, (npy_intp)job->num_frames, NPY_DOUBLE);
        PyObject *turn = skl_py_new_frames(2, (npy_intp)job->num_frames, NPY_DOUBLE);
        PyObject *pair = offset && turn ? PyTuple_Pack(2, offset, turn) : NULL;
        if (pair) {
            job->legs[k].offset = skl_py_data(offset);
            job->legs[k].turn = skl_py_data(turn);
        }
        Py_XDECREF(offset);
        Py_XDECREF(turn);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)k, pair) < 0) Py_CLEAR(list);
    }
    return list;
}

/* feet (HeldFoot), ground, up, window */
PyObject *skl_py_stances(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("stances", nargs, 4)) return NULL;
    skl_py_taken taken = {0};
    skl_ground ground;
    skl_stances_job job = {.ground = &ground};
    double up[3];
    int known;
    job.legs = skl_py_held_feet(args[0], &taken, &job.num_legs, &job.num_frames);
    const int done = job.legs && skl_py_vector(args[2], "up", up) && skl_py_ground(args[1], up, &ground, &known) &&
                     skl_py_integer(args[3], "window", &job.window);
    PyObject *out = NULL;
    if (done) out = results_of(&job);
    if (out) {
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * job.num_legs);
        const skl_code code = skl_stances_run(&job);
        if (!skl_py_restore(lock) || code != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&job.status);
        }
    }
    skl_py_drop(&taken);
    return out;
}
