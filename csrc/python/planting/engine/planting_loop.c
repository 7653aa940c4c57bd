/* SPDX-License-Identifier: MIT */
#include "planting_loop.h"
#include "planting_options.h"
#include "planting_rig.h"

#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "planting/loops/find_loop.h"
#include "planting/loops/loop_ground.h"

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

/* loop, spans of its clip: those of the unrolled motion */
PyObject *skl_py_unroll_spans(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_loop loop;
    int known;
    if (!skl_py_arity("unroll_spans", nargs, 2) || !skl_py_loop(args[0], &loop, &known)) return NULL;
    skl_arena arena = {0};
    skl_spans spans, unrolled;
    PyObject *out = NULL;
    if (!known)
        PyErr_SetString(PyExc_TypeError, "loop is None: a Loop is needed");
    else if (skl_py_take_spans(args[1], "spans", loop.period + 1, &arena, &spans))
        out = skl_loop_unroll_spans(&loop, spans, &arena, &unrolled) ? skl_py_span_list(unrolled) : PyErr_NoMemory();
    skl_arena_free(&arena);
    return out;
}

static PyObject *matrix_out(const double matrix[16]) {
    const npy_intp shape[2] = {4, 4};
    PyObject *out = PyArray_SimpleNew(2, shape, NPY_DOUBLE);
    if (out) memcpy(skl_py_data(out), matrix, 16 * sizeof *matrix);
    return out;
}

/* Tracks of the first two and the last two frames, and up. */
static int take_ends(PyObject *tracks, PyObject *up, skl_py_taken *taken, skl_loop_ends *out) {
    Py_ssize_t legs = -1;
    out->tracks = skl_py_tracks(tracks, taken, &legs);
    out->num_legs = legs;
    if (!out->tracks || !skl_py_vector(up, "up", out->up)) return 0;
    if (legs > 0 && out->tracks->num_frames == 4) return 1;
    PyErr_SetString(PyExc_ValueError, "ends: the first two and the last two frames of one leg at least are needed");
    return 0;
}

static int take_travel(PyObject *value, double out[16]) {
    const npy_intp shape[2] = {4, 4};
    const double *numbers = skl_py_over_frames(value, "travel", NPY_DOUBLE, 2, shape);
    if (numbers) memcpy(out, numbers, 16 * sizeof *out);
    return numbers != NULL;
}

PyObject *skl_py_told_loop(const skl_loop *loop) {
    return Py_BuildValue("LLNdNO", (long long)loop->period, (long long)loop->margin, matrix_out(loop->travel),
                         loop->gap, matrix_out(loop->planted), loop->rides ? Py_True : Py_False);
}

/* ends, up, frames of the clip, fps, options (see skl_py_plant_options), ground of the clip or None: whether the last
 * pose is the first, the loop, why it cannot be kept closed */
PyObject *skl_py_find_loop(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_py_taken taken = {0};
    skl_loop_ends ends;
    skl_plant_options options;
    skl_ground ground;
    skl_find_loop_job job = {.ends = &ends, .options = &options, .arena = &taken.arena};
    int known;
    PyObject *out = NULL;
    if (skl_py_arity("find_loop", nargs, 6) && take_ends(args[0], args[1], &taken, &ends) &&
        skl_py_integer(args[2], "num_frames", &job.num_frames) && skl_py_real(args[3], "fps", &job.fps) &&
        skl_py_plant_options(args[4], ends.num_legs, job.num_frames, &taken.arena, &options) &&
        skl_py_ground(args[5], ends.up, &ground, &known)) {
        job.ground = known ? &ground : NULL;
        if (skl_find_loop(&job) == SKL_OK)
            out = Py_BuildValue("ONi", job.comes_back ? Py_True : Py_False, skl_py_told_loop(&job.loop), job.fault);
        else if (!PyErr_Occurred())
            skl_py_raise(&job.status);
        if (PyErr_Occurred()) Py_CLEAR(out);
    }
    skl_py_drop(&taken);
    return out;
}

/* ends, up, travel, tracks of a piece: whether it moves, and whether it is even */
PyObject *skl_py_loop_seam(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_py_taken taken = {0};
    skl_loop_ends ends;
    Py_ssize_t legs;
    double travel[16];
    int moves = 0, even = 0;
    PyObject *out = NULL;
    if (skl_py_arity("loop_seam", nargs, 4) && take_ends(args[0], args[1], &taken, &ends) &&
        take_travel(args[2], travel)) {
        legs = (Py_ssize_t)ends.num_legs;
        const skl_track *piece = skl_py_tracks(args[3], &taken, &legs);
        if (piece)
            out = skl_loop_seam(&ends, travel, piece, &taken.arena, &moves, &even)
                      ? Py_BuildValue("OO", moves ? Py_True : Py_False, even ? Py_True : Py_False)
                      : PyErr_NoMemory();
    }
    skl_py_drop(&taken);
    return out;
}

