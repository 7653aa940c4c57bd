/* SPDX-License-Identifier: MIT */
/* What planting costs and what papers say of feet, for Python. The package hands in packed arrays of the right types.
 */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_args.h"

#include "planting/measure/cost.h"
#include "planting/measure/literature.h"

enum { ROWS = 5, FIGURES = 6 };
_Static_assert(sizeof(skl_literature) == FIGURES * sizeof(double), "figures are a row of doubles");

/* A new array of (ROWS, F) doubles, and where its rows begin. */
static PyObject *new_rows(npy_intp frames, double *rows[ROWS]) {
    npy_intp shape[2] = {ROWS, frames};
    PyObject *out = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    for (int i = 0; out && i < ROWS; i++) rows[i] = (double *)skl_py_data(out) + i * frames;
    return out;
}

/* hip, knee, ankle, flexion */
PyObject *skl_py_leg_jumps(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("leg_jumps", nargs, 4)) return NULL;
    const npy_intp frames = skl_py_rows(args[0], "hip");
    if (frames < 0) return NULL;
    skl_leg_motion leg = {.num_frames = frames};
    const double *flexion;
    double *rows[ROWS];
    if (!(leg.hip = skl_py_vectors(args[0], "hip", frames)) || !(leg.knee = skl_py_vectors(args[1], "knee", frames)) ||
        !(leg.ankle = skl_py_vectors(args[2], "ankle", frames)) ||
        !(flexion = skl_py_numbers(args[3], "flexion", frames)))
        return NULL;
    PyObject *out = new_rows(frames, rows);
    if (!out) return NULL;
    const skl_leg_jumps_rows into = {rows[0], rows[1], rows[2], rows[3], rows[4]};
    PyThreadState *lock = skl_py_release(frames);
    skl_leg_jumps(&leg, flexion, &into);
    return skl_py_give(lock, out);
}

/* hip, knee, ankle (K, F, 3), flexion (K, F), new_hip, new_ankle (K, F, 3), length, fps */
PyObject *skl_py_correction_cost(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    static const char *const names[] = {"hip", "knee", "ankle", "flexion", "new_hip", "new_ankle"};
    if (!skl_py_arity("correction_cost", nargs, 8)) return NULL;
    const npy_intp any[3] = {SKL_ANY, SKL_ANY, 3};
    if (!skl_py_over_frames(args[0], "hip", NPY_DOUBLE, 3, any)) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)args[0]);
    const double *data[6];
    for (int i = 0; i < 6; i++)
        if (!(data[i] = skl_py_over_frames(args[i], names[i], NPY_DOUBLE, i == 3 ? 2 : 3, shape))) return NULL;
    const skl_correction correction = {
        .num_frames = shape[1],
        .num_legs = shape[0],
        .hip = data[0],
        .knee = data[1],
        .ankle = data[2],
        .flexion = data[3],
        .new_hip = data[4],
        .new_ankle = data[5],
        .length = PyFloat_AsDouble(args[6]),
        .fps = PyFloat_AsDouble(args[7]),
    };
    if (PyErr_Occurred()) return NULL;
    double *rows[ROWS];
    PyObject *out = new_rows(shape[1], rows);
    if (!out) return NULL;
    const skl_correction_rows into = {rows[0], rows[1], rows[2], rows[3], rows[4]};
    PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
    skl_correction_cost(&correction, &into);
    return skl_py_give(lock, out);
}

/* lowest, ball (K, F), steps (K, F - 1, 3), fps, metres */
PyObject *skl_py_literature_figures(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    if (!skl_py_arity("literature_figures", nargs, 5)) return NULL;
    const npy_intp any[2] = {SKL_ANY, SKL_ANY};
    skl_feet feet = {.fps = PyFloat_AsDouble(args[3]), .metres = PyFloat_AsDouble(args[4])};
    if (PyErr_Occurred() || !(feet.lowest = skl_py_over_frames(args[0], "lowest", NPY_DOUBLE, 2, any))) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)args[0]);
    const npy_intp between[3] = {shape[0], shape[1] > 0 ? shape[1] - 1 : 0, 3};
    if (!(feet.ball = skl_py_over_frames(args[1], "ball", NPY_DOUBLE, 2, shape)) ||
        !(feet.steps = skl_py_over_frames(args[2], "steps", NPY_DOUBLE, 3, between)))
        return NULL;
    feet.num_feet = shape[0];
    feet.num_frames = shape[1];
    double *scratch = PyMem_Malloc((size_t)(between[0] * between[1] + 1) * sizeof *scratch);
    if (!scratch) return PyErr_NoMemory();
    npy_intp figures = FIGURES;
    PyObject *out = PyArray_SimpleNew(1, &figures, NPY_DOUBLE);
    if (out) {
        PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
        skl_literature_figures(&feet, scratch, skl_py_data(out));
        out = skl_py_give(lock, out);
    }
    PyMem_Free(scratch);
    return out;
}
