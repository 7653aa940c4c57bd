/* SPDX-License-Identifier: MIT */
/* Soles of legs, for Python. */
#ifndef SKL_PLANTING_MODELS_H
#define SKL_PLANTING_MODELS_H

#include "planting_objects.h"

/* A list of the fields of FootModel, of each of `count` legs. NULL with an exception set. */
PyObject *skl_py_list_of_models(const skl_foot_model *models, Py_ssize_t count);

#endif
