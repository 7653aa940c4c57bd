/* SPDX-License-Identifier: MIT */
/* What feet do, what papers say of that, and what planting costs, for Python. The package hands in packed arrays of the
 * right types.
 */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"
#include "python/base/struct_dtype.h"

#include "planting/measure/cost.h"
#include "planting/measure/cost_tally.h"
#include "planting/measure/literature.h"
#include "planting/measure/sole_steps.h"

#define FIELD(name) {#name, SKL_PY_NUMBER, offsetof(skl_literature, name), 0, 0, NULL}
static const skl_py_field literature_fields[] = {FIELD(skating_ratio),
                                                 FIELD(weighted_slide_cm),
                                                 FIELD(penetration_mm),
                                                 FIELD(float_mm),
                                                 FIELD(contact_slide_mm),
                                                 FIELD(physical_error_mm),
                                                 {0}};
#undef FIELD

#define FIELD(name, format) {#name, format, offsetof(skl_leg_tally, name)}
#define FRAME(name, figure) {"frame_" #name, "i8", offsetof(skl_leg_tally, frames) + SKL_##figure * sizeof(int64_t)}
static const skl_struct_field leg_fields[] = {FIELD(overturned, "2i8"),   FIELD(backward, "i8"),
                                              FIELD(pops, "2i8"),         FIELD(changed, "i8"),
                                              FIELD(jerk, "2f8"),         FIELD(jump, "2f8"),
                                              FIELD(change_worst, "f8"),  FIELD(change_square, "f8"),
                                              FIELD(flexion, "(2, 2)f8"), FRAME(overturned, OVERTURNED),
                                              FRAME(backward, BACKWARD),  FRAME(pops, POPS),
                                              FRAME(jerk, JERK),          FRAME(jump, JUMP),
                                              FRAME(changed, CHANGED),    {0}};
#undef FIELD
#undef FRAME
#define FIELD(name, format) {#name, format, offsetof(skl_body_tally, name)}
static const skl_struct_field body_fields[] = {
    FIELD(square, "f8"),    FIELD(worst, "f8"), FIELD(frame, "i8"),  FIELD(body_added, "f8"),
    FIELD(leg_added, "f8"), FIELD(inner, "i8"), FIELD(hidden, "i8"), {0}};
#undef FIELD
static const skl_struct_type leg_type = {"LEG_TALLY", leg_fields, sizeof(skl_leg_tally)};
static const skl_struct_type body_type = {"BODY_TALLY", body_fields, sizeof(skl_body_tally)};

int skl_py_add_tally_structs(PyObject *module) {
    return skl_py_add_struct(module, &leg_type) < 0 ? -1 : skl_py_add_struct(module, &body_type);
}

/* So many rows of a tally to write; NULL with an exception set for anything else. */
static void *tally_of(PyObject *module, PyObject *value, const skl_struct_type *type, npy_intp rows) {
    npy_intp count;
    const void *data = skl_py_rows_of(module, value, type, &count);
    if (!data) return NULL;
    if (count == rows && PyArray_ISWRITEABLE((PyArrayObject *)value)) return PyArray_DATA((PyArrayObject *)value);
    PyErr_Format(PyExc_ValueError, "%zd rows of %s to write are needed", (Py_ssize_t)rows, type->name);
    return NULL;
}

/* Four arrays of legs: three (K, F, 3), and (K, F) flexions. */
static int take_legs(PyObject *const *args, const npy_intp *shape, skl_legs_motion *into) {
    return (into->hip = skl_py_over_frames(args[0], "hip", NPY_DOUBLE, 3, shape)) &&
           (into->knee = skl_py_over_frames(args[1], "knee", NPY_DOUBLE, 3, shape)) &&
           (into->ankle = skl_py_over_frames(args[2], "ankle", NPY_DOUBLE, 3, shape)) &&
           (into->flexion = skl_py_over_frames(args[3], "flexion", NPY_DOUBLE, 2, shape));
}

