/* SPDX-License-Identifier: MIT */
#include "call.h"
#include "errors.h"

PyObject *skl_py_unless(PyObject *value, double otherwise) {
    if (!PyFloat_CheckExact(value)) return value;
    const double given = PyFloat_AsDouble(value);
    return given >= otherwise && given <= otherwise ? NULL : value;
}

static void no_array(skl_arg *arg) {
    arg->array = NULL;
    arg->extent = (skl_extent){0, 0};
}

int skl_call_take(skl_call *c, const skl_input *inputs, int count, skl_dtype *dtype) {
    c->outputs = 0;
    c->type = NULL;
    for (c->inputs = 0; c->inputs < count;) {
        const skl_input *const input = &inputs[c->inputs];
        skl_arg *const arg = &c->in[c->inputs++];
        no_array(arg);
        if (!input->value || (input->optional && input->value == Py_None)) continue;
        if (!skl_arg_take(arg, input->value, input->name)) return 0;
    }
    *dtype = c->dtype = skl_args_dtype(c->in, count);
    for (int i = 0; i < count; i++)
        if (!skl_arg_prepare(&c->in[i], c->dtype, inputs[i].item, inputs[i].into)) return 0;
    return 1;
}

int skl_call_begin(skl_call *c, const skl_input *inputs, int count, skl_dtype *dtype) {
    return skl_call_take(c, inputs, count, dtype) && skl_args_broadcast(c->in, count, &c->shape);
}

void skl_call_skip(skl_call *c) {
    no_array(&c->in[c->inputs + c->outputs]);
    c->out[c->outputs++] = (skl_out){0};
}

static int next_out(skl_call *c, PyObject *given, const char *name, int type, const skl_item *item, skl_array *into) {
    const int before = c->inputs + c->outputs;
    skl_out *out = &c->out[c->outputs];
    skl_call_skip(c);
    if (!skl_out_begin(out, given, name, type, &c->shape, item, c->in, before, into)) return 0;
    c->in[before].extent = out->extent;
    return 1;
}

int skl_call_out(skl_call *c, PyObject *given, const char *name, const skl_item *item, skl_array *into) {
    return next_out(c, given, name, skl_type_number(c->dtype), item, into);
}

int skl_call_codes(skl_call *c, PyObject *given, const char *name, int type, skl_array *into) {
    static const skl_item number = {0, 0, {0}};
    return next_out(c, given, name, type, &number, into);
}

PyObject *skl_call_end(skl_call *c, PyThreadState *lock, skl_code code, const skl_status *status) {
    PyObject *result = NULL;
    if (!skl_py_restore(lock) || code != SKL_OK)
        skl_py_raise(status);
    else if (c->type)
        result = skl_out_finish_as(c->out, c->outputs, c->type);
    else
        result = c->outputs == 1 ? skl_out_finish(&c->out[0]) : skl_out_finish_all(c->out, c->outputs);
    skl_call_fail(c);
    return result;
}

PyObject *skl_call_fail(skl_call *c) {
    for (int i = 0; i < c->outputs; i++) skl_out_clear(&c->out[i]);
    skl_args_clear(c->in, c->inputs);
    return NULL;
}
