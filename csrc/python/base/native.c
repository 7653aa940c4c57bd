/* SPDX-License-Identifier: MIT */
#include "native.h"
#include "module.h"

#include <string.h>

/* Which argument the keyword is; -1 if none. Names in code are interned: almost always the first loop finds it. */
static Py_ssize_t index_of(const skl_native *native, PyObject *name) {
    for (Py_ssize_t i = 0; i < native->count; i++)
        if (native->names[i] == name) return i;
    for (Py_ssize_t i = 0; i < native->count; i++)
        if (PyUnicode_Compare(native->names[i], name) == 0) return i;
    return -1;
}

/* Python's own error about arguments that do not fit. */
static int refuse(const skl_native *native, PyObject *const *args, Py_ssize_t nargs, PyObject *names) {
    PyObject *given = PyTuple_New(nargs), *named = PyDict_New(), *result = NULL;
    int good = given && named;
    for (Py_ssize_t i = 0; good && i < nargs; i++) good = PyTuple_SetItem(given, i, Py_NewRef(args[i])) == 0;
    for (Py_ssize_t i = 0; good && names && i < PyTuple_Size(names); i++)
        good = PyDict_SetItem(named, PyTuple_GetItem(names, i), args[nargs + i]) == 0;
    if (good) result = PyObject_Call(native->function, given, named);
    if (result) PyErr_SetString(PyExc_SystemError, "arguments that fit were refused");
    Py_XDECREF(result);
    Py_XDECREF(given);
    Py_XDECREF(named);
    return 0;
}

int skl_native_take(const skl_native *native, PyObject *const *args, Py_ssize_t nargs, PyObject *names,
                    PyObject *values[SKL_NATIVE_ARGS]) {
    if (!native->function) return skl_py_fail(PyExc_RuntimeError, "the module has been unloaded");
    if (nargs > native->positional) return refuse(native, args, nargs, names);
    for (Py_ssize_t i = 0; i < native->count; i++) values[i] = i < nargs ? args[i] : NULL;
    const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
    for (Py_ssize_t k = 0; k < named; k++) {
        const Py_ssize_t i = index_of(native, PyTuple_GetItem(names, k));
        if (i < 0 || values[i]) return PyErr_Occurred() ? 0 : refuse(native, args, nargs, names);
        values[i] = args[nargs + k];
    }
    for (Py_ssize_t i = nargs; i < native->count; i++) {
        if (!values[i]) values[i] = native->defaults[i];
        if (!values[i]) return refuse(native, args, nargs, names);
    }
    return 1;
}

static PyObject *solve_two_bone(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *names) {
    const skl_native *native = &((skl_state *)PyModule_GetState(module))->natives[SKL_NATIVE_SOLVE_TWO_BONE];
    PyObject *values[SKL_NATIVE_ARGS];
    if (!skl_native_take(native, args, nargs, names, values)) return NULL;
    return skl_py_solve_two_bone_into(values, (PyTypeObject *)native->result);
}

typedef PyObject *(*native_fn)(PyObject *module, PyObject *const *args, Py_ssize_t nargs, PyObject *names);

static const struct {
    const char *name;
    native_fn call;
} FUNCTIONS[SKL_NATIVES] = {{"solve_two_bone", solve_two_bone}};

/* Names and defaults, from what the compiler of Python has made of the function. */
static int read_arguments(skl_native *native, PyObject *code) {
    PyObject *names = PyObject_GetAttrString(code, "co_varnames"), *first = PyObject_GetAttrString(code, "co_argcount"),
             *later = PyObject_GetAttrString(code, "co_kwonlyargcount"),
             *defaults = PyObject_GetAttrString(native->function, "__kwdefaults__");
    int good = names && first && later && defaults;
    if (good) {
        native->positional = PyLong_AsSsize_t(first);
        native->count = native->positional + PyLong_AsSsize_t(later);
        good = native->count <= SKL_NATIVE_ARGS;
        if (!good) PyErr_SetString(PyExc_ValueError, "native: too many arguments");
    }
    for (Py_ssize_t i = 0; good && i < native->count; i++) {
        native->names[i] = Py_NewRef(PyTuple_GetItem(names, i));
        native->defaults[i] = PyDict_Check(defaults) ? PyDict_GetItemWithError(defaults, native->names[i]) : NULL;
        Py_XINCREF(native->defaults[i]);
    }
    Py_XDECREF(names);
    Py_XDECREF(first);
    Py_XDECREF(later);
    Py_XDECREF(defaults);
    return good;
}

