/* SPDX-License-Identifier: MIT */
/* What the rest pose says of limbs, for Python. */
#include "planting_rig.h"
#include "planting_scene.h"
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include <math.h>

#include "skelkin/ik.h"
#include "skelkin/planting.h"

static int take_chain(PyObject *chain, const skl_skeleton *skeleton, int32_t out[3]) {
    for (Py_ssize_t i = 0; i < 3; i++) {
        PyObject *joint = PySequence_GetItem(chain, i);
        const int taken = joint && skl_py_leg_joint(joint, skeleton, 0, &out[i]);
        Py_XDECREF(joint);
        if (!taken) return 0;
    }
    return 1;
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
    return skl_py_told_vector(bend);
}

/* skeleton, chain, toe or None, heel or None, end_site (3,) or None: end_site, marker, rest_up, tip and clearance, each
 * None where the rest pose does not tell; None where the foot has no inverse */
PyObject *skl_py_rest_leg(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    int32_t chain[3], toe, heel;
    double site[3];
    skl_plant_leg leg;
    skl_status status;
    const skl_skeleton *skeleton = skl_py_arity("rest_leg", nargs, 5) ? skl_py_skeleton(module, args[0]) : NULL;
    if (!skeleton || !take_chain(args[1], skeleton, chain) || !skl_py_leg_joint(args[2], skeleton, 1, &toe) ||
        !skl_py_leg_joint(args[3], skeleton, 1, &heel) ||
        (args[4] != Py_None && !skl_py_vector(args[4], "end_site", site)))
        return NULL;
    if (skl_plant_leg_init(&leg, skeleton, chain, toe, heel, args[4] == Py_None ? NULL : site, &status) != SKL_OK)
        return Py_NewRef(Py_None);
    PyObject *clearance = isnan(leg.clearance) ? Py_NewRef(Py_None) : PyFloat_FromDouble(leg.clearance);
    return Py_BuildValue("NNNNN", skl_py_told_vector(leg.has_end_site ? leg.end_site : NULL),
                         skl_py_told_vector(leg.has_marker ? leg.marker : NULL),
                         skl_py_told_vector(leg.has_rest_up ? leg.rest_up : NULL),
                         skl_py_told_vector(leg.has_tip ? leg.tip : NULL), clearance);
}
