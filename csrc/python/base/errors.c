/* SPDX-License-Identifier: MIT */
#include "errors.h"

PyObject *skl_py_raise(const skl_status *status) {
    char text[512];
    if (PyErr_Occurred()) return NULL; /* what stopped the job, say Ctrl-C */
    if (status->code == SKL_NO_MEMORY) return PyErr_NoMemory();
    PyErr_SetString(PyExc_ValueError, skl_status_text(status, text, sizeof text));
    return NULL;
}

int skl_py_arity(const char *function, Py_ssize_t nargs, Py_ssize_t wanted) {
    if (nargs == wanted) return 1;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", function, wanted, nargs);
    return 0;
}
