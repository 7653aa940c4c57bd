/* SPDX-License-Identifier: MIT */
/* Packed arrays, as the package hands them in: of one type, without gaps. */
#pragma once

#include "numpy_api.h"

/* Any size, in the shape of skl_py_packed. */
#define SKL_ANY (-1)

/* The numbers of a packed array of this type and shape, which live as long as `value`; or NULL and an exception. */
const void *skl_py_packed(PyObject *value, const char *name, int type, int ndim, const npy_intp *shape);

/* The same for doubles over frames, or over any number of them (SKL_ANY): (F,), (F, 3) and (F, 3, 3). */
const double *skl_py_numbers(PyObject *value, const char *name, npy_intp frames);
const double *skl_py_vectors(PyObject *value, const char *name, npy_intp frames);
const double *skl_py_matrices(PyObject *value, const char *name, npy_intp frames);

/* One vector (3,), copied; 0 with an exception where it is none. */
int skl_py_vector(PyObject *value, const char *name, double out[3]);

/* A new array over frames: of one dimension (F,), of two (F, 3), of three (F, 3, 3). */
PyObject *skl_py_new_frames(int ndim, npy_intp frames, int type);

/* The numbers of an array. */
void *skl_py_data(PyObject *array);

/* Length of the first dimension of an array; -1 with an exception where it is none. */
npy_intp skl_py_rows(PyObject *value, const char *name);
