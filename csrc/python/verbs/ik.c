/* SPDX-License-Identifier: MIT */
/* Two-bone inverse kinematics for Python. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "limits.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include <string.h>

static const skl_item vector_item = {1, 0, {3}}, quaternion_item = {1, 0, {4}}, number_item = {0, 0, {0}};

/* The options of both functions, in this order among the arguments. */
enum { POLE, POLE_DIRECTION, BEND, SOFTEN, STRETCH, START, TWIST, WEIGHT, OPTIONS };

/* A number that says what is so anyway costs nothing. */
static int take_number(skl_arg *arg, PyObject *value, const char *name, double otherwise) {
    arg->name = name;
    if (PyFloat_CheckExact(value)) {
        const double given = PyFloat_AsDouble(value);
        if (given >= otherwise && given <= otherwise) return 1;
    }
    return skl_arg_take(arg, value, name);
}

static int take_roll(PyObject *value, int32_t *minimal) {
    const int text = PyUnicode_Check(value);
    *minimal = text && PyUnicode_CompareWithASCIIString(value, "minimal") == 0;
    if (*minimal || (text && PyUnicode_CompareWithASCIIString(value, "hinge") == 0)) return 1;
    PyErr_Format(PyExc_ValueError, "roll is %R: expected 'hinge' or 'minimal'", value);
    return 0;
}

/* `values` are pole, pole_direction, bend, roll, soften, stretch, stretch_start, twist, weight. */
static int take_options(skl_arg *in, PyObject *const *values, skl_two_bone_options *options) {
    if (!take_roll(values[3], &options->minimal_roll)) return 0;
    if (!(skl_arg_take_optional(&in[POLE], values[0], "pole") &&
          skl_arg_take_optional(&in[POLE_DIRECTION], values[1], "pole_direction") &&
          skl_arg_take_optional(&in[BEND], values[2], "bend") && take_number(&in[SOFTEN], values[4], "soften", 0) &&
          take_number(&in[STRETCH], values[5], "stretch", 1) &&
          take_number(&in[START], values[6], "stretch_start", 1) && take_number(&in[TWIST], values[7], "twist", 0) &&
          take_number(&in[WEIGHT], values[8], "weight", 1)))
        return 0;
    if (in[POLE].array && in[POLE_DIRECTION].array) {
        PyErr_SetString(PyExc_ValueError, "pole and pole_direction are both given: give one of them");
        return 0;
    }
    return 1;
}

/* A hinge gives the knee's side, as a pole does. */
static int no_pole_beside(const skl_arg *hinge, const skl_arg *options) {
    const char *other = options[POLE].array ? "pole" : options[POLE_DIRECTION].array ? "pole_direction" : NULL;
    if (!hinge->array || !other) return 1;
    PyErr_Format(PyExc_ValueError, "hinge and %s are both given: give one of them", other);
    return 0;
}

static int prepare_options(skl_arg *in, skl_dtype dtype, skl_two_bone_options *o) {
    skl_array *const into[OPTIONS] = {&o->pole,    &o->pole_direction, &o->bend,  &o->soften,
                                      &o->stretch, &o->stretch_start,  &o->twist, &o->weight};
    for (int k = 0; k < OPTIONS; k++)
        if (!skl_arg_prepare(&in[k], dtype, k <= BEND ? &vector_item : &number_item, into[k])) return 0;
    return 1;
}

