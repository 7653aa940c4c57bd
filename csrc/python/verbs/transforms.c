/* SPDX-License-Identifier: MIT */
/* Transforms for Python: arrays of any leading shape in, a new array or the caller's `out` back. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"

static const skl_item number = {0, 0, {0}}, vector = {1, 0, {3}}, quaternion = {1, 0, {4}};
static const skl_item matrix = {2, 1, {SKL_ROWS, 4}}, linear = {2, 1, {3, 3}};

enum { MOST_INPUTS = 3, MOST_OUTPUTS = 4 };

/* Arguments of a verb and its results. */
typedef struct call {
    skl_arg in[MOST_INPUTS];
    skl_out out[MOST_OUTPUTS];
    int inputs, outputs;
    skl_dtype dtype;
    skl_shape shape;
} call;

/* An input: its value, its name in messages, what an item is, where its array goes. */
typedef struct input {
    PyObject *value;
    const char *name;
    const skl_item *item;
    skl_array *into;
} input;

static int begin(call *c, const input *inputs, int count) {
    c->inputs = count;
    for (int i = 0; i < count; i++)
        if (!skl_arg_take(&c->in[i], inputs[i].value, inputs[i].name)) return 0;
    if (!skl_args_dtype(c->in, count, &c->dtype)) return 0;
    for (int i = 0; i < count; i++)
        if (!skl_arg_prepare(&c->in[i], c->dtype, inputs[i].item, inputs[i].into)) return 0;
    return skl_args_broadcast(c->in, count, &c->shape);
}

/* The next output: new, or the caller's array. */
static int add_output(call *c, PyObject *given, const skl_item *item, skl_array *into) {
    skl_out *out = &c->out[c->outputs++];
    return skl_out_begin(out, given, "out", c->dtype, &c->shape, item, c->in, c->inputs, into);
}

/* Rows of the last argument's matrices. */
static int rows_of(const skl_arg *arg) {
    const int ndim = PyArray_NDIM(arg->array);
    return PyArray_DIM(arg->array, ndim - 2) == 3 ? 3 : 4;
}

/* The results, one array or a tuple of them; or the exception for what broke a rule. */
static PyObject *finish(call *c, skl_code code, const skl_status *status) {
    if (code != SKL_OK) return skl_py_raise(status);
    if (c->outputs == 1) return skl_out_finish(&c->out[0]);
    return skl_out_finish_all(c->out, c->outputs);
}

static void clear(call *c) {
    for (int i = 0; i < c->outputs; i++) skl_out_clear(&c->out[i]);
    skl_args_clear(c->in, c->inputs);
}

/* Run a job without the lock where there is much to do, and set `result`. */
#define RUN(c, run, job, result)                                                                                       \
    do {                                                                                                               \
        PyThreadState *lock = skl_py_release(skl_shape_items(&(c).shape));                                             \
        const skl_code code = run(&(job));                                                                             \
        result = skl_py_restore(lock) ? finish(&(c), code, &(job).status) : NULL;                                      \
    } while (0)

/* translations, rotations, scales or None, out */
PyObject *skl_py_compose(PyObject *const *args) {
    skl_compose_job job = {.out_rows = skl_out_rows(args[3]), .spoils_out = args[3] == Py_None};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "translations", &vector, &job.translations},
                            {args[1], "rotations", &quaternion, &job.rotations},
                            {args[2], "scales", &vector, &job.scales}};
    const skl_item item = {2, 1, {job.out_rows, 4}};
    if (begin(&c, inputs, args[2] == Py_None ? 2 : 3) && add_output(&c, args[3], &item, &job.out)) {
        job.dtype = c.dtype;
        RUN(c, skl_compose_run, job, result);
    }
    clear(&c);
    return result;
}

/* matrices, whether the shear is wanted */
PyObject *skl_py_decompose(PyObject *const *args) {
    if (!PyBool_Check(args[1]) && !PyArray_IsScalar(args[1], Bool)) {
        PyErr_Format(PyExc_TypeError, "return_shear is %R: True or False is needed", args[1]);
        return NULL;
    }
    const int sheared = PyObject_IsTrue(args[1]);
    skl_decompose_job job = {.shear = {.data = NULL}};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "matrices", &matrix, &job.matrices}};
    if (begin(&c, inputs, 1) && add_output(&c, Py_None, &vector, &job.translations) &&
        add_output(&c, Py_None, &quaternion, &job.rotations) && add_output(&c, Py_None, &vector, &job.scales) &&
        (!sheared || add_output(&c, Py_None, &linear, &job.shear))) {
        job.dtype = c.dtype;
        RUN(c, skl_decompose_run, job, result);
    }
    clear(&c);
    return result;
}

