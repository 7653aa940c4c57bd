/* SPDX-License-Identifier: MIT */
/* Two-bone inverse kinematics for Python. */
#include "limits.h"
#include "python/base/call.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include <string.h>

static const skl_item vector_item = {1, 0, {3}}, quaternion_item = {1, 0, {4}}, number_item = {0, 0, {0}};

/* Inputs that are options of both functions; the roll is no array. */
enum { OPTIONS = 8 };

static int take_roll(PyObject *value, int32_t *minimal) {
    const int text = PyUnicode_Check(value);
    *minimal = text && PyUnicode_CompareWithASCIIString(value, "minimal") == 0;
    if (*minimal || (text && PyUnicode_CompareWithASCIIString(value, "hinge") == 0)) return 1;
    return skl_py_fail(PyExc_ValueError, "roll is %R: expected 'hinge' or 'minimal'", value);
}

/* `values` are pole, pole_direction, bend, roll, soften, stretch, stretch_start, twist, weight. */
static int take_options(PyObject *const *values, skl_two_bone_options *o, skl_input *inputs) {
    const skl_input options[OPTIONS] = {
        {values[0], "pole", &vector_item, &o->pole, 1},
        {values[1], "pole_direction", &vector_item, &o->pole_direction, 1},
        {values[2], "bend", &vector_item, &o->bend, 1},
        {skl_py_unless(values[4], 0), "soften", &number_item, &o->soften, 0},
        {skl_py_unless(values[5], 1), "stretch", &number_item, &o->stretch, 0},
        {skl_py_unless(values[6], 1), "stretch_start", &number_item, &o->stretch_start, 0},
        {skl_py_unless(values[7], 0), "twist", &number_item, &o->twist, 0},
        {skl_py_unless(values[8], 1), "weight", &number_item, &o->weight, 0}};
    memcpy(inputs, options, sizeof options);
    if (values[0] != Py_None && values[1] != Py_None)
        return skl_py_fail(PyExc_ValueError, "pole and pole_direction are both given: give one of them");
    return take_roll(values[3], &o->minimal_roll);
}

/* a, b, c, target, then the options (roll among them), then out. */
PyObject *skl_py_solve_two_bone_into(PyObject *const *args, PyTypeObject *type) {
    enum { OUTS = 7 };
    static const char *const names[OUTS] = {"out.b",      "out.c",     "out.upper",  "out.lower",
                                            "out.status", "out.error", "out.stretch"};
    skl_solve_two_bone_job job;
    skl_input inputs[4 + OPTIONS] = {{args[0], "a", &vector_item, &job.a, 0},
                                     {args[1], "b", &vector_item, &job.b, 0},
                                     {args[2], "c", &vector_item, &job.c, 0},
                                     {args[3], "target", &vector_item, &job.target, 0}};
    skl_array *const into[OUTS] = {&job.out_b,      &job.out_c,     &job.out_upper,  &job.out_lower,
                                   &job.out_status, &job.out_error, &job.out_stretch};
    skl_call c;
    if (!skl_out_check(args[13], OUTS) || !take_options(args + 4, &job.options, inputs + 4)) return NULL;
    int good = skl_call_begin(&c, inputs, 4 + OPTIONS, &job.dtype);
    for (int k = 0; good && k < OUTS; k++) {
        PyObject *given = skl_out_given(args[13], k);
        const skl_item *item = k < 2 ? &vector_item : k < 4 ? &quaternion_item : &number_item;
        good = k == 4 ? skl_call_codes(&c, given, names[k], NPY_UINT8, into[k])
                      : skl_call_out(&c, given, names[k], item, into[k]);
    }
    if (!good || !skl_outs_apart(c.out, names, OUTS)) return skl_call_fail(&c);
    c.type = type;
    SKL_CALL_RUN(c, 16, skl_solve_two_bone_run, job);
}

/* Give an array without a dimension for the chains one of size 1. */
static int add_chain_dimension(skl_array *array) {
    if (!array->data) return 1;
    if (array->ndim == SKL_MAX_DIMS) return skl_fail_dimensions("the result", array->ndim + 1);
    array->shape[array->ndim] = 1;
    array->strides[array->ndim++] = 0;
    return 1;
}

