/* SPDX-License-Identifier: MIT */
/* From Python arguments to the arrays of a job, and from a job's output to the result.
 *
 *     skl_arg args[2] = {{0}};
 *     if (!skl_arg_take(&args[0], object, "local")) goto fail;          an array of any kind, or None where allowed
 *     dtype = skl_args_dtype(args, 2);                                  the precision of the call
 *     if (!skl_arg_prepare(&args[0], dtype, &item, &job.local)) ...     right shape and dtype, into the job
 *     if (!skl_args_broadcast(args, 2, &shape)) ...                     leading dimensions
 *     if (!skl_out_begin(&out, out_object, "out", type, &shape, &item, args, 2, &job.out)) ...
 *     run the job between skl_py_release and skl_py_restore
 *     result = skl_out_finish(&out);
 *   fail: skl_args_clear(args, 2)
 *
 * Functions return 1, or 0 with an exception set. */
#pragma once

#include "overlap.h"

#include "skelkin/skelkin.h"

/* An array argument. `array` is NULL where the argument was left out. */
typedef struct skl_arg {
    const char *name;
    PyArrayObject *array;
    int counts;        /* takes part in the choice of precision */
    int item_ndim;     /* set by skl_arg_prepare */
    skl_extent extent; /* zeros until an output is given */
} skl_arg;

/* Sizes of an item that the array has: any number of rows that an affine matrix may have, or numbers of a tangent, 3 or
 * 4; any number at all. */
#define SKL_ROWS (-1)
#define SKL_MANY (-2)

/* The trailing dimensions of an argument. `stepped`: the first of them has any stride, the rest is contiguous. */
typedef struct skl_item {
    int ndim;
    int stepped;
    int64_t shape[3];
} skl_item;

/* Leading dimensions of the call. */
typedef struct skl_shape {
    int ndim;
    int64_t size[SKL_MAX_DIMS];
} skl_shape;

/* An output: `work` is where the job writes, `result` what the caller gets. */
typedef struct skl_out {
    PyArrayObject *result;
    PyArrayObject *work;
    int given;         /* by the caller */
    skl_extent extent; /* of the array of the caller, else zeros */
} skl_out;

/* What is hidden by a mask would count: a masked array, or a list that holds one, is a TypeError. */
int skl_check_unmasked(PyObject *value, const char *name);
/* A whole number, of any type that is one, within int64: beyond its bounds they themselves. A number. */
int skl_py_integer(PyObject *value, const char *name, int64_t *into);
int skl_py_real(PyObject *value, const char *name, double *into);

/* "skeleton is a Clip: a Skeleton is needed", a TypeError. */
void skl_fail_type(const char *name, PyObject *value, const char *rule);

int skl_arg_take(skl_arg *arg, PyObject *value, const char *name);
skl_dtype skl_args_dtype(const skl_arg *args, int count);
/* Where the items of an array are, for a job. */
static inline void skl_fill_view(PyArrayObject *array, const skl_item *item, skl_array *into) {
    const int lead = PyArray_NDIM(array) - item->ndim;
    into->data = PyArray_DATA(array);
    into->ndim = lead;
    into->step = item->stepped ? PyArray_STRIDE(array, lead) : 0;
    for (int d = 0; d < lead; d++) {
        into->shape[d] = PyArray_DIM(array, d);
        into->strides[d] = PyArray_STRIDE(array, d);
    }
}

int skl_arg_prepare(skl_arg *arg, skl_dtype dtype, const skl_item *item, skl_array *into);
/* Sizes or strides as a tuple. */
PyObject *skl_py_sizes(const npy_intp *sizes, int count);
/* Raise "<name> has shape <shape>: expected <wanted>"; takes `wanted`, returns 0. */
int skl_fail_shape(const char *name, PyArrayObject *array, PyObject *wanted);
/* Raise "<name> has 33 dimensions: at most 32 are supported"; returns 0. */
int skl_fail_dimensions(const char *name, int ndim);
int skl_args_broadcast(const skl_arg *args, int count, skl_shape *shape);
void skl_args_clear(skl_arg *args, int count);

/* Rows (3 or 4) of the matrices that the caller gave as `out`; 4 without one. */
int skl_out_rows(PyObject *out);
/* An output of numbers of this numpy type: the caller's array, or None for a new one. */
int skl_out_begin(skl_out *out, PyObject *given, const char *name, int type, const skl_shape *shape,
                  const skl_item *item, skl_arg *args, int count, skl_array *into);
PyObject *skl_out_finish(skl_out *out); /* a new reference; None of an output that was not begun */
void skl_out_clear(skl_out *out);

/* Of several outputs: `given` is None or a tuple of `count` arrays; its k-th, a borrowed reference; all results. */
int skl_out_check(PyObject *given, int count);
PyObject *skl_out_given(PyObject *given, int k);
/* 1 if none of the outputs that the caller gave shares memory with another; checked before anything is written. */
enum { SKL_MOST_OUTS = 8 };
int skl_outs_apart(const skl_out *out, const char *const *names, int count);
PyObject *skl_out_finish_all(skl_out *out, int count);
/* The same as a type with names for the results, made from tuple. */
PyObject *skl_out_finish_as(skl_out *out, int count, PyTypeObject *type);

/* numpy's number of the type. */
static inline int skl_type_number(skl_dtype dtype) { return dtype == SKL_FLOAT32 ? NPY_FLOAT : NPY_DOUBLE; }

/* 1 if a job can use the array as it lies: aligned, native, contiguous inside of a joint or vertex. */
int skl_usable(PyArrayObject *array, const skl_item *item);

/* Number of items of the call. */
int64_t skl_shape_items(const skl_shape *shape);

/* Release the lock where the work (joints or vertices) is worth it; on the main thread, which gets the signals, jobs
 * then check whether one of them has raised something. skl_py_restore returns 0 if so; that exception is set, and what
 * the jobs have written is of no use. skl_py_give returns `result`, or drops it then. */
PyThreadState *skl_py_release(int64_t work);
int skl_py_restore(PyThreadState *state);
PyObject *skl_py_give(PyThreadState *state, PyObject *result);