/* matrices, out */
static PyObject *matrix_to_matrix(skl_code (*run)(skl_matrix_job *), PyObject *const *args) {
    skl_matrix_job job = {.spoils_out = args[1] == Py_None};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "matrices", &matrix, &job.matrices}};
    if (begin(&c, inputs, 1)) {
        job.out_rows = rows_of(&c.in[0]);
        job.dtype = c.dtype;
        const skl_item item = {2, 1, {job.out_rows, 4}};
        if (add_output(&c, args[1], &item, &job.out)) RUN(c, run, job, result);
    }
    clear(&c);
    return result;
}

PyObject *skl_py_invert(PyObject *const *args) { return matrix_to_matrix(skl_invert_run, args); }
PyObject *skl_py_invert_rigid(PyObject *const *args) { return matrix_to_matrix(skl_invert_rigid_run, args); }
PyObject *skl_py_invert_trs(PyObject *const *args) { return matrix_to_matrix(skl_invert_trs_run, args); }

/* matrices or points, from_basis, to_basis, out */
static PyObject *change_basis(int points, PyObject *const *args) {
    skl_change_basis_job job = {.out_rows = 4};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], points ? "points" : "matrices", points ? &vector : &matrix, &job.values},
                            {args[1], "from_basis", &matrix, &job.from_basis},
                            {args[2], "to_basis", &matrix, &job.to_basis}};
    if (begin(&c, inputs, 3)) {
        if (!points) job.out_rows = rows_of(&c.in[0]);
        job.dtype = c.dtype;
        const skl_item item = {2, 1, {job.out_rows, 4}};
        if (add_output(&c, args[3], points ? &vector : &item, &job.out)) {
            skl_code (*run)(skl_change_basis_job *) = points ? skl_change_basis_points_run : skl_change_basis_run;
            RUN(c, run, job, result);
        }
    }
    clear(&c);
    return result;
}

PyObject *skl_py_change_basis(PyObject *const *args) { return change_basis(0, args); }
PyObject *skl_py_change_basis_points(PyObject *const *args) { return change_basis(1, args); }

/* skeleton, local, from_joint, to_joint, out */
PyObject *skl_py_relative_transform(PyObject *module, PyObject *const *args) {
    skl_relative_transform_job job = {.skeleton = skl_py_skeleton(module, args[0]), .out_rows = skl_out_rows(args[4])};
    if (!job.skeleton) return NULL;
    job.from_joint = PyLong_AsLongLong(args[2]);
    job.to_joint = PyLong_AsLongLong(args[3]);
    if (PyErr_Occurred()) return NULL;
    call c = {0};
    PyObject *result = NULL;
    const skl_item pose = {3, 1, {job.skeleton->num_joints, SKL_ROWS, 4}}, item = {2, 1, {job.out_rows, 4}};
    const input inputs[] = {{args[1], "local", &pose, &job.local}};
    if (begin(&c, inputs, 1) && add_output(&c, args[4], &item, &job.out)) {
        job.dtype = c.dtype;
        RUN(c, skl_relative_transform_run, job, result);
    }
    clear(&c);
    return result;
}

/* --- quaternions ------------------------------------------------------------------------------------------------- */

/* What a verb takes, in the order of its arguments; out comes last. */
typedef struct quaternion_input {
    const char *name;
    const skl_item *item;
} quaternion_input;

static PyObject *run_quaternion(skl_code (*run)(skl_quaternion_job *), const quaternion_input *taken, int count,
                                const skl_item *out, PyObject *const *args) {
    PyObject *given = args[count];
    skl_quaternion_job job = {.spoils_out = given == Py_None};
    skl_array *const into[MOST_INPUTS] = {&job.a, &job.b, &job.t};
    call c = {0};
    PyObject *result = NULL;
    input inputs[MOST_INPUTS];
    for (int i = 0; i < count; i++) inputs[i] = (input){args[i], taken[i].name, taken[i].item, into[i]};
    if (begin(&c, inputs, count) && add_output(&c, given, out, &job.out)) {
        job.dtype = c.dtype;
        RUN(c, run, job, result);
    }
    clear(&c);
    return result;
}

#define VERB(verb, out, ...)                                                                                           \
    PyObject *skl_py_quaternion_##verb(PyObject *const *args) {                                                        \
        static const quaternion_input taken[] = {__VA_ARGS__};                                                         \
        return run_quaternion(skl_quaternion_##verb##_run, taken, (int)(sizeof taken / sizeof *taken), &(out), args);  \
    }
