/* SPDX-License-Identifier: MIT */
/* A call of a verb: its arrays taken, its results made, and both let go again.
 *
 *     const skl_input inputs[] = {{args[0], "local", &pose, &job.local, 0}};
 *     skl_call c;
 *     if (!skl_call_begin(&c, inputs, 1, &job.dtype) || !skl_call_out(&c, args[1], "out", &pose, &job.out))
 *         return skl_call_fail(&c);
 *     SKL_CALL_RUN(c, 1, skl_something_run, job); */
#pragma once

#include "args.h"

/* An input: its value, its name in messages, what an item is, where its array goes. */
typedef struct skl_input {
    PyObject *value; /* NULL: left out */
    const char *name;
    const skl_item *item;
    skl_array *into;
    int optional; /* None leaves it out */
} skl_input;

enum { SKL_MOST_INPUTS = 12 };

typedef struct skl_call {
    skl_arg in[SKL_MOST_INPUTS + SKL_MOST_OUTS]; /* inputs, and behind them the outputs so far */
    skl_out out[SKL_MOST_OUTS];
    int inputs, outputs;
    skl_dtype dtype;
    skl_shape shape;
    PyTypeObject *type; /* of the tuple of results; NULL: a plain one */
} skl_call;

/* A number that says what is so anyway costs nothing: then NULL, which leaves it out. */
PyObject *skl_py_unless(PyObject *value, double otherwise);

/* Take the inputs, and the precision and leading dimensions of the call; the first of all, which sets what is in `c`.
 * skl_call_take leaves the leading dimensions out. */
int skl_call_begin(skl_call *c, const skl_input *inputs, int count, skl_dtype *dtype);
int skl_call_take(skl_call *c, const skl_input *inputs, int count, skl_dtype *dtype);

/* The next output: new, or the caller's array; one amid an input, or amid the outputs before, goes through a copy.
 * Codes are one integer of a numpy type per item. */
int skl_call_out(skl_call *c, PyObject *given, const char *name, const skl_item *item, skl_array *into);
int skl_call_codes(skl_call *c, PyObject *given, const char *name, int type, skl_array *into);

/* The next result is None. */
void skl_call_skip(skl_call *c);

/* The results, one array or a tuple of them; or the exception for what broke a rule. */
PyObject *skl_call_end(skl_call *c, PyThreadState *lock, skl_code code, const skl_status *status);

/* Run a job, without the lock where there is much `work` for each of the leading dimensions' items, and return. */
#define SKL_CALL_RUN(c, work, run, job)                                                                                \
    do {                                                                                                               \
        PyThreadState *lock = skl_py_release((work) * skl_shape_items(&(c).shape));                                    \
        return skl_call_end(&(c), lock, run(&(job)), &(job).status);                                                   \
    } while (0)

/* What has been taken is let go; returns NULL. */
PyObject *skl_call_fail(skl_call *c);
