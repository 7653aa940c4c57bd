/* SPDX-License-Identifier: MIT */
/* Rows of named numbers: C structs as numpy dtypes, so that Python fills fields by name and C reads its own struct. */
#pragma once

#include "numpy_api.h"

/* A field: its name, numpy's format ("f8", "3f8", "i4"), and where it is. */
typedef struct skl_struct_field {
    const char *name, *format;
    size_t offset;
} skl_struct_field;

/* A struct by the name of its dtype in the module; `fields` end with one whose name is NULL. */
typedef struct skl_struct_type {
    const char *name;
    const skl_struct_field *fields;
    size_t size;
} skl_struct_type;

/* Add the dtype to the module; -1 with an exception set. */
int skl_py_add_struct(PyObject *module, const skl_struct_type *type);

/* The rows of a packed array of that dtype, and how many there are; NULL and a TypeError for anything else. They live
 * as long as `value`. */
const void *skl_py_rows_of(PyObject *module, PyObject *value, const skl_struct_type *type, npy_intp *count);
