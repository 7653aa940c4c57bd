/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "status.h"

int skl_broadcast(const skl_array *const *arrays, int count, int64_t shape[SKL_MAX_DIMS]) {
    int ndim = 0;
    for (int i = 0; i < count; i++)
        if (arrays[i]->data && arrays[i]->ndim > ndim) ndim = arrays[i]->ndim;
    if (ndim > SKL_MAX_DIMS) return -1;
    for (int d = 0; d < ndim; d++) shape[d] = 1;
    for (int i = 0; i < count; i++) {
        const skl_array *array = arrays[i];
        if (!array->data) continue;
        for (int d = 0; d < array->ndim; d++) {
            int64_t *size = &shape[ndim - array->ndim + d];
            if (array->shape[d] == 1 || array->shape[d] == *size) continue;
            if (*size != 1) return -1;
            *size = array->shape[d];
        }
    }
    return ndim;
}

skl_array skl_contiguous(const void *data, int64_t count, size_t size, int ndim, const int64_t *shape) {
    skl_array array;
    int64_t bytes = count * (int64_t)size;
    array.data = (void *)(uintptr_t)data; /* of an input nothing is written */
    array.step = (int64_t)size;
    array.ndim = ndim;
    for (int d = ndim - 1; ndim <= SKL_MAX_DIMS && d >= 0; d--) {
        array.shape[d] = shape[d];
        array.strides[d] = bytes;
        bytes *= shape[d];
    }
    return array;
}

/* A number of dimensions that there can be, none of a negative size. */
static int is_shaped(const skl_array *array) {
    if (array->ndim < 0 || array->ndim > SKL_MAX_DIMS) return 0;
    for (int d = 0; d < array->ndim; d++)
        if (array->shape[d] < 0) return 0;
    return 1;
}

static int is_empty(const skl_operand *o) {
    for (int d = 0; d < o->array->ndim; d++)
        if (o->array->shape[d] == 0) return 1;
    return o->count == 0;
}

static int is_shorter(int64_t stride, int64_t bytes) { return stride < bytes && -stride < bytes; }

/* No two numbers of an output share memory, as they do where a stride was forgotten. */
static skl_code check_apart(const skl_operand *o, skl_status *status) {
    if (is_empty(o)) return SKL_OK;
    if (o->count > 1 && is_shorter(o->array->step, o->bytes))
        return skl_fail(status, SKL_BAD_VALUE, o->name,
                        "its step is too short, so that results would lie on each other: see skl_contiguous");
    for (int d = 0; d < o->array->ndim; d++)
        if (o->array->shape[d] > 1 && is_shorter(o->array->strides[d], o->bytes))
            return skl_fail(status, SKL_BAD_VALUE, o->name,
                            "a stride is too short, so that results would lie on each other: see skl_contiguous");
    return SKL_OK;
}

static skl_code check_output(const skl_operand *o, const skl_batch *batch, skl_status *status) {
    int same = o->array->ndim == batch->ndim;
    for (int d = 0; same && d < batch->ndim; d++) same = o->array->shape[d] == batch->shape[d];
    if (same) return check_apart(o, status);
    return skl_fail(status, SKL_BAD_SHAPE, o->name, "its leading dimensions must be those of the broadcast inputs");
}

skl_code skl_check_operands(const skl_operand *operands, int count, skl_batch *batch, skl_status *status) {
    const skl_array *inputs[SKL_MAX_OPERANDS];
    int num_inputs = 0;
    batch->count = count;
    for (int k = 0; k < count; k++) {
        const skl_operand *o = &operands[k];
        batch->arrays[k] = o->array;
        if (!o->array->data && !o->optional) return skl_fail(status, SKL_BAD_VALUE, o->name, SKL_IS_MISSING);
        if (o->array->data && !is_shaped(o->array))
            return skl_fail(status, SKL_BAD_SHAPE, o->name, "it has 0 to 32 leading dimensions, none of them negative");
        if (!o->bytes) inputs[num_inputs++] = o->array;
    }
    batch->ndim = skl_broadcast(inputs, num_inputs, batch->shape);
    if (batch->ndim < 0)
        return skl_fail(status, SKL_BAD_SHAPE, "inputs", "the leading dimensions do not broadcast with each other");
    skl_code code = SKL_OK;
    for (int k = 0; code == SKL_OK && k < count; k++)
        if (operands[k].bytes && operands[k].array->data) code = check_output(&operands[k], batch, status);
    return code;
}

