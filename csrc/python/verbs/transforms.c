/* SPDX-License-Identifier: MIT */
/* Transforms for Python: arrays of any leading shape in, a new array or the caller's `out` back. */
#include "python/base/call.h"
#include "python/base/errors.h"
#include "python/base/module.h"

static const skl_item number = {0, 0, {0}}, vector = {1, 0, {3}}, quaternion = {1, 0, {4}};
static const skl_item matrix = {2, 1, {SKL_ROWS, 4}}, linear = {2, 1, {3, 3}};

/* Rows of the last argument's matrices. */
static int rows_of(const skl_arg *arg) {
    const int ndim = PyArray_NDIM(arg->array);
    return PyArray_DIM(arg->array, ndim - 2) == 3 ? 3 : 4;
}

/* translations, rotations, scales or None, out */
PyObject *skl_py_compose(PyObject *const *args) {
    skl_compose_job job = {.out_rows = skl_out_rows(args[3]), .spoils_out = args[3] == Py_None};
    skl_call c;
    const skl_input inputs[] = {{args[0], "translations", &vector, &job.translations, 0},
                                {args[1], "rotations", &quaternion, &job.rotations, 0},
                                {args[2], "scales", &vector, &job.scales, 1}};
    const skl_item item = {2, 1, {job.out_rows, 4}};
    if (!skl_call_begin(&c, inputs, 3, &job.dtype) || !skl_call_out(&c, args[3], "out", &item, &job.out))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_compose_run, job);
}

/* matrices, whether the shear is wanted */
PyObject *skl_py_decompose(PyObject *const *args) {
    if (!PyBool_Check(args[1]) && !PyArray_IsScalar(args[1], Bool))
        return PyErr_Format(PyExc_TypeError, "return_shear is %R: True or False is needed", args[1]);
    const int sheared = PyObject_IsTrue(args[1]);
    skl_decompose_job job = {.shear = {.data = NULL}};
    skl_call c;
    const skl_input inputs[] = {{args[0], "matrices", &matrix, &job.matrices, 0}};
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) || !skl_call_out(&c, Py_None, "out", &vector, &job.translations) ||
        !skl_call_out(&c, Py_None, "out", &quaternion, &job.rotations) ||
        !skl_call_out(&c, Py_None, "out", &vector, &job.scales) ||
        (sheared && !skl_call_out(&c, Py_None, "out", &linear, &job.shear)))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_decompose_run, job);
}

/* matrices, out */
static PyObject *matrix_to_matrix(skl_code (*run)(skl_matrix_job *), PyObject *const *args) {
    skl_matrix_job job = {.spoils_out = args[1] == Py_None};
    skl_call c;
    const skl_input inputs[] = {{args[0], "matrices", &matrix, &job.matrices, 0}};
    if (!skl_call_begin(&c, inputs, 1, &job.dtype)) return skl_call_fail(&c);
    job.out_rows = rows_of(&c.in[0]);
    const skl_item item = {2, 1, {job.out_rows, 4}};
    if (!skl_call_out(&c, args[1], "out", &item, &job.out)) return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, run, job);
}

PyObject *skl_py_invert(PyObject *const *args) { return matrix_to_matrix(skl_invert_run, args); }
PyObject *skl_py_invert_rigid(PyObject *const *args) { return matrix_to_matrix(skl_invert_rigid_run, args); }
PyObject *skl_py_invert_trs(PyObject *const *args) { return matrix_to_matrix(skl_invert_trs_run, args); }

