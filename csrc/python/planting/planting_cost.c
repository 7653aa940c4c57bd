/* SPDX-License-Identifier: MIT */
/* What feet do, what papers say of that, and what planting costs, for Python. The package hands in packed arrays of the
 * right types.
 */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/objects.h"
#include "planting_objects.h"

#include "planting/measure/cost_tally.h"
#include "planting/measure/literature.h"

#define FIELD(name) {#name, SKL_PY_NUMBER, offsetof(skl_literature, name), 0, 0, NULL}
static const skl_py_field literature_fields[] = {FIELD(skating_ratio),
                                                 FIELD(weighted_slide_cm),
                                                 FIELD(penetration_mm),
                                                 FIELD(float_mm),
                                                 FIELD(contact_slide_mm),
                                                 FIELD(physical_error_mm),
                                                 {0}};
#undef FIELD
#define FIELD(name, kind) {#name, SKL_PY_##kind, offsetof(skl_body_tally, name), 0, 0, NULL}
static const skl_py_field body_fields[] = {
    FIELD(square, NUMBER),    FIELD(worst, NUMBER), FIELD(frame, COUNT),  FIELD(body_added, NUMBER),
    FIELD(leg_added, NUMBER), FIELD(inner, COUNT),  FIELD(hidden, COUNT), {0}};
#undef FIELD

/* Figures of a leg; pairs are of the original and of the planted clip. */
static PyObject *leg_dict(const skl_leg_tally *leg) {
#define PAIR(name) #name, (long long)leg->name[0], (long long)leg->name[1]
#define RANGE(name) #name, leg->name[0], leg->name[1]
#define FRAME(name, figure) #name, (long long)leg->frames[SKL_##figure]
    return Py_BuildValue(
        "{s:(LL),s:L,s:(LL),s:L,s:(dd),s:(dd),s:d,s:d,s:((dd)(dd)),s:{s:L,s:L,s:L,s:L,s:L,s:L}}", PAIR(overturned),
        "backward", (long long)leg->backward, PAIR(pops), "changed", (long long)leg->changed, RANGE(jerk), RANGE(jump),
        "change_worst", leg->change_worst, "change_square", leg->change_square, "flexion", leg->flexion[0][0],
        leg->flexion[0][1], leg->flexion[1][0], leg->flexion[1][1], "frames", FRAME(overturned, OVERTURNED),
        FRAME(backward, BACKWARD), FRAME(pops, POPS), FRAME(jerk, JERK), FRAME(jump, JUMP), FRAME(changed, CHANGED));
#undef PAIR
#undef RANGE
#undef FRAME
}

/* hip, knee, ankle (K, F, 3), flexion (K, F) */
static int take_legs(PyObject *arrays, const npy_intp *shape, skl_legs_motion *into) {
    PyObject *hip, *knee, *ankle, *flexion;
    return PyArg_ParseTuple(arrays, "OOOO", &hip, &knee, &ankle, &flexion) &&
           (into->hip = skl_py_packed(hip, "hip", NPY_DOUBLE, 3, shape)) &&
           (into->knee = skl_py_packed(knee, "knee", NPY_DOUBLE, 3, shape)) &&
           (into->ankle = skl_py_packed(ankle, "ankle", NPY_DOUBLE, 3, shape)) &&
           (into->flexion = skl_py_packed(flexion, "flexion", NPY_DOUBLE, 2, shape));
}

/* (hip, knee, ankle, flexion) of the original and of the planted clip; alone (N,) bool or None; num, low, high, closes;
 * length, fps: the cost of each leg, and of the body */
PyObject *skl_py_planting_cost(PyObject *const *args) {
    const npy_intp any[3] = {SKL_ANY, SKL_ANY, 3};
    skl_arena arena = {0};
    skl_cost_job job = {.arena = &arena};
    PyObject *hip = PyTuple_GetItem(args[0], 0), *legs = NULL, *out = NULL;
    if (!hip || !skl_py_packed(hip, "hip", NPY_DOUBLE, 3, any)) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)hip);
    if (!take_legs(args[0], shape, &job.before) || !take_legs(args[1], shape, &job.after)) return NULL;
    if (!Py_IsNone(args[2])) {
        const npy_intp flags = skl_py_rows(args[2], "alone");
        if (flags < 0 || !(job.alone = skl_py_packed(args[2], "alone", NPY_BOOL, 1, &flags))) return NULL;
        job.num_alone = flags;
    }
    job.num_legs = shape[0];
    job.num_frames = shape[1];
    if (!skl_py_integer(args[3], "num", &job.num) || !skl_py_integer(args[4], "low", &job.low) ||
        !skl_py_integer(args[5], "high", &job.high) || (job.closes = PyObject_IsTrue(args[6])) < 0 ||
        !skl_py_real(args[7], "length", &job.length) || !skl_py_real(args[8], "fps", &job.fps))
        return NULL;
    if (!(job.low >= 0 && job.low <= job.high && job.high <= shape[1] && job.num_alone <= shape[1]))
        return PyErr_Format(PyExc_ValueError, "frames %lld ... %lld and %lld flags: there are %lld frames",
                            (long long)job.low, (long long)job.high, (long long)job.num_alone,
                            (long long)job.num_frames);
    PyThreadState *lock = skl_py_release(shape[0] * shape[1]);
    const int done = skl_planting_cost(&job);
    if (skl_py_restore(lock) && !done) PyErr_NoMemory();
    if (!PyErr_Occurred() && (legs = PyList_New(shape[0]))) {
        for (Py_ssize_t k = 0; legs && k < shape[0]; k++) skl_py_put(&legs, k, leg_dict(&job.legs[k]));
        out = Py_BuildValue("NN", legs, skl_py_dict(body_fields, &job.body, 0, NULL));
    }
    skl_arena_free(&arena);
    return out;
}

/* lowest, ball (K, F), steps (K, F - 1, 3), fps, metres */
PyObject *skl_py_literature_figures(PyObject *const *args) {
    const npy_intp any[2] = {SKL_ANY, SKL_ANY};
    skl_feet feet = {.fps = PyFloat_AsDouble(args[3]), .metres = PyFloat_AsDouble(args[4])};
    if (PyErr_Occurred() || !(feet.lowest = skl_py_packed(args[0], "lowest", NPY_DOUBLE, 2, any))) return NULL;
    const npy_intp *const shape = PyArray_DIMS((PyArrayObject *)args[0]);
    const npy_intp between[3] = {shape[0], shape[1] > 0 ? shape[1] - 1 : 0, 3};
    if (!(feet.ball = skl_py_packed(args[1], "ball", NPY_DOUBLE, 2, shape)) ||
        !(feet.steps = skl_py_packed(args[2], "steps", NPY_DOUBLE, 3, between)))
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
