/* SPDX-License-Identifier: MIT */
/* From a status to an exception, in one place. */
#pragma once

#include "numpy_api.h"

#include "skelkin/skelkin.h"

/* Raise what `status` says: ValueError, or MemoryError; what is raised already stays. Returns NULL. */
PyObject *skl_py_raise(const skl_status *status);

/* 1 if there are just `wanted` arguments, else 0 and a TypeError. */
int skl_py_arity(const char *function, Py_ssize_t nargs, Py_ssize_t wanted);