/* The common leading dimensions of pose and limbs: those of the limbs lose the chains' one where `many`. */
static int join_shapes(const skl_call *c, int many, int64_t chains, skl_shape *batch, skl_shape *full) {
    skl_shape own;
    if (!skl_args_broadcast(c->in + 1, c->inputs - 1, &own) || !skl_args_broadcast(c->in, 1, batch)) return 0;
    if (many && own.ndim > 0) {
        const int64_t last = own.size[--own.ndim];
        if (last != chains && last != 1)
            return skl_py_fail(PyExc_ValueError,
                               "the last leading dimension of target and options is %lld: expected %lld chains",
                               (long long)last, (long long)chains);
    }
    const skl_shape have = *batch;
    const int ndim = own.ndim > have.ndim ? own.ndim : have.ndim;
    batch->ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        const int64_t x = d < ndim - have.ndim ? 1 : have.size[d - (ndim - have.ndim)];
        const int64_t y = d < ndim - own.ndim ? 1 : own.size[d - (ndim - own.ndim)];
        if (x != y && x != 1 && y != 1)
            return skl_py_fail(PyExc_ValueError,
                               "leading dimensions do not broadcast: local has %lld where target and options have %lld",
                               (long long)x, (long long)y);
        batch->size[d] = x == 1 ? y : x;
    }
    if (ndim >= SKL_MAX_DIMS) return skl_fail_dimensions("the result", ndim + 3);
    *full = *batch;
    if (many) full->size[full->ndim++] = chains;
    return 1;
}

/* Chains (C, 3) int32 and their bend sides (C, 3) float64, both made by the Python wrapper. */
static int take_chains(PyObject *chains, PyObject *bends, skl_apply_two_bone_job *job) {
    job->num_chains = skl_py_rows(chains, "chains");
    const npy_intp shape[2] = {(npy_intp)job->num_chains, 3};
    return job->num_chains >= 0 && (job->chains = skl_py_packed(chains, "chains", NPY_INT32, 2, shape)) &&
           (job->bends = skl_py_packed(bends, "bends", NPY_DOUBLE, 2, shape));
}

/* skeleton, local, chains, bends, many, target, the nine of the options, hinge, end_rotation (0, 1 or quaternions),
 * limits (None, or rows of JOINT_LIMIT), out. */
PyObject *skl_py_apply_two_bone(PyObject *module, PyObject *const *args) {
    skl_apply_two_bone_job job;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton || !take_chains(args[2], args[3], &job)) return NULL;
    if (!skl_py_take_limits(module, args[17], &job.limits, &job.num_limits)) return NULL;
    const int many = PyObject_IsTrue(args[4]), has_goal = !PyLong_Check(args[16]);
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[18]);
    job.end_rotation = has_goal ? SKL_END_GOAL : PyLong_AsLong(args[16]) ? SKL_KEEP_LOCAL : SKL_KEEP_GLOBAL;
    const skl_item pose_item = {3, 1, {joints, SKL_ROWS, 4}}, out_item = {3, 1, {joints, job.out_rows, 4}};
    skl_two_bone_options *o = &job.options;
    skl_input inputs[4 + OPTIONS] = {{args[1], "local", &pose_item, &job.local, 0},
                                     {args[5], "target", &vector_item, &job.target, 0},
                                     {has_goal ? args[16] : NULL, "end_rotation", &quaternion_item, &job.goal, 0},
                                     {args[15], "hinge", &vector_item, &job.hinge, 1}};
    if (!take_options(args + 6, o, inputs + 4)) return NULL;
    /* A hinge gives the knee's side, as a pole does. */
    if (args[15] != Py_None && (args[6] != Py_None || args[7] != Py_None))
        return PyErr_Format(PyExc_ValueError, "hinge and %s are both given: give one of them",
                            args[6] != Py_None ? "pole" : "pole_direction");
    skl_call c;
    skl_shape full;
    if (!skl_call_take(&c, inputs, 4 + OPTIONS, &job.dtype) ||
        !join_shapes(&c, many, job.num_chains, &c.shape, &full) ||
        !skl_call_out(&c, args[18], "out", &out_item, &job.out))
        return skl_call_fail(&c);
    const int64_t work = skl_shape_items(&c.shape) * (joints + 60 * job.num_chains);
    c.shape = full;
    int good = skl_call_codes(&c, Py_None, "status", NPY_UINT8, &job.out_status) &&
               skl_call_out(&c, Py_None, "error", &number_item, &job.out_error);
    skl_array *const single[] = {&job.target, &job.goal,       &job.hinge,    &o->pole,          &o->pole_direction,
                                 &o->bend,    &o->soften,      &o->stretch,   &o->stretch_start, &o->twist,
                                 &o->weight,  &job.out_status, &job.out_error};
    for (size_t k = 0; good && !many && k < sizeof single / sizeof *single; k++) good = add_chain_dimension(single[k]);
    if (!good) return skl_call_fail(&c);
    job.local_rows = (int32_t)PyArray_DIM(c.in[0].array, PyArray_NDIM(c.in[0].array) - 2);
    PyThreadState *lock = skl_py_release(work);
    const skl_code code = skl_apply_two_bone_run(&job);
    /* The index must not name the dimension that was added above. */
    if (code != SKL_OK && !many && job.status.num_indices > 0) job.status.num_indices--;
    return skl_call_end(&c, lock, code, &job.status);
}