/* matrices or points, from_basis, to_basis, out */
static PyObject *change_basis(int points, PyObject *const *args) {
    skl_change_basis_job job = {.out_rows = 4};
    skl_call c;
    const skl_input inputs[] = {{args[0], points ? "points" : "matrices", points ? &vector : &matrix, &job.values, 0},
                                {args[1], "from_basis", &matrix, &job.from_basis, 0},
                                {args[2], "to_basis", &matrix, &job.to_basis, 0}};
    if (!skl_call_begin(&c, inputs, 3, &job.dtype)) return skl_call_fail(&c);
    if (!points) job.out_rows = rows_of(&c.in[0]);
    const skl_item item = {2, 1, {job.out_rows, 4}};
    if (!skl_call_out(&c, args[3], "out", points ? &vector : &item, &job.out)) return skl_call_fail(&c);
    skl_code (*run)(skl_change_basis_job *) = points ? skl_change_basis_points_run : skl_change_basis_run;
    SKL_CALL_RUN(c, 1, run, job);
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
    skl_call c;
    const skl_item pose = {3, 1, {job.skeleton->num_joints, SKL_ROWS, 4}}, item = {2, 1, {job.out_rows, 4}};
    const skl_input inputs[] = {{args[1], "local", &pose, &job.local, 0}};
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) || !skl_call_out(&c, args[4], "out", &item, &job.out))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_relative_transform_run, job);
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
    skl_array *const into[SKL_MOST_INPUTS] = {&job.a, &job.b, &job.t};
    skl_call c;
    skl_input inputs[SKL_MOST_INPUTS];
    for (int i = 0; i < count; i++) inputs[i] = (skl_input){args[i], taken[i].name, taken[i].item, into[i], 0};
    if (!skl_call_begin(&c, inputs, count, &job.dtype) || !skl_call_out(&c, given, "out", out, &job.out))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, run, job);
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
    skl_call c;
    const skl_input inputs[] = {{args[0], "axis", &vector, &job.axes, 0}, {args[1], "angle", &number, &job.angles, 0}};
    if (!skl_call_begin(&c, inputs, 2, &job.dtype) || !skl_call_out(&c, args[2], "out", &quaternion, &job.quaternions))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_quaternion_from_axis_angle_run, job);
}

/* q */
PyObject *skl_py_quaternion_to_axis_angle(PyObject *const *args) {
    skl_axis_angle_job job = {.spoils_out = 1};
    skl_call c;
    const skl_input inputs[] = {{args[0], "q", &quaternion, &job.quaternions, 0}};
    if (!skl_call_begin(&c, inputs, 1, &job.dtype) || !skl_call_out(&c, Py_None, "out", &vector, &job.axes) ||
        !skl_call_out(&c, Py_None, "out", &number, &job.angles))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_quaternion_to_axis_angle_run, job);
}

/* q, axis */
PyObject *skl_py_quaternion_swing_twist(PyObject *const *args) {
    skl_swing_twist_job job = {.spoils_out = 1};
    skl_call c;
    const skl_input inputs[] = {{args[0], "q", &quaternion, &job.quaternions, 0},
                                {args[1], "axis", &vector, &job.axes, 0}};
    if (!skl_call_begin(&c, inputs, 2, &job.dtype) || !skl_call_out(&c, Py_None, "out", &quaternion, &job.swing) ||
        !skl_call_out(&c, Py_None, "out", &quaternion, &job.twist))
        return skl_call_fail(&c);
    SKL_CALL_RUN(c, 1, skl_quaternion_swing_twist_run, job);
}

/* angles or q, three axes, out */
static PyObject *run_euler(int back, PyObject *const *args) {
    skl_euler_job job = {.spoils_out = args[4] == Py_None};
    for (int i = 0; i < 3; i++) {
        const long axis = PyLong_AsLong(args[1 + i]);
        if (axis == -1 && PyErr_Occurred()) return NULL;
        job.order[i] = axis >= 0 && axis <= 2 ? (int32_t)axis : -1;
    }
    skl_call c;
    const skl_input angles = {args[0], "angles", &vector, &job.angles, 0},
                    q = {args[0], "q", &quaternion, &job.quaternions, 0};
    if (!skl_call_begin(&c, back ? &q : &angles, 1, &job.dtype) ||
        !skl_call_out(&c, args[4], "out", back ? &vector : &quaternion, back ? &job.angles : &job.quaternions))
        return skl_call_fail(&c);
    skl_code (*run)(skl_euler_job *) = back ? skl_quaternion_to_euler_run : skl_quaternion_from_euler_run;
    SKL_CALL_RUN(c, 1, run, job);
}

PyObject *skl_py_quaternion_from_euler(PyObject *const *args) { return run_euler(0, args); }
PyObject *skl_py_quaternion_to_euler(PyObject *const *args) { return run_euler(1, args); }
