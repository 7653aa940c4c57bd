/* SPDX-License-Identifier: MIT */
/* Functions of the package whose arguments are taken here, by position and by name.
 *
 * The function of Python says what there is to say: names, defaults, docstring. `_core.native` makes a built-in
 * function of it, which has the same signature and help. Arguments that do not fit go to the function of Python, so
 * that the error is Python's own. */
#pragma once

#include "numpy_api.h"

enum { SKL_NATIVE_SOLVE_TWO_BONE, SKL_NATIVES };

/* Most arguments of such a function. */
enum { SKL_NATIVE_ARGS = 24 };

typedef struct skl_native {
    PyObject *function; /* of Python */
    PyObject *result;   /* the type of what it returns: a tuple with names, or None */
    PyObject *names[SKL_NATIVE_ARGS], *defaults[SKL_NATIVE_ARGS]; /* NULL: there is none */
    Py_ssize_t positional, count;
    PyMethodDef definition;
    char *text; /* its docstring, and where that begins the signature */
} skl_native;

/* The arguments in order, borrowed; 0 with an exception set. */
int skl_native_take(const skl_native *native, PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                    PyObject *values[SKL_NATIVE_ARGS]);

int skl_native_traverse(skl_native *natives, visitproc visit, void *arg);
void skl_native_clear(skl_native *natives);
void skl_native_free(skl_native *natives);
