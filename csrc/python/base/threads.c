/* SPDX-License-Identifier: MIT */
/* The number of threads, from Python and from the environment. */
#include "args.h"
#include "errors.h"
#include "module.h"

PyObject *skl_py_set_num_threads(PyObject *const *args) {
    skl_status status;
    int64_t threads;
    if (!skl_py_integer(args[0], "num_threads", &threads)) return NULL;
    /* Threads that end have no business with the interpreter's lock, so that waiting for them with it held is safe. */
    if (skl_set_num_threads(threads, &status) != SKL_OK) return skl_py_raise(&status);
    Py_RETURN_NONE;
}

PyObject *skl_py_get_num_threads(PyObject *const *args) {
    (void)args;
    return PyLong_FromLong(skl_num_threads());
}

/* A number and nothing else, or -1. */
static int64_t whole_number(const char *text) {
    int64_t number = 0;
    if (!*text) return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || number > SKL_MAX_THREADS) return -1;
        number = 10 * number + (*text - '0');
    }
    return number;
}

int skl_py_threads_from_environment(void) {
    skl_status status;
    const char *wanted = getenv("SKELKIN_NUM_THREADS");
    if (!wanted || !*wanted) return 0;
    if (skl_set_num_threads(whole_number(wanted), &status) == SKL_OK) return 0;
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1,
                            "SKELKIN_NUM_THREADS=%.40s is not a number from 1 to %d: using 1 thread", wanted,
                            SKL_MAX_THREADS);
}
