/* SPDX-License-Identifier: MIT */
#include "errors.h"
#include "args.h"

#include <stdarg.h>

PyObject *skl_py_raise(const skl_status *status) {
    char text[512];
    if (PyErr_Occurred()) return NULL; /* what stopped the job, say Ctrl-C */
    if (status->code == SKL_NO_MEMORY) return PyErr_NoMemory();
    PyErr_SetString(PyExc_ValueError, skl_status_text(status, text, sizeof text));
    return NULL;
}

PyObject *skl_py_none(PyThreadState *lock, skl_code code, const skl_status *status) {
    return skl_py_restore(lock) && code == SKL_OK ? Py_NewRef(Py_None) : skl_py_raise(status);
}

int skl_py_fail(PyObject *type, const char *format, ...) {
    va_list list;
    va_start(list, format);
    PyErr_FormatV(type, format, list);
    va_end(list);
    return 0;
}

int skl_py_arity(const char *function, Py_ssize_t nargs, Py_ssize_t wanted) {
    if (nargs == wanted) return 1;
    return skl_py_fail(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, wanted, nargs);
}