/* "name(a, b, *, c=None)", a line of dashes and the docstring: of this a built-in function makes its signature. */
static PyObject *whole_text(const skl_native *native, const char *name) {
    PyObject *text = PyUnicode_FromFormat("%s(", name), *doc = PyObject_GetAttrString(native->function, "__doc__");
    for (Py_ssize_t i = 0; i < native->count; i++) {
        const char *before = i == 0 ? "" : i == native->positional ? ", *, " : ", ";
        PyUnicode_AppendAndDel(
            &text, native->defaults[i] ? PyUnicode_FromFormat("%s%U=%R", before, native->names[i], native->defaults[i])
                                       : PyUnicode_FromFormat("%s%U", before, native->names[i]));
    }
    PyUnicode_AppendAndDel(&text, doc ? PyUnicode_FromFormat(")\n--\n\n%S", doc) : NULL);
    Py_XDECREF(doc);
    return text;
}

static int write_definition(skl_native *native, int which) {
    PyObject *whole = whole_text(native, FUNCTIONS[which].name);
    Py_ssize_t size = 0;
    const char *text = whole ? PyUnicode_AsUTF8AndSize(whole, &size) : NULL;
    native->text = text ? PyMem_Malloc((size_t)size + 1) : NULL;
    if (native->text) {
        memcpy(native->text, text, (size_t)size + 1);
        native->definition = (PyMethodDef){FUNCTIONS[which].name, (PyCFunction)(void (*)(void))FUNCTIONS[which].call,
                                           METH_FASTCALL | METH_KEYWORDS, native->text};
    } else if (text) {
        (void)PyErr_NoMemory();
    }
    Py_XDECREF(whole);
    return native->text != NULL;
}

/* The number of a function in the table that is not taken yet; -1 with an exception. */
static int which_of(const skl_native *natives, PyObject *name) {
    for (int i = 0; i < SKL_NATIVES; i++)
        if (PyUnicode_CompareWithASCIIString(name, FUNCTIONS[i].name) == 0 && !natives[i].function) return i;
    PyErr_Format(PyExc_ValueError, "native: %R is unknown, or taken", name);
    return -1;
}

/* A function of Python, and the type of its results or None. */
PyObject *skl_py_native(PyObject *module, PyObject *const *args) {
    skl_native *natives = ((skl_state *)PyModule_GetState(module))->natives;
    PyObject *name = PyObject_GetAttrString(args[0], "__name__"), *code = PyObject_GetAttrString(args[0], "__code__"),
             *place = PyObject_GetAttrString(args[0], "__module__"), *made = NULL;
    const int which = name && code && place ? which_of(natives, name) : -1;
    if (which >= 0) {
        skl_native *native = &natives[which];
        native->function = Py_NewRef(args[0]);
        native->result = Py_NewRef(args[1]);
        if (read_arguments(native, code) && write_definition(native, which))
            made = PyCFunction_NewEx(&native->definition, module, place);
    }
    Py_XDECREF(name);
    Py_XDECREF(code);
    Py_XDECREF(place);
    return made;
}

int skl_native_traverse(skl_native *natives, visitproc visit, void *arg) {
    for (int n = 0; n < SKL_NATIVES; n++) {
        Py_VISIT(natives[n].function);
        Py_VISIT(natives[n].result);
        for (int i = 0; i < SKL_NATIVE_ARGS; i++) Py_VISIT(natives[n].defaults[i]);
    }
    return 0;
}

void skl_native_clear(skl_native *natives) {
    for (int n = 0; n < SKL_NATIVES; n++) {
        Py_CLEAR(natives[n].function);
        Py_CLEAR(natives[n].result);
        for (int i = 0; i < SKL_NATIVE_ARGS; i++) {
            Py_CLEAR(natives[n].names[i]);
            Py_CLEAR(natives[n].defaults[i]);
        }
    }
}

void skl_native_free(skl_native *natives) {
    skl_native_clear(natives);
    for (int n = 0; n < SKL_NATIVES; n++) {
        PyMem_Free(natives[n].text);
        natives[n].text = NULL;
    }
}
