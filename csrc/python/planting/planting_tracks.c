/* SPDX-License-Identifier: MIT */
/* The motion of legs, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/motion/hinges.h"
#include "planting/motion/lone_frames.h"
#include "planting/motion/read_legs.h"

/* (hip, knee, ankle, toe) of one leg. */
static int take_joints(PyObject *leg, int64_t num_joints, skl_read_leg *out) {
    long long joints[4];
    if (!PyArg_ParseTuple(leg, "LLLL", &joints[0], &joints[1], &joints[2], &joints[3])) return 0;
    for (int i = 0; i < 4; i++)
        if (joints[i] < 0 || joints[i] >= num_joints) {
            PyErr_SetString(PyExc_ValueError, "a leg's joints must be those of the skeleton");
            return 0;
        }
    *out = (skl_read_leg){.hip = joints[0], .knee = joints[1], .ankle = joints[2], .toe = joints[3]};
    return 1;
}

/* hip, knee, ankle, foot, thigh, and toe or, `hinged`, flexions: new arrays for what is read. */
static PyObject *room_for(npy_intp num, int hinged, skl_read_leg *leg, double **flexions) {
    PyObject *arrays[6] = {0}, *out = NULL;
    static const int ndim[6] = {2, 2, 2, 3, 3, 2};
    int made = 1;
    for (int i = 0; made && i < 6; i++)
        made = (arrays[i] = skl_py_new_frames(i == 5 && hinged ? 1 : ndim[i], num, NPY_DOUBLE)) != NULL;
    if (made) {
        leg->hip_at = skl_py_data(arrays[0]);
        leg->knee_at = skl_py_data(arrays[1]);
        leg->ankle_at = skl_py_data(arrays[2]);
        leg->foot = skl_py_data(arrays[3]);
        leg->thigh = skl_py_data(arrays[4]);
        leg->toe_at = hinged ? NULL : skl_py_data(arrays[5]);
        *flexions = hinged ? skl_py_data(arrays[5]) : NULL;
        out = PyTuple_Pack(6, arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], arrays[5]);
    }
    for (int i = 0; i < 6; i++) Py_XDECREF(arrays[i]);
    return out;
}

static void read_flexions(const skl_read_legs_job *job, double *const *flexions, const double *hinges) {
    for (int64_t k = 0; k < job->num_legs; k++) {
        const skl_read_leg *leg = &job->legs[k];
        const skl_leg_motion motion = {job->num_frames, leg->hip_at, leg->knee_at, leg->ankle_at};
        if (flexions[k]) skl_knee_flexions(&motion, leg->thigh, hinges + 3 * k, flexions[k]);
    }
}

/* skeleton, local (F, S, 4, 4), joints of each leg, hinges (K, 3) or None */
PyObject *skl_py_read_legs(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("read_legs", nargs, 4)) return NULL;
    skl_read_legs_job job = {.skeleton = skl_py_skeleton(module, args[0]), .num_legs = PySequence_Size(args[2])};
    const npy_intp num = job.skeleton ? skl_py_rows(args[1], "local") : -1;
    if (num < 0 || job.num_legs < 0) return NULL;
    const npy_intp shape[4] = {num, (npy_intp)job.skeleton->num_joints, 4, 4};
    const double *hinges = NULL;
    const int hinged = args[3] != Py_None;
    if (!(job.local = skl_py_over_frames(args[1], "local", NPY_DOUBLE, 4, shape)) ||
        (hinged && !(hinges = skl_py_vectors(args[3], "hinges", (npy_intp)job.num_legs))))
        return NULL;
    job.num_frames = num;
    skl_arena arena = {0};
    skl_read_leg *legs = SKL_TAKE(&arena, skl_read_leg, job.num_legs);
    double **flexions = SKL_TAKE(&arena, double *, job.num_legs);
    PyObject *out = arena.failed ? PyErr_NoMemory() : PyList_New((Py_ssize_t)job.num_legs);
    for (Py_ssize_t k = 0; out && k < job.num_legs; k++) {
        PyObject *leg = PySequence_GetItem(args[2], k), *each = NULL;
        if (leg && take_joints(leg, job.skeleton->num_joints, &legs[k]))
            each = room_for(num, hinged, &legs[k], &flexions[k]);
        Py_XDECREF(leg);
        if (!each || PyList_SetItem(out, k, each) < 0) Py_CLEAR(out);
    }
    if (out) {
        job.legs = legs;
        PyThreadState *lock = skl_py_release(num * 4 * job.num_legs);
        const skl_code code = skl_read_legs_run(&job);
        if (code == SKL_OK) read_flexions(&job, flexions, hinges);
        if (!skl_py_restore(lock) || code != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&job.status);
        }
    }
    skl_arena_free(&arena);
    return out;
}
