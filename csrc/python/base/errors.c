/* SPDX-License-Identifier: MIT */
#include "errors.h"

PyObject *skl_py_raise(const skl_status *status) {
    char text[512];
    if (PyErr_Occurred()) return NULL; /* what stopped the job, say Ctrl-C */
    if (status->code == SKL_NO_MEMORY) return PyErr_NoMemory();
    PyErr_SetString(PyExc_ValueError, skl_status_text(status, text, sizeof text));
    return NULL;
}