VERB(multiply, quaternion, {"p", &quaternion}, {"q", &quaternion})
VERB(rotate, vector, {"q", &quaternion}, {"v", &vector})
VERB(between, quaternion, {"u", &vector}, {"v", &vector})
VERB(slerp, quaternion, {"p", &quaternion}, {"q", &quaternion}, {"t", &number})
VERB(to_matrix, linear, {"q", &quaternion})
VERB(from_rotation_vector, quaternion, {"v", &vector})
VERB(to_rotation_vector, vector, {"q", &quaternion})
#undef VERB

/* Of 3 x 3 and of affine matrices: which it is, the last dimension says. */
PyObject *skl_py_quaternion_from_matrix(PyObject *const *args) {
    static const quaternion_input affine = {"m", &matrix}, turn = {"m", &linear};
    skl_arg m = {0};
    PyObject *result = NULL;
    if (skl_arg_take(&m, args[0], "m")) {
        const int ndim = PyArray_NDIM(m.array);
        const npy_intp rows = ndim > 1 ? PyArray_DIM(m.array, ndim - 2) : 0;
        const npy_intp columns = ndim > 1 ? PyArray_DIM(m.array, ndim - 1) : 0;
        PyObject *const taken[2] = {m.counts ? (PyObject *)m.array : args[0], args[1]};
        if ((rows == 3 && columns == 3) || ((rows == 3 || rows == 4) && columns == 4))
            result =
                run_quaternion(skl_quaternion_from_matrix_run, columns == 3 ? &turn : &affine, 1, &quaternion, taken);
        else
            skl_fail_shape("m", m.array, PyUnicode_FromString("(..., 3, 3), (..., 3, 4) or (..., 4, 4)"));
    }
    skl_args_clear(&m, 1);
    return result;
}

/* --- angles ------------------------------------------------------------------------------------------------------ */

/* axis, angle, out */
PyObject *skl_py_quaternion_from_axis_angle(PyObject *const *args) {
    skl_axis_angle_job job = {.spoils_out = args[2] == Py_None};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "axis", &vector, &job.axes}, {args[1], "angle", &number, &job.angles}};
    if (begin(&c, inputs, 2) && add_output(&c, args[2], &quaternion, &job.quaternions)) {
        job.dtype = c.dtype;
        RUN(c, skl_quaternion_from_axis_angle_run, job, result);
    }
    clear(&c);
    return result;
}

/* q */
PyObject *skl_py_quaternion_to_axis_angle(PyObject *const *args) {
    skl_axis_angle_job job = {.spoils_out = 1};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "q", &quaternion, &job.quaternions}};
    if (begin(&c, inputs, 1) && add_output(&c, Py_None, &vector, &job.axes) &&
        add_output(&c, Py_None, &number, &job.angles)) {
        job.dtype = c.dtype;
        RUN(c, skl_quaternion_to_axis_angle_run, job, result);
    }
    clear(&c);
    return result;
}

/* q, axis */
PyObject *skl_py_quaternion_swing_twist(PyObject *const *args) {
    skl_swing_twist_job job = {.spoils_out = 1};
    call c = {0};
    PyObject *result = NULL;
    const input inputs[] = {{args[0], "q", &quaternion, &job.quaternions}, {args[1], "axis", &vector, &job.axes}};
    if (begin(&c, inputs, 2) && add_output(&c, Py_None, &quaternion, &job.swing) &&
        add_output(&c, Py_None, &quaternion, &job.twist)) {
        job.dtype = c.dtype;
        RUN(c, skl_quaternion_swing_twist_run, job, result);
    }
    clear(&c);
    return result;
}

/* angles or q, three axes, out */
static PyObject *run_euler(int back, PyObject *const *args) {
    skl_euler_job job = {.spoils_out = args[4] == Py_None};
    for (int i = 0; i < 3; i++) {
        const long axis = PyLong_AsLong(args[1 + i]);
        if (axis == -1 && PyErr_Occurred()) return NULL;
        job.order[i] = axis >= 0 && axis <= 2 ? (int32_t)axis : -1;
    }
    call c = {0};
    PyObject *result = NULL;
    const input angles = {args[0], "angles", &vector, &job.angles}, q = {args[0], "q", &quaternion, &job.quaternions};
    if (begin(&c, back ? &q : &angles, 1) &&
        add_output(&c, args[4], back ? &vector : &quaternion, back ? &job.angles : &job.quaternions)) {
        job.dtype = c.dtype;
        skl_code (*run)(skl_euler_job *) = back ? skl_quaternion_to_euler_run : skl_quaternion_from_euler_run;
        RUN(c, run, job, result);
    }
    clear(&c);
    return result;
}

PyObject *skl_py_quaternion_from_euler(PyObject *const *args) { return run_euler(0, args); }
PyObject *skl_py_quaternion_to_euler(PyObject *const *args) { return run_euler(1, args); }
