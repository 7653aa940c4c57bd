/* SPDX-License-Identifier: MIT */
#include "planting_rig.h"

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "planting/loops/loop.h"

#define FIELD(name, kind) {#name, SKL_PY_##kind, offsetof(skl_loop, name), 0, 0, NULL}
const skl_py_field skl_py_loop_fields[] = {FIELD(period, COUNT),
                                           FIELD(margin, COUNT),
                                           FIELD(travel, MATRIX),
                                           FIELD(gap, NUMBER),
                                           FIELD(planted, MATRIX),
                                           FIELD(rides, FLAG),
                                           {0}};
#undef FIELD

/* loop, subset, first, last (S, 4, 4), changed (S,) bool, length: the planted last pose */
PyObject *skl_py_closing_pose(PyObject *module, PyObject *const *args) {
    skl_py_taken taken = {0};
    skl_loop loop;
    skl_plant_rig rig;
    skl_status status = {.code = SKL_OK};
    double length;
    PyObject *out = NULL;
    if (skl_py_take(&taken, args[0], skl_py_loop_fields, 0, &loop) && skl_py_rig(module, args[1], &taken, &rig) &&
        skl_py_real(args[5], "length", &length)) {
        const npy_intp joints = (npy_intp)rig.skeleton->num_joints, shape[3] = {joints, 4, 4};
        const double *first = skl_py_packed(args[2], "first", NPY_DOUBLE, 3, shape);
        const double *last = first ? skl_py_packed(args[3], "last", NPY_DOUBLE, 3, shape) : NULL;
        const uint8_t *changed = last ? skl_py_packed(args[4], "changed", NPY_BOOL, 1, &joints) : NULL;
        if (changed && (out = PyArray_SimpleNew(3, shape, NPY_DOUBLE)) &&
            skl_loop_closing_pose(&loop, &rig, first, last, changed, length, skl_py_data(out), &status) != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&status);
        }
    }
    skl_py_drop(&taken);
    return out;
}
