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

/* skeleton, chain, end_site (3,) or None */
PyObject *skl_py_rest_bend(PyObject *module, PyObject *const *args) {
    int32_t chain[3];
    double site[3], bend[3];
    const skl_skeleton *skeleton = skl_py_skeleton(module, args[0]);
    if (!skeleton || !skl_py_chain(args[1], skeleton, chain) ||
        (args[2] != Py_None && !skl_py_vector(args[2], "end_site", site)))
        return NULL;
    skl_rest_bend(skeleton, chain, args[2] == Py_None ? NULL : site, bend);
    return skl_py_vector_array(bend);
}

/* skeleton, chain, toe or None, heel or None, end_site (3,) or None: what the rest pose says, as fields of LegPart */
PyObject *skl_py_rest_leg(PyObject *module, PyObject *const *args) {
    int32_t chain[3], toe, heel;
    double site[3];
    skl_plant_leg leg;
    skl_status status;
    const skl_skeleton *skeleton = skl_py_skeleton(module, args[0]);
    if (!skeleton || !skl_py_chain(args[1], skeleton, chain) || !skl_py_leg_joint(args[2], skeleton, 1, &toe) ||
        !skl_py_leg_joint(args[3], skeleton, 1, &heel) ||
        (args[4] != Py_None && !skl_py_vector(args[4], "end_site", site)))
        return NULL;
    if (skl_plant_leg_init(&leg, skeleton, chain, toe, heel, args[4] == Py_None ? NULL : site, &status) != SKL_OK)
        return skl_py_refuse(module, &status);
    return skl_py_dict(skl_py_leg_fields, &leg, 0, NULL);
}
