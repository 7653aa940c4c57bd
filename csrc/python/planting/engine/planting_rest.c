/* SPDX-License-Identifier: MIT */
/* What the rest pose says of limbs, for Python. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include <math.h>
#include <string.h>

#include "skelkin/ik.h"
#include "skelkin/planting.h"

/* A joint of the skeleton; None is -1. */
static int take_joint(PyObject *value, const skl_skeleton *skeleton, int32_t *out) {
    int64_t joint = -1;
    if (value != Py_None && !skl_py_integer(value, "joint", &joint)) return 0;
    *out = (int32_t)joint;
    if (joint >= (value == Py_None ? -1 : 0) && joint < skeleton->num_joints) return 1;
    PyErr_SetString(PyExc_ValueError, "a limb's joints must be those of the skeleton");
    return 0;
}

static int take_chain(PyObject *chain, const skl_skeleton *skeleton, int32_t out[3]) {
    for (Py_ssize_t i = 0; i < 3; i++) {
        PyObject *joint = PySequence_GetItem(chain, i);
        const int taken = joint && joint != Py_None && take_joint(joint, skeleton, &out[i]);
        Py_XDECREF(joint);
        if (!taken) return 0;
    }
    return 1;
}

static PyObject *vector_or_none(int has, const double *vector) {
    const npy_intp three = 3;
    if (!has) return Py_NewRef(Py_None);
    PyObject *out = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (out) memcpy(skl_py_data(out), vector, 3 * sizeof *vector);
    return out;
}

/* skeleton, chain, end_site (3,) or None */
PyObject *skl_py_rest_bend(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    int32_t chain[3];
    double site[3], bend[3];
    const skl_skeleton *skeleton = skl_py_arity("rest_bend", nargs, 3) ? skl_py_skeleton(module, args[0]) : NULL;
    if (!skeleton || !take_chain(args[1], skeleton, chain) ||
        (args[2] != Py_None && !skl_py_vector(args[2], "end_site", site)))
        return NULL;
    skl_rest_bend(skeleton, chain, args[2] == Py_None ? NULL : site, bend);
    return vector_or_none(1, bend);
}

/* skeleton, chain, toe or None, heel or None, end_site (3,) or None: end_site, marker, rest_up, tip and clearance, each
 * None where the rest pose does not tell; None where the foot has no inverse */
PyObject *skl_py_rest_leg(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    int32_t chain[3], toe, heel;
    double site[3];
    skl_plant_leg leg;
    skl_status status;
    const skl_skeleton *skeleton = skl_py_arity("rest_leg", nargs, 5) ? skl_py_skeleton(module, args[0]) : NULL;
    if (!skeleton || !take_chain(args[1], skeleton, chain) || !take_joint(args[2], skeleton, &toe) ||
        !take_joint(args[3], skeleton, &heel) || (args[4] != Py_None && !skl_py_vector(args[4], "end_site", site)))
        return NULL;
    if (skl_plant_leg_init(&leg, skeleton, chain, toe, heel, args[4] == Py_None ? NULL : site, &status) != SKL_OK)
        return Py_NewRef(Py_None);
    PyObject *clearance = isnan(leg.clearance) ? Py_NewRef(Py_None) : PyFloat_FromDouble(leg.clearance);
    return Py_BuildValue("NNNNN", vector_or_none(leg.has_end_site, leg.end_site),
                         vector_or_none(leg.has_marker, leg.marker), vector_or_none(leg.has_rest_up, leg.rest_up),
                         vector_or_none(leg.has_tip, leg.tip), clearance);
}
