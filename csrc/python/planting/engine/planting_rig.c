/* SPDX-License-Identifier: MIT */
#include "planting_rig.h"

#include "python/base/module.h"

int skl_py_leg_joint(PyObject *value, const skl_skeleton *skeleton, int none, int32_t *out) {
    const long joint = none && value == Py_None ? -1 : PyLong_AsLong(value);
    if (PyErr_Occurred()) return 0;
    *out = (int32_t)joint;
    if (joint >= (none && value == Py_None ? -1 : 0) && joint < skeleton->num_joints) return 1;
    PyErr_SetString(PyExc_ValueError, "a leg's joints must be those of the skeleton");
    return 0;
}

static int take_leg(PyObject *object, const skl_skeleton *skeleton, skl_py_taken *taken, skl_plant_leg *out) {
    PyObject *chain = skl_py_attribute(taken, object, "chain");
    PyObject *toe = chain ? skl_py_attribute(taken, object, "toe") : NULL;
    PyObject *bend = toe ? skl_py_attribute(taken, object, "bend") : NULL;
    if (!bend || !skl_py_leg_joint(toe, skeleton, 1, &out->toe) || !skl_py_vector(bend, "bend", out->bend) ||
        !skl_py_optional_vector(object, "tip", out->tip, &out->has_tip) ||
        !skl_py_optional_vector(object, "end_site", out->end_site, &out->has_end_site) ||
        !skl_py_optional_vector(object, "marker", out->marker, &out->has_marker) ||
        !skl_py_optional_vector(object, "rest_up", out->rest_up, &out->has_rest_up) ||
        !skl_py_number(object, "clearance", 1, &out->clearance))
        return 0;
    out->has_tip = out->has_tip && out->toe >= 0;
    for (Py_ssize_t i = 0; i < 3; i++) {
        PyObject *joint = PySequence_GetItem(chain, i);
        const int is_one = joint && skl_py_leg_joint(joint, skeleton, 0, &out->chain[i]);
        Py_XDECREF(joint);
        if (!is_one) return 0;
        /* Feet are turned, and toes bent, in the axes of what they hang from. */
        if (i && skeleton->parents[out->chain[i]] < 0) {
            PyErr_SetString(PyExc_ValueError, "a leg's joints must hang from each other");
            return 0;
        }
    }
    return 1;
}

int skl_py_rig(PyObject *module, PyObject *subset, skl_py_taken *taken, skl_plant_rig *out) {
    PyObject *skeleton = skl_py_attribute(taken, subset, "skeleton");
    PyObject *mover = skeleton ? skl_py_attribute(taken, subset, "mover") : NULL;
    PyObject *top = mover ? skl_py_attribute(taken, subset, "head") : NULL;
    PyObject *legs = top ? skl_py_attribute(taken, subset, "legs") : NULL;
    int32_t carries, head;
    *out = (skl_plant_rig){.skeleton = legs ? skl_py_skeleton(module, skeleton) : NULL};
    if (!out->skeleton || !skl_py_leg_joint(mover, out->skeleton, 1, &carries) ||
        !skl_py_leg_joint(top, out->skeleton, 1, &head))
        return 0;
    out->mover = carries;
    out->head = head;
    if ((out->num_legs = PySequence_Size(legs)) < 0) return 0;
    skl_plant_leg *each = SKL_ZEROS(&taken->arena, skl_plant_leg, out->num_legs);
    if (!each) return PyErr_NoMemory() != NULL;
    out->legs = each;
    for (int64_t k = 0; k < out->num_legs; k++) {
        PyObject *leg = PySequence_GetItem(legs, (Py_ssize_t)k);
        const int is_one = leg && take_leg(leg, out->skeleton, taken, &each[k]);
        Py_XDECREF(leg);
        if (!is_one) return 0;
    }
    return 1;
}

const double *skl_py_poses(PyObject *local, const skl_plant_rig *rig, int64_t *num_frames) {
    const npy_intp num = skl_py_rows(local, "local"), shape[4] = {num, (npy_intp)rig->skeleton->num_joints, 4, 4};
    *num_frames = num;
    return num < 0 ? NULL : skl_py_over_frames(local, "local", NPY_DOUBLE, 4, shape);
}
