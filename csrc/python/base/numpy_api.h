/* SPDX-License-Identifier: MIT */
/* The only file that includes Python.h and numpy: one place for what both have to offer.
 *
 * The limited API makes one binary serve CPython 3.10 and later (setup.py defines Py_LIMITED_API, unless the
 * interpreter has no global lock); the target version makes it run on numpy 1.22 and later, whatever it was built on.
 */
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#if !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED)
#error "compile with -DPy_LIMITED_API=0x030A0000, as setup.py does"
#endif

#define NPY_TARGET_VERSION NPY_1_22_API_VERSION
#define NPY_NO_DEPRECATED_API NPY_1_22_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL skelkin_numpy_api
#ifndef SKL_IMPORTS_NUMPY /* defined by module.c alone */
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
