/* SPDX-License-Identifier: MIT */
/* The module skelkin_py._core: functions, types, and what the build was. */
#define SKL_IMPORTS_NUMPY
#include "module.h"

#ifndef SKELKIN_VERSION
#error "compile with -DSKELKIN_VERSION and -DSKELKIN_SOURCE_HASH, as setup.py does"
#endif

static PyObject *isa(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyUnicode_FromString(skl_isa());
}

/* As Python calls them: with as many arguments as they take. */
#define F(name, count)                                                                                                 \
    static PyObject *called_##name(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {                        \
        (void)module;                                                                                                  \
        return skl_py_arity(#name, nargs, count) ? skl_py_##name(args) : NULL;                                         \
    }
#define M(name, count)                                                                                                 \
    static PyObject *called_##name(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {                        \
        return skl_py_arity(#name, nargs, count) ? skl_py_##name(module, args) : NULL;                                 \
    }
#include "functions.inl"
#undef F
#undef M

#define F(name, count) {#name, (PyCFunction)(void (*)(void))called_##name, METH_FASTCALL, NULL},
#define M F
static PyMethodDef methods[] = {
#include "functions.inl"
    {"isa", isa, METH_NOARGS, "Name of the kernels in use."},
    {NULL, NULL, 0, NULL},
};
#undef F
#undef M

/* SKELKIN_ISA may lower the choice of kernels; anything else is worth a warning, not an error. */
static int choose_isa(void) {
    const char *wanted = getenv("SKELKIN_ISA");
    if (wanted && !*wanted) wanted = NULL;
    if (skl_isa_select(wanted)) return 0;
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "SKELKIN_ISA=%.40s is unknown or above this CPU: using %s", wanted,
                            skl_isa());
}

/* The names of all compiled kernels, best first. */
static int add_isas(PyObject *module) {
    Py_ssize_t count = 0;
    while (skl_isa_compiled((int)count)) count++;
    PyObject *names = PyTuple_New(count);
    for (Py_ssize_t i = 0; names && i < count; i++)
        if (PyTuple_SetItem(names, i, PyUnicode_FromString(skl_isa_compiled((int)i))) < 0 || PyErr_Occurred())
            Py_CLEAR(names);
    const int done = names ? PyModule_AddObjectRef(module, "ISAS", names) : -1;
    Py_XDECREF(names);
    return done;
}

static int add_constants(PyObject *module) {
#if defined(__clang__)
    const char *compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
    const char *compiler = "gcc " __VERSION__;
#elif defined(_MSC_VER)
    const char *compiler = "msvc";
#else
    const char *compiler = "unknown";
#endif
#ifdef SKELKIN_SANITIZE
    const char *sanitize = SKELKIN_SANITIZE;
#else
    const char *sanitize = "";
#endif
    if (skl_py_add_refusal(module) < 0 || add_isas(module) < 0 || skl_py_add_ik_structs(module) < 0 ||
        skl_py_add_limit_struct(module) < 0)
        return -1;
    if (PyModule_AddStringConstant(module, "VERSION", SKELKIN_VERSION) < 0) return -1;
    if (PyModule_AddStringConstant(module, "SOURCE_HASH", SKELKIN_SOURCE_HASH) < 0) return -1;
    if (PyModule_AddStringConstant(module, "COMPILER", compiler) < 0) return -1;
    return PyModule_AddStringConstant(module, "SANITIZE", sanitize);
}

static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec) {
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    if (type && PyModule_AddType(module, (PyTypeObject *)type) < 0) Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static int execute(PyObject *module) {
    /* numpy itself cannot be loaded twice in a process, so say it here, in words. */
    if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
        PyErr_SetString(PyExc_ImportError, "skelkin_py does not run in sub-interpreters, as numpy does not");
        return -1;
    }
    if (PyArray_ImportNumPyAPI() < 0 || choose_isa() < 0 || skl_py_threads_from_environment() < 0) return -1;
    skl_state *state = PyModule_GetState(module);
    state->skeleton_type = add_type(module, &skl_py_skeleton_spec);
    if (!state->skeleton_type) return -1;
    state->weights_type = add_type(module, &skl_py_weights_spec);
    if (!state->weights_type) return -1;
    return add_constants(module);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    skl_state *state = PyModule_GetState(module);
    Py_VISIT(state->skeleton_type);
    Py_VISIT(state->weights_type);
    return skl_native_traverse(state->natives, visit, arg);
}

static int clear(PyObject *module) {
    skl_state *state = PyModule_GetState(module);
    Py_CLEAR(state->skeleton_type);
    Py_CLEAR(state->weights_type);
    skl_native_clear(state->natives);
    return 0;
}

static void free_state(void *module) {
    skl_state *state = PyModule_GetState(module);
    if (state) skl_native_free(state->natives);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)(uintptr_t)execute},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "skelkin_py._core",
    "Kernels of skelkin_py; use the functions of the package.",
    sizeof(skl_state),
    methods,
    slots,
    traverse,
    clear,
    free_state,
};

PyMODINIT_FUNC PyInit__core(void) { return PyModuleDef_Init(&definition); }
