/* SPDX-License-Identifier: MIT */
#include "planting_rig.h"

#include "python/base/module.h"

int skl_py_leg_joint(PyObject *value, const skl_skeleton *skeleton, int none, int32_t *out) {
    const long joint = none && value == Py_None ? -1 : PyLong_AsLong(value);
    if (PyErr_Occurred()) return 0;
    *out = (int32_t)joint;
    if (joint >= (none && value == Py_None ? -1 : 0) && joint < skeleton->num_joints) return 1;
    return skl_py_fail(PyExc_ValueError, "a leg's joints must be those of the skeleton");
}

int skl_py_chain(PyObject *chain, const skl_skeleton *skeleton, int32_t out[3]) {
    for (Py_ssize_t i = 0; i < 3; i++) {
        PyObject *joint = PySequence_GetItem(chain, i);
        const int taken = joint && skl_py_leg_joint(joint, skeleton, 0, &out[i]);
        Py_XDECREF(joint);
        if (!taken) return 0;
    }
    return 1;
}

#define MAYBE(name) {#name, SKL_PY_VECTOR, offsetof(skl_plant_leg, name), 1, offsetof(skl_plant_leg, has_##name), NULL}
const skl_py_field skl_py_leg_fields[] = {MAYBE(end_site),
                                          MAYBE(marker),
                                          MAYBE(rest_up),
                                          MAYBE(tip),
                                          {"clearance", SKL_PY_NUMBER, offsetof(skl_plant_leg, clearance), 1, 0, NULL},
                                          {0}};
#undef MAYBE

static int take_leg(PyObject *object, const skl_skeleton *skeleton, skl_py_taken *taken, skl_plant_leg *out) {
    PyObject *chain = skl_py_attribute(taken, object, "chain");
    PyObject *toe = chain ? skl_py_attribute(taken, object, "toe") : NULL;
    PyObject *bend = toe ? skl_py_attribute(taken, object, "bend") : NULL;
    if (!bend || !skl_py_vector(bend, "bend", out->bend) || !skl_py_leg_joint(toe, skeleton, 1, &out->toe) ||
        !skl_py_chain(chain, skeleton, out->chain) || !skl_py_take(taken, object, skl_py_leg_fields, 0, out))
        return 0;
    out->has_tip = out->has_tip && out->toe >= 0;
    for (int i = 1; i < 3; i++) {
        /* Feet are turned, and toes bent, in the axes of their parents. */
        if (skeleton->parents[out->chain[i]] < 0)
            return skl_py_fail(PyExc_ValueError, "a leg's joints must be below each other");
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
    return num < 0 ? NULL : skl_py_packed(local, "local", NPY_DOUBLE, 4, shape);
}
