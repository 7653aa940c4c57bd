/* SPDX-License-Identifier: MIT */
/* Two elements share a byte where a sum of strides, each taken a whole number of times within its bounds, falls into an
 * interval as wide as an element: a search over the strides, the largest first. What the smaller ones can add up to,
 * and their common divisor, leave one or two choices for each stride of arrays that numpy itself makes. */
#include "overlap.h"
#include "args.h"
#include "module.h"

/* Of the search; a few milliseconds. */
enum { MOST_STEPS = 100 * 1000, MOST_TERMS = 2 * 64 };

/* `stride` bytes, 0 .. `most` times. */
typedef struct term {
    int64_t stride, most;
} term;

/* Sums of terms, the largest stride first. For the terms k .. count - 1: their greatest sum, and their divisor. */
typedef struct sums {
    int count;
    term terms[MOST_TERMS];
    int64_t reach[MOST_TERMS + 1], divisor[MOST_TERMS + 1];
    int64_t steps; /* of the search, left */
} sums;

skl_extent skl_extent_of(PyArrayObject *array) {
    const uintptr_t data = (uintptr_t)PyArray_DATA(array);
    skl_extent extent = {data, data + (uintptr_t)PyArray_ITEMSIZE(array)};
    for (int d = 0; d < PyArray_NDIM(array); d++) {
        if (PyArray_DIM(array, d) == 0) return (skl_extent){0, 0};
        const npy_intp reach = (PyArray_DIM(array, d) - 1) * PyArray_STRIDE(array, d);
        if (reach < 0)
            extent.low -= (uintptr_t)(-reach);
        else
            extent.high += (uintptr_t)reach;
    }
    return extent;
}

/* --- the search --------------------------------------------------------------------------------------------------- */