/* a, b, c, target, then the options (roll among them), then out. */
PyObject *skl_py_solve_two_bone_into(PyObject *const *args, PyTypeObject *type) {
    enum { SOLVE_ARGS = 4 + OPTIONS, OUTS = 7 };
    static const char *const names[OUTS] = {"out.b",      "out.c",     "out.upper",  "out.lower",
                                            "out.status", "out.error", "out.stretch"};
    if (!skl_out_check(args[13], OUTS)) return NULL;
    skl_solve_two_bone_job job;
    skl_arg in[SOLVE_ARGS] = {{0}};
    skl_out out[OUTS] = {{0}};
    skl_shape shape;
    PyObject *result = NULL;
    skl_array *const into[OUTS] = {&job.out_b,      &job.out_c,     &job.out_upper,  &job.out_lower,
                                   &job.out_status, &job.out_error, &job.out_stretch};
    int good = skl_arg_take(&in[0], args[0], "a") && skl_arg_take(&in[1], args[1], "b") &&
               skl_arg_take(&in[2], args[2], "c") && skl_arg_take(&in[3], args[3], "target") &&
               take_options(in + 4, args + 4, &job.options) && skl_args_dtype(in, SOLVE_ARGS, &job.dtype) &&
               skl_arg_prepare(&in[0], job.dtype, &vector_item, &job.a) &&
               skl_arg_prepare(&in[1], job.dtype, &vector_item, &job.b) &&
               skl_arg_prepare(&in[2], job.dtype, &vector_item, &job.c) &&
               skl_arg_prepare(&in[3], job.dtype, &vector_item, &job.target) &&
               prepare_options(in + 4, job.dtype, &job.options) && skl_args_broadcast(in, SOLVE_ARGS, &shape);
    for (int k = 0; good && k < OUTS; k++) {
        PyObject *given = skl_out_given(args[13], k);
        const skl_item *item = k < 2 ? &vector_item : k < 4 ? &quaternion_item : &number_item;
        good = k == 4 ? skl_out_begin_codes(&out[k], given, names[k], NPY_UINT8, &shape, in, SOLVE_ARGS, into[k])
                      : skl_out_begin(&out[k], given, names[k], job.dtype, &shape, item, in, SOLVE_ARGS, into[k]);
    }
    if (good && skl_outs_apart(out, names, OUTS)) {
        PyThreadState *lock = skl_py_release(16 * skl_shape_items(&shape));
        const skl_code code = skl_solve_two_bone_run(&job);
        result =
            skl_py_restore(lock) && code == SKL_OK ? skl_out_finish_as(out, OUTS, type) : skl_py_raise(&job.status);
    }
    for (int k = 0; k < OUTS; k++) skl_out_clear(&out[k]);
    skl_args_clear(in, SOLVE_ARGS);
    return result;
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
static int join_shapes(const skl_arg *pose, skl_arg *limbs, int count, int many, int64_t chains, skl_shape *batch,
                       skl_shape *full) {
    skl_shape own;
    if (!skl_args_broadcast(limbs, count, &own) || !skl_args_broadcast(pose, 1, batch)) return 0;
    if (many && own.ndim > 0) {
        const int64_t last = own.size[--own.ndim];
        if (last != chains && last != 1) {
            PyErr_Format(PyExc_ValueError,
                         "the last leading dimension of target and options is %lld: expected %lld chains",
                         (long long)last, (long long)chains);
            return 0;
        }
    }
    const skl_shape have = *batch;
    const int ndim = own.ndim > have.ndim ? own.ndim : have.ndim;
    batch->ndim = ndim;
    for (int d = 0; d < ndim; d++) {
        const int64_t x = d < ndim - have.ndim ? 1 : have.size[d - (ndim - have.ndim)];
        const int64_t y = d < ndim - own.ndim ? 1 : own.size[d - (ndim - own.ndim)];
        if (x != y && x != 1 && y != 1) {
            PyErr_Format(PyExc_ValueError,
                         "leading dimensions do not broadcast: local has %lld where target and options have %lld",
                         (long long)x, (long long)y);
            return 0;
        }
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
    enum { LOCAL, TARGET, GOAL, HINGE, FIRST_OPTION, APPLY_ARGS = FIRST_OPTION + OPTIONS };
    skl_apply_two_bone_job job;
    job.skeleton = skl_py_skeleton(module, args[0]);
    if (!job.skeleton || !take_chains(args[2], args[3], &job)) return NULL;
    if (!skl_py_take_limits(module, args[17], &job.limits, &job.num_limits)) return NULL;
    const int many = PyObject_IsTrue(args[4]);
    const int64_t joints = job.skeleton->num_joints;
    job.out_rows = skl_out_rows(args[18]);
    const skl_item pose_item = {3, 1, {joints, SKL_ROWS, 4}}, out_item = {3, 1, {joints, job.out_rows, 4}};
    skl_arg in[APPLY_ARGS] = {{0}};
    skl_out out[3] = {{0}};
    skl_shape batch, full;
    PyObject *result = NULL, *goal = args[16];
    job.end_rotation = SKL_END_GOAL;
    if (PyLong_Check(goal)) {
        job.end_rotation = PyLong_AsLong(goal) ? SKL_KEEP_LOCAL : SKL_KEEP_GLOBAL;
    }
    int good = skl_arg_take(&in[LOCAL], args[1], "local") && skl_arg_take(&in[TARGET], args[5], "target") &&
               (job.end_rotation != SKL_END_GOAL || skl_arg_take(&in[GOAL], goal, "end_rotation")) &&
               take_options(in + FIRST_OPTION, args + 6, &job.options) &&
               skl_arg_take_optional(&in[HINGE], args[15], "hinge") && no_pole_beside(&in[HINGE], in + FIRST_OPTION) &&
               skl_args_dtype(in, APPLY_ARGS, &job.dtype) &&
               skl_arg_prepare(&in[LOCAL], job.dtype, &pose_item, &job.local) &&
               skl_arg_prepare(&in[TARGET], job.dtype, &vector_item, &job.target) &&
               skl_arg_prepare(&in[GOAL], job.dtype, &quaternion_item, &job.goal) &&
               skl_arg_prepare(&in[HINGE], job.dtype, &vector_item, &job.hinge) &&
               prepare_options(in + FIRST_OPTION, job.dtype, &job.options) &&
               join_shapes(&in[LOCAL], in + 1, APPLY_ARGS - 1, many, job.num_chains, &batch, &full) &&
               skl_out_begin(&out[0], args[18], "out", job.dtype, &batch, &out_item, in, APPLY_ARGS, &job.out) &&
               skl_out_begin_codes(&out[1], Py_None, "status", NPY_UINT8, &full, in, 0, &job.out_status) &&
               skl_out_begin(&out[2], Py_None, "error", job.dtype, &full, &number_item, in, 0, &job.out_error);
    if (good && !many) {
        skl_two_bone_options *o = &job.options;
        skl_array *const single[] = {&job.target, &job.goal,       &job.hinge,    &o->pole,          &o->pole_direction,
                                     &o->bend,    &o->soften,      &o->stretch,   &o->stretch_start, &o->twist,
                                     &o->weight,  &job.out_status, &job.out_error};
        for (size_t k = 0; good && k < sizeof single / sizeof *single; k++) good = add_chain_dimension(single[k]);
    }
    if (good) {
        const PyArrayObject *local = in[LOCAL].array;
        job.local_rows = (int32_t)PyArray_DIM(local, PyArray_NDIM(local) - 2);
        PyThreadState *lock = skl_py_release(skl_shape_items(&batch) * (joints + 60 * job.num_chains));
        const skl_code code = skl_apply_two_bone_run(&job);
        const int whole = skl_py_restore(lock);
        /* The index must not name the dimension that was added above. */
        if (code != SKL_OK && !many && job.status.num_indices > 0) job.status.num_indices--;
        result = whole && code == SKL_OK ? skl_out_finish_all(out, 3) : skl_py_raise(&job.status);
    }
    for (int k = 0; k < 3; k++) skl_out_clear(&out[k]);
    skl_args_clear(in, APPLY_ARGS);
    return result;
}
