/* SPDX-License-Identifier: MIT */
/* What the files of the binding share: the two types, and the functions that module.c lists. */
#pragma once

#include "numpy_api.h"

#include "errors.h"
#include "native.h"
#include "skelkin/skelkin.h"

/* Per module object; there are no static variables. */
typedef struct skl_state {
    PyTypeObject *skeleton_type;
    PyTypeObject *weights_type;
    skl_native natives[SKL_NATIVES];
} skl_state;

/* skeleton.c, weights.c: the specs of the types that own a skl_skeleton and a skl_weights. */
extern PyType_Spec skl_py_skeleton_spec;
extern PyType_Spec skl_py_weights_spec;

/* The struct inside of an argument, or NULL and a TypeError. It lives as long as `object`. */
const skl_skeleton *skl_py_skeleton(PyObject *module, PyObject *object);
const skl_weights *skl_py_weights(PyObject *module, PyObject *object);

/* The functions that functions.inl lists. */
#define F(name, count) PyObject *skl_py_##name(PyObject *const *args);
#define M(name, count) PyObject *skl_py_##name(PyObject *module, PyObject *const *args);
#include "functions.inl"
#undef F
#undef M

/* threads.c: the setting, and SKELKIN_NUM_THREADS at import (-1: an exception is set). */
int skl_py_threads_from_environment(void);

/* ik.c: the arguments of solve_two_bone in its order, and the type of the result. */
PyObject *skl_py_solve_two_bone_into(PyObject *const *args, PyTypeObject *type);

/* blender_ik.c: the dtypes of its rows; -1: an exception is set. */
int skl_py_add_ik_structs(PyObject *module);
/* limits.c: the same. */
int skl_py_add_limit_struct(PyObject *module);
/* planting_scene.c: RefusalError, and what is said of the length of legs. */
int skl_py_add_refusal(PyObject *module);

/* skinning.c: the argument `method`, 0 (linear) or 1 (dual quaternions); returns 0 with an exception set. */
int skl_py_take_method(PyObject *value, skl_skin_method *method);
