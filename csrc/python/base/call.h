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

/* Inputs, and behind them the outputs so far. */
enum { SKL_MOST_INPUTS = 8 };

typedef struct skl_call {
    skl_arg in[SKL_MOST_INPUTS];
    skl_out out[SKL_MOST_OUTS];
    int inputs, outputs;
    skl_dtype dtype;
    skl_shape shape;
} skl_call;

/* Take the inputs, and the precision and leading dimensions of the call; the first of all, which sets what is in `c`.
 */
int skl_call_begin(skl_call *c, const skl_input *inputs, int count, skl_dtype *dtype);

/* The next output: new, or the caller's array; one amid an input, or amid the outputs before, goes through a copy. */
int skl_call_out(skl_call *c, PyObject *given, const char *name, const skl_item *item, skl_array *into);

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