/* hip, knee, ankle, flexion; length */
PyObject *skl_py_glitch_limits(PyObject *const *args) {
    const npy_intp any[3] = {SKL_ANY, SKL_ANY, 3};
    if (!skl_py_over_frames(args[0], "hip", NPY_DOUBLE, 3, any)) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)args[0]);
    skl_legs_motion legs;
    double length;
    if (!take_legs(args, shape, &legs) || !skl_py_real(args[4], "length", &length)) return NULL;
    double *scratch = PyMem_Malloc(6 * (size_t)shape[1] * sizeof *scratch + 1);
    if (!scratch) return PyErr_NoMemory();
    PyObject *out = skl_py_new_frames(2, shape[0], NPY_DOUBLE);
    if (out) {
        PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
        skl_glitch_limits(shape[0], shape[1], &legs, length, scratch, skl_py_data(out));
        out = skl_py_give(lock, out);
    }
    PyMem_Free(scratch);
    return out;
}

/* hip, knee, ankle, flexion of the original and of the planted clip; glitches (K, 3); alone (N,) bool or None; first,
 * num, low, high, closes; length, fps; rows of LEG_TALLY (K,) and BODY_TALLY (1,) to add to */
PyObject *skl_py_add_cost(PyObject *module, PyObject *const *args) {
    const npy_intp any[3] = {SKL_ANY, SKL_ANY, 3};
    if (!skl_py_over_frames(args[0], "hip", NPY_DOUBLE, 3, any)) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)args[0]);
    skl_cost_block block = {.num_legs = shape[0], .num_frames = shape[1]};
    if (!take_legs(args, shape, &block.before) || !take_legs(args + 4, shape, &block.after) ||
        !(block.glitches = skl_py_vectors(args[8], "glitches", shape[0])))
        return NULL;
    if (!Py_IsNone(args[9])) {
        block.num_alone = skl_py_rows(args[9], "alone");
        const npy_intp flags = block.num_alone;
        if (flags < 0 || !(block.alone = skl_py_over_frames(args[9], "alone", NPY_BOOL, 1, &flags))) return NULL;
    }
    if (!skl_py_integer(args[10], "first", &block.first) || !skl_py_integer(args[11], "num", &block.num) ||
        !skl_py_integer(args[12], "low", &block.low) || !skl_py_integer(args[13], "high", &block.high) ||
        (block.closes = PyObject_IsTrue(args[14])) < 0 || !skl_py_real(args[15], "length", &block.length) ||
        !skl_py_real(args[16], "fps", &block.fps))
        return NULL;
    if (!(block.low >= 0 && block.low <= block.high && block.high <= shape[1] && block.num_alone <= shape[1])) {
        PyErr_Format(PyExc_ValueError, "rows %lld ... %lld and %zd flags: there are %zd frames", (long long)block.low,
                     (long long)block.high, (Py_ssize_t)block.num_alone, (Py_ssize_t)shape[1]);
        return NULL;
    }
    skl_leg_tally *legs = tally_of(module, args[17], &leg_type, shape[0]);
    skl_body_tally *body = legs ? tally_of(module, args[18], &body_type, 1) : NULL;
    if (!body) return NULL;
    const size_t frames = (size_t)shape[1], rows = 5 * (size_t)shape[0] + 6;
    double *scratch = PyMem_Malloc(rows * frames * sizeof *scratch + frames + 1);
    if (!scratch) return PyErr_NoMemory();
    PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
    skl_add_cost(&block, scratch, (uint8_t *)(scratch + rows * frames), legs, body);
    PyObject *done = skl_py_give(lock, Py_NewRef(Py_None));
    PyMem_Free(scratch);
    return done;
}

/* lowest, ball (K, F), steps (K, F - 1, 3), fps, metres */
PyObject *skl_py_literature_figures(PyObject *const *args) {
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
    skl_literature figures;
    PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
    skl_literature_figures(&feet, scratch, &figures);
    const int done = skl_py_restore(lock);
    PyMem_Free(scratch);
    return done ? skl_py_dict(literature_fields, &figures, 0, NULL) : NULL;
}