/* Stride of dimension d (of ndim) of the broadcast shape in this array. */
static int64_t stride_at(const skl_array *array, int d, int ndim) {
    const int own = d - (ndim - array->ndim);
    if (!array->data || own < 0 || array->shape[own] == 1) return 0;
    return array->strides[own];
}

/* Copy dimension `from` onto `to`. */
static void move_dimension(skl_walk *walk, int to, int from) {
    walk->shape[to] = walk->shape[from];
    for (int i = 0; i < walk->operands; i++) walk->strides[to][i] = walk->strides[from][i];
}

/* 1 if `inner` steps of the inner dimension are one step of the outer one in every array. */
static int lies_behind(const skl_walk *walk, int outer, int inner) {
    for (int i = 0; i < walk->operands; i++)
        if (walk->strides[outer][i] != walk->strides[inner][i] * walk->shape[inner]) return 0;
    return 1;
}

/* Leave out dimensions of size 1 and join those that lie behind each other. */
static void join_dimensions(skl_walk *walk, int ndim) {
    int last = -1;
    for (int d = 0; d < ndim; d++) {
        if (walk->shape[d] == 1) continue;
        if (last >= 0 && lies_behind(walk, last, d)) {
            const int64_t size = walk->shape[last] * walk->shape[d];
            move_dimension(walk, last, d);
            walk->shape[last] = size;
        } else {
            move_dimension(walk, ++last, d);
        }
    }
    walk->ndim = last + 1;
}

/* Take the longest dimension out as the run. */
static void choose_run(skl_walk *walk) {
    walk->run = 1;
    if (walk->ndim == 0) return;
    int longest = walk->ndim - 1;
    for (int d = walk->ndim - 2; d >= 0; d--)
        if (walk->shape[d] > walk->shape[longest]) longest = d;
    walk->run = walk->shape[longest];
    for (int i = 0; i < walk->operands; i++) walk->step[i] = walk->strides[longest][i];
    for (int d = longest; d + 1 < walk->ndim; d++) move_dimension(walk, d, d + 1);
    walk->ndim--;
}

void skl_batch_of(skl_batch *batch, const skl_array *array) {
    batch->arrays[0] = array;
    batch->count = 1;
    batch->ndim = array->ndim;
    for (int d = 0; d < array->ndim; d++) batch->shape[d] = array->shape[d];
}

void skl_walk_begin(skl_walk *walk, const skl_batch *batch) {
    const int count = batch->count, ndim = batch->ndim;
    walk->operands = count;
    for (int i = 0; i < count; i++) {
        walk->at[i] = batch->arrays[i]->data;
        walk->step[i] = 0;
    }
    for (int d = 0; d < ndim; d++) {
        walk->shape[d] = batch->shape[d];
        for (int i = 0; i < count; i++) walk->strides[d][i] = stride_at(batch->arrays[i], d, ndim);
    }
    join_dimensions(walk, ndim);
    choose_run(walk);
    walk->remaining = 1;
    for (int d = 0; d < walk->ndim; d++) {
        walk->index[d] = 0;
        walk->remaining *= walk->shape[d];
    }
    if (walk->run == 0) walk->remaining = 0;
}

void skl_walk_next(skl_walk *walk) {
    walk->remaining--;
    for (int d = walk->ndim - 1; d >= 0; d--) {
        const int wraps = ++walk->index[d] == walk->shape[d];
        const int64_t steps = wraps ? 1 - walk->shape[d] : 1;
        for (int i = 0; i < walk->operands; i++)
            if (walk->at[i]) walk->at[i] += walk->strides[d][i] * steps;
        if (!wraps) return;
        walk->index[d] = 0;
    }
}

void skl_walk_seek(skl_walk *walk, const skl_walk *begun, int64_t number) {
    walk->operands = begun->operands;
    walk->ndim = begun->ndim;
    walk->run = begun->run;
    walk->remaining = begun->remaining - number;
    for (int i = 0; i < walk->operands; i++) {
        walk->at[i] = begun->at[i];
        walk->step[i] = begun->step[i];
    }
    for (int d = walk->ndim - 1; d >= 0; d--) {
        walk->shape[d] = begun->shape[d];
        walk->index[d] = number % walk->shape[d];
        number /= walk->shape[d];
        for (int i = 0; i < walk->operands; i++) {
            walk->strides[d][i] = begun->strides[d][i];
            if (walk->at[i]) walk->at[i] += walk->strides[d][i] * walk->index[d];
        }
    }
}
