/* SPDX-License-Identifier: MIT */
/* How low feet may be, for Python. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "planting_objects.h"

#include "planting/paths/plan_paths.h"

/* contacts, rises (C,), num_frames */
PyObject *skl_py_lowest_near(PyObject *const *args) {
    int64_t num;
    if (!skl_py_integer(args[2], "num_frames", &num)) return NULL;
    skl_arena arena = {0};
    skl_spans contacts;
    const double *rises;
    PyObject *out = NULL;
    if (skl_py_take_spans(args[0], "contacts", num, &arena, &contacts) &&
        (rises = skl_py_numbers(args[1], "rises", (npy_intp)contacts.count)) &&
        (out = skl_py_new_frames(1, (npy_intp)num, NPY_DOUBLE)))
        skl_lowest_near(contacts, rises, num, skl_py_data(out));
    skl_arena_free(&arena);
    return out;
}