/* The ground of a loop, of the clip's, the loop and up. */
typedef struct endless {
    skl_ground clip;
    skl_loop loop;
    skl_loop_ground ground;
} endless;

static int take_endless(PyObject *const *args, endless *out) {
    double up[3];
    int known, looped;
    if (!skl_py_vector(args[2], "up", up) || !skl_py_ground(args[0], up, &out->clip, &known) ||
        !skl_py_loop(args[1], &out->loop, &looped))
        return 0;
    skl_loop_ground_of(&out->clip, &out->loop, &out->ground);
    return looped;
}

/* What a ground has answered; NULL where it failed. */
static PyObject *answered(int failed, PyObject *out) {
    if (failed && !PyErr_Occurred()) PyErr_NoMemory();
    if (PyErr_Occurred()) Py_CLEAR(out);
    return out;
}

/* ground of the clip, loop, up, points (N, 3), frames (N,), whether more than heights is asked: heights, and normals
 * and surface, or None */
PyObject *skl_py_loop_below(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    endless e;
    if (!skl_py_arity("loop_below", nargs, 6) || !take_endless(args, &e)) return NULL;
    const npy_intp num = skl_py_rows(args[3], "points");
    const double *points = num < 0 ? NULL : skl_py_vectors(args[3], "points", num);
    const int64_t *frames = points ? skl_py_over_frames(args[4], "frames", NPY_INT64, 1, &num) : NULL;
    const int more = PyObject_IsTrue(args[5]);
    if (!frames || more < 0) return NULL;
    PyObject *heights = skl_py_new_frames(1, num, NPY_DOUBLE);
    PyObject *normals = more ? skl_py_new_frames(2, num, NPY_DOUBLE) : Py_NewRef(Py_None);
    PyObject *surface = more ? skl_py_new_frames(1, num, NPY_INT64) : Py_NewRef(Py_None);
    PyObject *out = heights && normals && surface ? PyTuple_Pack(3, heights, normals, surface) : NULL;
    if (out) {
        const skl_footing footing = {.heights = skl_py_data(heights),
                                     .normals = more ? skl_py_data(normals) : NULL,
                                     .surface = more ? skl_py_data(surface) : NULL};
        out = answered(skl_ground_below(&e.ground.ground, num, points, frames, &footing), out);
    }
    Py_XDECREF(heights);
    Py_XDECREF(normals);
    Py_XDECREF(surface);
    return out;
}

/* ground of the clip, loop, up, points (N, 3), surface, from_frames, to_frames (N,) */
PyObject *skl_py_loop_carry(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    endless e;
    if (!skl_py_arity("loop_carry", nargs, 7) || !take_endless(args, &e)) return NULL;
    const npy_intp num = skl_py_rows(args[3], "points");
    const double *points = num < 0 ? NULL : skl_py_vectors(args[3], "points", num);
    const int64_t *given[3] = {0};
    static const char *const names[3] = {"surface", "from_frames", "to_frames"};
    for (int i = 0; points && i < 3; i++)
        if (!(given[i] = skl_py_over_frames(args[4 + i], names[i], NPY_INT64, 1, &num))) return NULL;
    PyObject *out = points ? skl_py_new_frames(2, num, NPY_DOUBLE) : NULL;
    if (!out) return NULL;
    return answered(skl_ground_carry(&e.ground.ground, num, points, given[0], given[1], given[2], skl_py_data(out)),
                    out);
}

/* loop, skeleton, poses (N, S, 4, 4) of its clip, which are changed, turns (N,) */
PyObject *skl_py_loop_carry_on(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    skl_loop loop;
    int known;
    if (!skl_py_arity("loop_carry_on", nargs, 4) || !skl_py_loop(args[0], &loop, &known)) return NULL;
    const skl_skeleton *skeleton = skl_py_skeleton(module, args[1]);
    const npy_intp num = skeleton && known ? skl_py_rows(args[2], "poses") : -1;
    if (num < 0) return NULL;
    const npy_intp shape[4] = {num, (npy_intp)skeleton->num_joints, 4, 4};
    double *poses = (double *)skl_py_over_frames(args[2], "poses", NPY_DOUBLE, 4, shape);
    const int64_t *turns = poses ? skl_py_over_frames(args[3], "turns", NPY_INT64, 1, &num) : NULL;
    if (!turns) return NULL;
    if (!PyArray_ISWRITEABLE((PyArrayObject *)args[2])) {
        PyErr_SetString(PyExc_ValueError, "poses are read-only");
        return NULL;
    }
    skl_loop_carry_on(&loop, skeleton, num, turns, poses);
    return Py_NewRef(Py_None);
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
