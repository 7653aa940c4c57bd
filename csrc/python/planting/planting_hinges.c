/* SPDX-License-Identifier: MIT */
/* Knees as hinges, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_args.h"

#include "planting/motion/hinges.h"

/* hip, knee, ankle */
static int take_leg(PyObject *const *args, skl_leg_motion *into) {
    into->num_frames = skl_py_rows(args[0], "hip");
    return into->num_frames >= 0 && (into->hip = skl_py_vectors(args[0], "hip", into->num_frames)) &&
           (into->knee = skl_py_vectors(args[1], "knee", into->num_frames)) &&
           (into->ankle = skl_py_vectors(args[2], "ankle", into->num_frames));
}

PyObject *skl_py_knee_angles(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_leg_motion leg;
    if (!skl_py_arity("knee_angles", nargs, 3) || !take_leg(args, &leg)) return NULL;
    PyObject *out = skl_py_new_frames(1, leg.num_frames, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(leg.num_frames);
    skl_knee_angles(&leg, skl_py_data(out));
    return skl_py_give(lock, out);
}

/* hip, knee, ankle, upper, forward, rest */
PyObject *skl_py_find_hinge(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_leg_motion leg;
    skl_hinge found;
    double rest[3];
    const double *upper, *forward = NULL;
    if (!skl_py_arity("find_hinge", nargs, 6) || !take_leg(args, &leg) ||
        !(upper = skl_py_matrices(args[3], "upper", leg.num_frames)) ||
        (args[4] != Py_None && !(forward = skl_py_vectors(args[4], "forward", leg.num_frames))) ||
        !skl_py_vector(args[5], "rest", rest))
        return NULL;
    double *scratch = PyMem_Calloc((size_t)(leg.num_frames + 1), 3 * sizeof *scratch);
    PyObject *axis = scratch ? skl_py_new_frames(1, 3, NPY_DOUBLE) : PyErr_NoMemory();
    if (axis) {
        PyThreadState *lock = skl_py_release(leg.num_frames);
        skl_find_hinge(&leg, upper, forward, rest, scratch, &found);
        for (int i = 0; i < 3; i++) ((double *)skl_py_data(axis))[i] = found.axis[i];
        axis = skl_py_give(lock, axis);
    }
    PyMem_Free(scratch);
    return axis ? Py_BuildValue("Ndd", axis, found.most, found.spread) : NULL;
}

/* hip, knee, ankle, upper, axis */
PyObject *skl_py_knee_flexions(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_leg_motion leg;
    double axis[3];
    const double *upper;
    if (!skl_py_arity("knee_flexions", nargs, 5) || !take_leg(args, &leg) ||
        !(upper = skl_py_matrices(args[3], "upper", leg.num_frames)) || !skl_py_vector(args[4], "axis", axis))
        return NULL;
    PyObject *out = skl_py_new_frames(1, leg.num_frames, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(leg.num_frames);
    skl_knee_flexions(&leg, upper, axis, skl_py_data(out));
    return skl_py_give(lock, out);
}
