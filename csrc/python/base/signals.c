/* SPDX-License-Identifier: MIT */
/* The interpreter's lock around a job, and signals meanwhile: Ctrl-C ends a long job. */
#include "args.h"

#include "core/base/thread_local.h"

/* Whose calls signals can end. A thread that was not the main one stays so for this, also where it forks. */
typedef enum thread_kind { UNKNOWN, MAIN, OTHER } thread_kind;

static SKL_THREAD_LOCAL thread_kind kind_here;

static thread_kind find_kind(void) {
    PyObject *module = PyImport_ImportModule("threading");
    PyObject *thread = module ? PyObject_CallMethod(module, "main_thread", NULL) : NULL;
    PyObject *ident = thread ? PyObject_GetAttrString(thread, "ident") : NULL;
    const unsigned long number = ident ? PyLong_AsUnsignedLong(ident) : 0;
    Py_XDECREF(module);
    Py_XDECREF(thread);
    Py_XDECREF(ident);
    if (!PyErr_Occurred()) return number == PyThread_get_thread_ident() ? MAIN : OTHER;
    PyErr_Clear();
    return UNKNOWN;
}

/* Called by a job that runs without the lock: 1 if a handler has raised something, which stays set. */
static int handler_raised(void *state) {
    PyEval_RestoreThread(state);
    const int raised = PyErr_CheckSignals() < 0;
    (void)PyEval_SaveThread();
    return raised;
}

PyThreadState *skl_py_release(int64_t work) {
    if (work <= 4096) return NULL;
    if (kind_here == UNKNOWN) kind_here = find_kind();
    PyThreadState *state = PyEval_SaveThread();
    if (kind_here == MAIN) skl_set_stop(handler_raised, state);
    return state;
}

int skl_py_restore(PyThreadState *state) {
    if (!state) return 1;
    if (kind_here == MAIN) skl_set_stop(NULL, NULL);
    PyEval_RestoreThread(state);
    return !PyErr_Occurred();
}

PyObject *skl_py_give(PyThreadState *state, PyObject *result) {
    if (skl_py_restore(state)) return result;
    Py_XDECREF(result);
    return NULL;
}