static void add_term(sums *s, int64_t stride, int64_t most) {
    int at = 0;
    if (stride < 0) stride = -stride;
    if (stride == 0 || most == 0) return;
    while (at < s->count && s->terms[at].stride > stride) at++;
    if (at < s->count && s->terms[at].stride == stride) {
        s->terms[at].most += most;
        return;
    }
    for (int k = s->count++; k > at; k--) s->terms[k] = s->terms[k - 1];
    s->terms[at] = (term){stride, most};
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

/* 1 if the terms from number k on have a sum within low .. high, or if the steps are used up. */
static int search(sums *s, int k, int64_t low, int64_t high) {
    if (low < 0) low = 0;
    if (high > s->reach[k]) high = s->reach[k];
    if (low > high) return 0;
    if (low == 0) return 1;
    if (k == s->count || floor_div(high, s->divisor[k]) * s->divisor[k] < low) return 0;
    const term t = s->terms[k];
    int64_t first = floor_div(low - s->reach[k + 1] + t.stride - 1, t.stride), last = high / t.stride;
    if (first < 0) first = 0;
    if (last > t.most) last = t.most;
    for (int64_t n = last; n >= first; n--) {
        if (--s->steps < 0) return 1;
        if (search(s, k + 1, low - n * t.stride, high - n * t.stride)) return 1;
    }
    return 0;
}

static int has_sum(sums *s, int64_t low, int64_t high) {
    s->reach[s->count] = s->divisor[s->count] = 0;
    for (int k = s->count - 1; k >= 0; k--) {
        s->reach[k] = s->reach[k + 1] + s->terms[k].stride * s->terms[k].most;
        s->divisor[k] = common_divisor(s->terms[k].stride, s->divisor[k + 1]);
    }
    s->steps = MOST_STEPS;
    return search(s, 0, low, high);
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

static void add_dimensions(sums *s, PyArrayObject *array) {
    for (int d = 0; d < PyArray_NDIM(array); d++) add_term(s, PyArray_STRIDE(array, d), PyArray_DIM(array, d) - 1);
}

/* Elements of `a` lie at sums of its strides from its first byte on, those of `b` at sums back from its last element:
 * the difference of two is a sum over the strides of both. */
int skl_share_memory(PyArrayObject *a, PyArrayObject *b) {
    const skl_extent a_extent = skl_extent_of(a), b_extent = skl_extent_of(b);
    if (!skl_extents_meet(a_extent, b_extent)) return 0;
    sums s;
    s.count = 0;
    add_dimensions(&s, a);
    add_dimensions(&s, b);
    const int64_t a_size = PyArray_ITEMSIZE(a), b_size = PyArray_ITEMSIZE(b);
    const int64_t apart = (int64_t)(b_extent.high - a_extent.low) - b_size;
    return has_sum(&s, apart - a_size + 1, apart + b_size - 1);
}

/* 1 if each stride is beyond all that the smaller ones reach: so it is in any array that numpy itself makes. */
static int is_nested(PyArrayObject *array, int64_t size) {
    sums s;
    s.count = 0;
    add_dimensions(&s, array);
    for (int k = s.count - 1; k >= 0; k--) {
        if (s.terms[k].stride < size) return 0;
        size += s.terms[k].stride * s.terms[k].most;
    }
    return 1;
}

/* Two elements whose indices differ in dimension d, and before it in none. */
static int meets_from(PyArrayObject *array, int d) {
    const int64_t size = PyArray_ITEMSIZE(array), most = PyArray_DIM(array, d) - 1;
    int64_t stride = PyArray_STRIDE(array, d), middle;
    sums s;
    s.count = 0;
    if (stride < 0) stride = -stride;
    middle = -stride;
    add_term(&s, stride, most - 1);
    for (int later = d + 1; later < PyArray_NDIM(array); later++) {
        const int64_t reach = PyArray_DIM(array, later) - 1, step = PyArray_STRIDE(array, later);
        add_term(&s, step, 2 * reach);
        middle += reach * (step < 0 ? -step : step);
    }
    return has_sum(&s, middle - size + 1, middle + size - 1);
}

/* Two elements share a byte, as with a stride of 0; too hard cases count as such, too. */
static int overlaps_itself(PyArrayObject *array) {
    if (PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array)) return 0;
    int equal = 0;
    for (int d = 0; d < PyArray_NDIM(array); d++) {
        if (PyArray_DIM(array, d) == 0) return 0;
        equal |= PyArray_DIM(array, d) > 1 && PyArray_STRIDE(array, d) == 0;
    }
    if (equal) return 1;
    for (int d = 0; d < PyArray_NDIM(array); d++)
        for (int other = 0; other < d; other++)
            equal |= PyArray_DIM(array, d) > 1 && PyArray_DIM(array, other) > 1 &&
                     (PyArray_STRIDE(array, d) == PyArray_STRIDE(array, other) ||
                      PyArray_STRIDE(array, d) == -PyArray_STRIDE(array, other));
    if (equal) return 1;
    if (is_nested(array, PyArray_ITEMSIZE(array))) return 0;
    for (int d = 0; d < PyArray_NDIM(array); d++)
        if (PyArray_DIM(array, d) > 1 && meets_from(array, d)) return 1;
    return 0;
}

int skl_check_own_memory(PyArrayObject *array, const char *name) {
    if (!PyArray_ISWRITEABLE(array)) return skl_py_fail(PyExc_ValueError, "%s is read-only", name);
    if (!overlaps_itself(array)) return 1;
    PyObject *strides = skl_py_sizes(PyArray_STRIDES(array), PyArray_NDIM(array));
    if (strides)
        PyErr_Format(PyExc_ValueError, "%s has strides %R, which put several elements on the same memory", name,
                     strides);
    Py_XDECREF(strides);
    return 0;
}

/* an array: raise what skl_check_own_memory says */
PyObject *skl_py_check_own_memory(PyObject *const *args) {
    if (!PyArray_Check(args[0])) return PyErr_Format(PyExc_TypeError, "out must be a numpy array");
    return skl_check_own_memory((PyArrayObject *)args[0], "out") ? Py_NewRef(Py_None) : NULL;
}
