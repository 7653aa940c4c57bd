/* SPDX-License-Identifier: MIT */
/* Soles of feet over all frames, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

/* model, feet, up */
PyObject *skl_py_sole_outline(PyObject *const *args) {
    skl_py_taken taken = {0};
    skl_foot_model model;
    double up[3];
    const npy_intp num = skl_py_rows(args[1], "feet"), shape[3] = {3, num, 3};
    const double *feet = num < 0 ? NULL : skl_py_matrices(args[1], "feet", num);
    PyObject *out = NULL;
    if (feet && skl_py_foot_model(args[0], &taken, &model) && skl_py_vector(args[2], "up", up) &&
        (out = PyArray_SimpleNew(3, shape, NPY_DOUBLE))) {
        PyThreadState *lock = skl_py_release(num);
        skl_sole_outline(&model.sole, up, num, feet, skl_py_data(out));
        out = skl_py_give(lock, out);
    }
    skl_py_drop(&taken);
    return out;
}
