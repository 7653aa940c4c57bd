/* SPDX-License-Identifier: MIT */
/* From a status to an exception, in one place. */
#pragma once

#include "numpy_api.h"

#include "skelkin/skelkin.h"

/* Raise what `status` says: ValueError, or MemoryError; what is raised already stays. Returns NULL. */
PyObject *skl_py_raise(const skl_status *status);

/* Raise an exception, worded as by PyErr_Format. Returns 0. */
int skl_py_fail(PyObject *type, const char *format, ...);

/* Take the lock again after a job that made nothing new: None, or the exception that it ended with. */
PyObject *skl_py_none(PyThreadState *lock, skl_code code, const skl_status *status);

/* 1 if there are just `wanted` arguments, else 0 and a TypeError. */
int skl_py_arity(const char *function, Py_ssize_t nargs, Py_ssize_t wanted);
