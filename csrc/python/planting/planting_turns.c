/* SPDX-License-Identifier: MIT */
/* Rotations of feet over all frames, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "planting/motion/turns.h"

/* From packed vectors (2 dimensions) or matrices (3) of all frames to others. */
typedef void convert(int64_t num_frames, const double *in, double *out);

static PyObject *over_frames(PyObject *value, const char *name, convert *run, int from, int to) {
    const npy_intp num = skl_py_rows(value, name);
    if (num < 0) return NULL;
    const double *in = from == 2 ? skl_py_vectors(value, name, num) : skl_py_matrices(value, name, num);
    PyObject *out = in ? skl_py_new_frames(to, num, NPY_DOUBLE) : NULL;
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    run(num, in, skl_py_data(out));
    return skl_py_give(lock, out);
}

PyObject *skl_py_turn_matrices(PyObject *const *args) {
    return over_frames(args[0], "vectors", skl_turn_matrices, 2, 3);
}

/* local (F, S, 4, 4), joint */
PyObject *skl_py_joint_turns(PyObject *const *args) {
    const npy_intp num = skl_py_rows(args[0], "local"), shape[4] = {num, SKL_ANY, 4, 4};
    const double *local = num < 0 ? NULL : skl_py_packed(args[0], "local", NPY_DOUBLE, 4, shape);
    const Py_ssize_t joint = local ? PyNumber_AsSsize_t(args[1], PyExc_IndexError) : -1;
    if (!local || (joint == -1 && PyErr_Occurred())) return NULL;
    const npy_intp joints = PyArray_DIM((PyArrayObject *)args[0], 1);
    if (joint < 0 || joint >= joints)
        return PyErr_Format(PyExc_IndexError, "joint is %zd of %zd joints", joint, joints);
    PyObject *out = skl_py_new_frames(1, num > 0 ? num - 1 : 0, NPY_DOUBLE);
    if (!out) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_joint_turns(num, local + 16 * joint, 16 * joints, skl_py_data(out));
    return skl_py_give(lock, out);
}
