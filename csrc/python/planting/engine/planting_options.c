/* SPDX-License-Identifier: MIT */
#include "planting_options.h"

#include <math.h>

int skl_py_pins(PyObject *pins, skl_arena *arena, skl_plant_given *out) {
    const Py_ssize_t count = PySequence_Size(pins);
    if (count < 0) return 0;
    skl_plant_pin *each = SKL_TAKE(arena, skl_plant_pin, count);
    if (!each) return PyErr_NoMemory() != NULL;
    out->pins = each;
    out->num_pins = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pin = PySequence_GetItem(pins, i), *place, *height;
        long long first, last;
        int taken = pin && PyArg_ParseTuple(pin, "LLOO", &first, &last, &place, &height);
        if (taken) {
            each[i] = (skl_plant_pin){.span = {first, last}, .place = {NAN, NAN, NAN}};
            taken = (place == Py_None || skl_py_vector(place, "place", each[i].place)) &&
                    skl_py_number_or_nan(height, &each[i].height);
        }
        Py_XDECREF(pin);
        if (!taken) return 0;
    }
    return 1;
}

static int take_given_leg(PyObject *told, int64_t num_clip, skl_arena *arena, skl_plant_given *out) {
    PyObject *contacts, *heel, *ball, *pins;
    if (!PyArg_ParseTuple(told, "OOOO", &contacts, &heel, &ball, &pins) ||
        !skl_py_take_spans(contacts, "contacts", num_clip, arena, &out->contacts) || !skl_py_pins(pins, arena, out))
        return 0;
    out->apart = heel != Py_None;
    return !out->apart || (skl_py_take_spans(heel, "heel", num_clip, arena, &out->heel) &&
                           skl_py_take_spans(ball, "ball", num_clip, arena, &out->ball));
}

static int take_given(PyObject *told, int64_t legs, int64_t num_clip, skl_arena *arena, skl_plant_options *out) {
    if (told == Py_None) return 1;
    skl_plant_given *given = SKL_ZEROS(arena, skl_plant_given, legs);
    if (!given) return PyErr_NoMemory() != NULL;
    out->given = given;
    if (PySequence_Size(told) != (Py_ssize_t)legs) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "given: contacts of each leg are needed");
        return 0;
    }
    for (int64_t k = 0; k < legs; k++) {
        PyObject *each = PySequence_GetItem(told, (Py_ssize_t)k);
        const int taken = each && take_given_leg(each, num_clip, arena, &given[k]);
        Py_XDECREF(each);
        if (!taken) return 0;
    }
    return 1;
}

int skl_py_plant_options(PyObject *told, int64_t legs, int64_t num_clip, skl_arena *arena, skl_plant_options *out) {
    int mode, belt, reach, loop;
    long long working[2];
    PyObject *given, *up, *velocity, *sole;
    skl_plant_defaults(out);
    if (!PyArg_ParseTuple(told, "iO(LL)OiOOdddidddi", &mode, &given, &working[0], &working[1], &up, &belt, &velocity,
                          &sole, &out->align, &out->max_slope, &out->blend, &reach, &out->stretch,
                          &out->pelvis_acceleration, &out->toe_bend, &loop))
        return 0;
    out->mode = (skl_plant_contacts)mode;
    out->belt = (skl_plant_belt)belt;
    out->reach = (skl_plant_reach)reach;
    out->loop = (skl_plant_loop)loop;
    out->working = (skl_span){working[0], working[1]};
    out->up_is_given = up != Py_None;
    if (out->mode == SKL_CONTACTS_GIVEN && given == Py_None) {
        PyErr_SetString(PyExc_ValueError, "given: contacts of each leg are needed");
        return 0;
    }
    return (velocity == Py_None || skl_py_vector(velocity, "ground_velocity", out->belt_velocity)) &&
           (up == Py_None || skl_py_vector(up, "up", out->up)) && skl_py_number_or_nan(sole, &out->sole) &&
           take_given(given, legs, num_clip, arena, out);
}
