/* SPDX-License-Identifier: MIT */
/* Loops, for Python. */
#ifndef SKL_PLANTING_LOOP_H
#define SKL_PLANTING_LOOP_H

#include "python/planting/planting_objects.h"

#include "planting/loops/loop.h"

/* A Loop; None: then `*known` is 0. 0 with an exception set. */
int skl_py_loop(PyObject *object, skl_loop *out, int *known);

/* The fields of a Loop; NULL with an exception set. */
PyObject *skl_py_told_loop(const skl_loop *loop);

#endif
