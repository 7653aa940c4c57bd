/* SPDX-License-Identifier: MIT */
/* Soles and flags of legs, both ways, for Python. */
#ifndef SKL_PLANTING_MODELS_H
#define SKL_PLANTING_MODELS_H

#include "planting_objects.h"

/* What FootModel is made of, as a tuple. */
PyObject *skl_py_model_fields(const skl_foot_model *model);

/* Of each of `count` legs a number, NaN for None; or flags (num_frames,) bool, copied. NULL with an exception set. */
double *skl_py_leg_numbers(PyObject *sequence, const char *name, skl_arena *arena, Py_ssize_t count);
uint8_t **skl_py_leg_flags(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena,
                           Py_ssize_t count);

/* Lists of what these return for each of `count` legs. */
PyObject *skl_py_list_of_models(const skl_foot_model *models, Py_ssize_t count);
PyObject *skl_py_list_of_flags(uint8_t *const *flags, int64_t num_frames, Py_ssize_t count);

#endif
