/* SPDX-License-Identifier: MIT */
#include "planting_loop.h"
#include "planting_options.h"
#include "planting_rig.h"

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "planting/loops/loop.h"

#include <string.h>

static int take_matrix(PyObject *loop, const char *name, double out[16]) {
    const npy_intp shape[2] = {4, 4};
    PyObject *value = PyObject_GetAttrString(loop, name);
    const double *numbers = value ? skl_py_over_frames(value, name, NPY_DOUBLE, 2, shape) : NULL;
    if (numbers) memcpy(out, numbers, 16 * sizeof *out);
    Py_XDECREF(value);
    return numbers != NULL;
}

static int take_frames(PyObject *loop, const char *name, int64_t *out) {
    PyObject *value = PyObject_GetAttrString(loop, name);
    const int taken = value && skl_py_integer(value, name, out);
    Py_XDECREF(value);
    return taken;
}

int skl_py_loop(PyObject *object, skl_loop *out, int *known) {
    memset(out, 0, sizeof *out);
    *known = object != Py_None;
    if (!*known) return 1;
    if (!skl_py_flag(object, "rides", &out->rides) || !take_frames(object, "period", &out->period) ||
        !take_frames(object, "margin", &out->margin) || !take_matrix(object, "travel", out->travel) ||
        !take_matrix(object, "planted", out->planted) || !skl_py_number(object, "gap", 0, &out->gap))
        return 0;
    if (out->period > 0 && out->margin >= 0) return 1;
    PyErr_SetString(PyExc_ValueError, "loop: a period has one frame at least");
    return 0;
}

static PyObject *matrix_out(const double matrix[16]) {
    const npy_intp shape[2] = {4, 4};
    PyObject *out = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (out) memcpy(skl_py_data(out), matrix, 16 * sizeof *matrix);
    return out;
}

PyObject *skl_py_told_loop(const skl_loop *loop) {
    return Py_BuildValue("LLNdNO", (long long)loop->period, (long long)loop->margin, matrix_out(loop->travel),
                         loop->gap, matrix_out(loop->planted), loop->rides ? Py_True : Py_False);
}

/* loop, subset, first, last (S, 4, 4), changed (S,) bool, length: the planted last pose */
PyObject *skl_py_closing_pose(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    skl_py_taken taken = {0};
    skl_loop loop;
    skl_plant_rig rig;
    skl_status status = {.code = SKL_OK};
    double length;
    int known;
    PyObject *out = NULL;
    if (skl_py_arity("closing_pose", nargs, 6) && skl_py_loop(args[0], &loop, &known) &&
        skl_py_rig(module, args[1], &taken, &rig) && skl_py_real(args[5], "length", &length)) {
        const npy_intp joints = (npy_intp)rig.skeleton->num_joints, shape[3] = {joints, 4, 4};
        const double *first = skl_py_over_frames(args[2], "first", NPY_DOUBLE, 3, shape);
        const double *last = first ? skl_py_over_frames(args[3], "last", NPY_DOUBLE, 3, shape) : NULL;
        const uint8_t *changed = last ? skl_py_over_frames(args[4], "changed", NPY_BOOL, 1, &joints) : NULL;
        if (changed && (out = PyArray_SimpleNew(3, shape, NPY_DOUBLE)) &&
            skl_loop_closing_pose(&loop, &rig, first, last, changed, length, skl_py_data(out), &status) != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&status);
        }
    }
    skl_py_drop(&taken);
    return out;
}
