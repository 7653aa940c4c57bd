/* SPDX-License-Identifier: MIT */
/* From rotations to points and normals, for Python. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

enum { POINTS, NORMALS, OUTPUTS, ROTATIONS = OUTPUTS, TRANSLATIONS, SCALES, INPUTS };

/* One call. */
typedef struct poses_call {
    skl_skin_poses_job job;
    skl_item items[INPUTS];
    skl_arg in[INPUTS];
    skl_out out[OUTPUTS];
    skl_shape shape;
} poses_call;

/* Shapes of the inputs, and the precision. */
static int prepare(poses_call *c) {
    const int64_t vertices = c->job.weights->num_vertices, joints = c->job.skeleton->num_joints;
    skl_array *const into[INPUTS] = {&c->job.points, &c->job.normals, &c->job.rotations, &c->job.translations,
                                     &c->job.scales};
    c->items[POINTS] = c->items[NORMALS] = (skl_item){2, 1, {vertices, 3}};
    c->items[ROTATIONS] = (skl_item){2, 1, {joints, 4}};
    c->items[TRANSLATIONS] = c->items[SCALES] = (skl_item){2, 1, {joints, 3}};
    if (!skl_args_dtype(c->in, INPUTS, &c->job.dtype)) return 0;
    for (int k = 0; k < INPUTS; k++)
        if (!skl_arg_prepare(&c->in[k], c->job.dtype, &c->items[k], into[k])) return 0;
    return skl_args_broadcast(c->in, INPUTS, &c->shape);
}

/* Outputs; one amid an input, or amid the first, goes through a copy. */
static int begin_outputs(poses_call *c, PyObject *const *given) {
    const char *const names[OUTPUTS] = {c->in[NORMALS].array ? "out.points" : "out", "out.normals"};
    skl_array *const into[OUTPUTS] = {&c->job.out_points, &c->job.out_normals};
    skl_arg others[INPUTS + 1] = {{0}};
    for (int k = 0; k < INPUTS; k++) others[k] = c->in[k];
    for (int k = 0; k < OUTPUTS && c->in[k].array; k++) {
        if (!skl_out_begin(&c->out[k], given[k], names[k], c->job.dtype, &c->shape, &c->items[k], others, INPUTS + k,
                           into[k]))
            return 0;
        others[INPUTS].array = c->out[k].result;
    }
    return skl_outs_apart(c->out, names, OUTPUTS);
}

/* Points, or with normals a pair. */
static PyObject *finish(poses_call *c) {
    PyObject *points = skl_out_finish(&c->out[POINTS]);
    if (!points || !c->in[NORMALS].array) return points;
    PyObject *normals = skl_out_finish(&c->out[NORMALS]);
    PyObject *pair = normals ? PyTuple_Pack(2, points, normals) : NULL;
    Py_XDECREF(normals);
    Py_DECREF(points);
    return pair;
}

static PyObject *run(poses_call *c) {
    const int64_t work = c->job.weights->num_vertices + c->job.skeleton->num_joints;
    PyThreadState *lock = skl_py_release(skl_shape_items(&c->shape) * work);
    const skl_code code = skl_skin_poses_run(&c->job);
    return skl_py_restore(lock) && code == SKL_OK ? finish(c) : skl_py_raise(&c->job.status);
}

/* points, weights, skeleton, rotations, translations, scales, normals, method, out, out of the normals */
PyObject *skl_py_skin_poses(PyObject *module, PyObject *const *args) {
    poses_call call = {0};
    PyObject *result = NULL;
    call.job.weights = skl_py_weights(module, args[1]);
    call.job.skeleton = call.job.weights ? skl_py_skeleton(module, args[2]) : NULL;
    if (!call.job.skeleton || !skl_py_take_method(args[7], &call.job.method)) return NULL;
    if (skl_arg_take(&call.in[POINTS], args[0], "points") && skl_arg_take(&call.in[ROTATIONS], args[3], "rotations") &&
        skl_arg_take_optional(&call.in[TRANSLATIONS], args[4], "translations") &&
        skl_arg_take_optional(&call.in[SCALES], args[5], "scales") &&
        skl_arg_take_optional(&call.in[NORMALS], args[6], "normals") && prepare(&call) &&
        begin_outputs(&call, args + 8))
        result = run(&call);
    for (int k = 0; k < OUTPUTS; k++) skl_out_clear(&call.out[k]);
    skl_args_clear(call.in, INPUTS);
    return result;
}
