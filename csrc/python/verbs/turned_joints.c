/* SPDX-License-Identifier: MIT */
/* Joints that turn, for Python. */
#include "python/base/call.h"
#include "limits.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include <string.h>

static const skl_item vector_item = {1, 0, {3}}, quaternion_item = {1, 0, {4}}, number_item = {0, 0, {0}};

/* What all verbs take, and how the job is run. */
typedef struct turn_call {
    PyObject *module, *skeleton, *local, *limits, *out;
    skl_turned_poses *poses;
    const skl_input *args;
    int count;
    int64_t turns; /* of each pose */
    skl_code (*run)(void *job);
    void *job;
    skl_status *status;
} turn_call;

static int prepare(const turn_call *call, skl_call *c) {
    skl_turned_poses *p = call->poses;
    const skl_item pose = {3, 1, {p->skeleton->num_joints, SKL_ROWS, 4}};
    skl_input inputs[SKL_MOST_INPUTS] = {{call->local, "local", &pose, &p->local, 0}};
    memcpy(inputs + 1, call->args, (size_t)call->count * sizeof *inputs);
    if (!skl_call_begin(c, inputs, 1 + call->count, &p->dtype)) return 0;
    p->local_rows = (int32_t)PyArray_DIM(c->in[0].array, PyArray_NDIM(c->in[0].array) - 2);
    p->spoils_out = call->out == Py_None;
    p->out_rows = call->out == Py_None ? p->local_rows : skl_out_rows(call->out);
    return 1;
}

/* A job may write over its own poses, but over no other input. */
static int begin_out(const turn_call *call, skl_call *c) {
    const skl_item pose = {3, 1, {call->poses->skeleton->num_joints, call->poses->out_rows, 4}};
    const int own = (PyObject *)c->in[0].array == call->out;
    c->out[c->outputs++] = (skl_out){0};
    return skl_out_begin(&c->out[0], call->out, "out", skl_type_number(c->dtype), &c->shape, &pose, c->in + own,
                         c->inputs - own, &call->poses->out);
}

static PyObject *run_turn(const turn_call *call) {
    skl_turned_poses *p = call->poses;
    skl_call c;
    p->skeleton = skl_py_skeleton(call->module, call->skeleton);
    if (!p->skeleton || !skl_py_take_limits(call->module, call->limits, &p->limits, &p->num_limits)) return NULL;
    if (!prepare(call, &c) || !begin_out(call, &c)) return skl_call_fail(&c);
    PyThreadState *lock = skl_py_release(skl_shape_items(&c.shape) * (p->skeleton->num_joints + 60 * call->turns));
    return skl_call_end(&c, lock, call->run(call->job), call->status);
}

static int take_joint(PyObject *value, int64_t *joint) {
    *joint = PyLong_AsLongLong(value);
    return *joint != -1 || !PyErr_Occurred();
}

#define RUN(verb)                                                                                                      \
    static skl_code run_##verb(void *job) { return skl_##verb##_run((skl_##verb##_job *)job); }
RUN(turn_joint)
RUN(points_at)
RUN(align_to_ground)
RUN(roll_toe)
RUN(rotations_from_positions)

/* What a call and its job share; `args` and the arguments of Python are where every verb has them. */
#define CALL(verb, data, limits_given, out_given)                                                                      \
    {module,    args[0],       args[1], limits_given,                                                                  \
     out_given, &(data).poses, arrays,  (int)(sizeof arrays / sizeof *arrays),                                         \
     1,         run_##verb,    &(data), &(data).status}

/* skeleton, local, joint, rotation, weight, out */
PyObject *skl_py_turn_joint(PyObject *module, PyObject *const *args) {
    skl_turn_joint_job job;
    const skl_input arrays[] = {{args[3], "rotation", &quaternion_item, &job.rotation, 0},
                                {skl_py_unless(args[4], 1), "weight", &number_item, &job.weight, 0}};
    const turn_call call = CALL(turn_joint, job, Py_None, args[5]);
    return take_joint(args[2], &job.joint) ? run_turn(&call) : NULL;
}

/* skeleton, local, joint, target, target_joint, tip, tip_joint, up, own_up, world, limits, weight, out */
PyObject *skl_py_points_at(PyObject *module, PyObject *const *args) {
    skl_points_at_job job;
    const char *const tip_name = args[6] == Py_None ? "axis" : "tip", *const up_name =
                                                                          args[8] == Py_None ? "up" : "up[1]";
    const skl_input arrays[] = {{args[3], "target", &vector_item, &job.target, 1},
                                {args[5], tip_name, &vector_item, &job.tip, 1},
                                {args[7], up_name, &vector_item, &job.up, 1},
                                {args[8], "up[0]", &vector_item, &job.own_up, 1},
                                {skl_py_unless(args[11], 1), "weight", &number_item, &job.weight, 0}};
    const turn_call call = CALL(points_at, job, args[10], args[12]);
    job.world = PyObject_IsTrue(args[9]);
    job.tip_joint = -1;
    return take_joint(args[2], &job.joint) && take_joint(args[4], &job.target_joint) &&
                   (args[6] == Py_None || take_joint(args[6], &job.tip_joint))
               ? run_turn(&call)
               : NULL;
}

/* skeleton, local, foot, normal, up, max_slope, sole, forward, limits, weight, out */
PyObject *skl_py_align_to_ground(PyObject *module, PyObject *const *args) {
    skl_align_to_ground_job job;
    const skl_input arrays[] = {{args[3], "normal", &vector_item, &job.normal, 0},
                                {args[4], "up", &vector_item, &job.up, 0},
                                {args[5], "max_slope", &number_item, &job.max_slope, 1},
                                {args[6], "sole", &vector_item, &job.sole, 1},
                                {args[7], "forward", &vector_item, &job.forward, 1},
                                {skl_py_unless(args[9], 1), "weight", &number_item, &job.weight, 0}};
    const turn_call call = CALL(align_to_ground, job, args[8], args[10]);
    return take_joint(args[2], &job.foot) ? run_turn(&call) : NULL;
}

/* skeleton, local, toe, normal, up, hinge, sole, limits, weight, out */
PyObject *skl_py_roll_toe(PyObject *module, PyObject *const *args) {
    skl_roll_toe_job job;
    const skl_input arrays[] = {{args[3], "normal", &vector_item, &job.normal, 0},
                                {args[4], "up", &vector_item, &job.up, 0},
                                {args[5], "hinge", &vector_item, &job.hinge, 1},
                                {args[6], "sole", &vector_item, &job.sole, 1},
                                {skl_py_unless(args[8], 1), "weight", &number_item, &job.weight, 0}};
    const turn_call call = CALL(roll_toe, job, args[7], args[9]);
    return take_joint(args[2], &job.toe) ? run_turn(&call) : NULL;
}

/* skeleton, local, chain (K,) int32, positions, world, limits, out */
PyObject *skl_py_rotations_from_positions(PyObject *module, PyObject *const *args) {
    const npy_intp count = skl_py_rows(args[2], "chain");
    const int32_t *chain = count < 0 ? NULL : skl_py_packed(args[2], "chain", NPY_INT32, 1, &count);
    if (!chain) return NULL;
    skl_rotations_from_positions_job job = {.chain = chain, .num_joints = count, .world = PyObject_IsTrue(args[4])};
    const skl_item points = {2, 1, {job.num_joints, 3}};
    const skl_input arrays[] = {{args[3], "positions", &points, &job.positions, 0}};
    turn_call call = CALL(rotations_from_positions, job, args[5], args[6]);
    call.turns = job.num_joints;
    return run_turn(&call);
}

/* normal, up, max_slope, out */
PyObject *skl_py_limit_slope(PyObject *const *args) {
    skl_limit_slope_job job;
    const skl_input inputs[] = {{args[0], "normal", &vector_item, &job.normal, 0},
                                {args[1], "up", &vector_item, &job.up, 0},
                                {args[2], "max_slope", &number_item, &job.max_slope, 0}};
    skl_call c;
    if (!skl_call_begin(&c, inputs, 3, &job.dtype) || !skl_call_out(&c, args[3], "out", &vector_item, &job.out))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 4, skl_limit_slope_run, job);
}
