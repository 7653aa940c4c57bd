/* SPDX-License-Identifier: MIT */
#include "planting_rig.h"

#include <math.h>

#define FIELD(name, member, kind, optional) {#name, SKL_PY_##kind, offsetof(skl_plant_pin, member), optional, 0, NULL}
static const skl_py_field pin_fields[] = {FIELD(first, span.first, COUNT, 0),
                                          FIELD(last, span.last, COUNT, 0),
                                          FIELD(place, place, VECTOR, 1),
                                          FIELD(height, height, NUMBER, 1),
                                          {0}};
#undef FIELD

static int take_pins(PyObject *pins, skl_py_taken *taken, skl_plant_given *out) {
    const Py_ssize_t count = PySequence_Size(pins);
    if (count < 0) return 0;
    skl_plant_pin *each = SKL_TAKE(&taken->arena, skl_plant_pin, count);
    if (!each) return PyErr_NoMemory() != NULL;
    out->pins = each;
    out->num_pins = count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pin = skl_py_keep(taken, PySequence_GetItem(pins, i));
        each[i] = (skl_plant_pin){.place = {NAN, NAN, NAN}};
        if (!pin || !skl_py_take(taken, pin, pin_fields, 0, &each[i])) return 0;
    }
    return 1;
}

static int take_spans(PyObject *object, const char *name, int64_t num_clip, skl_py_taken *taken, skl_spans *out) {
    PyObject *spans = skl_py_attribute(taken, object, name);
    return spans && (spans == Py_None || skl_py_take_spans(spans, name, num_clip, &taken->arena, out));
}

static int take_given(PyObject *given, int64_t legs, int64_t num_clip, skl_py_taken *taken, skl_plant_options *out) {
    skl_plant_given *each = SKL_ZEROS(&taken->arena, skl_plant_given, legs);
    if (!each) return PyErr_NoMemory() != NULL;
    out->given = each;
    for (int64_t k = 0; k < legs; k++) {
        PyObject *leg = skl_py_keep(taken, PySequence_GetItem(given, (Py_ssize_t)k));
        PyObject *pins = leg ? skl_py_attribute(taken, leg, "pins") : NULL;
        if (!pins || !take_pins(pins, taken, &each[k]) ||
            !take_spans(leg, "contacts", num_clip, taken, &each[k].contacts) ||
            !take_spans(leg, "heel", num_clip, taken, &each[k].heel) ||
            !take_spans(leg, "ball", num_clip, taken, &each[k].ball))
            return 0;
        each[k].apart = each[k].heel.at != NULL;
    }
    return 1;
}

static const char *const MODES[] = {[SKL_CONTACTS_FOUND] = "auto",  [SKL_CONTACTS_ALWAYS] = "always",
                                    [SKL_CONTACTS_NEVER] = "never", [SKL_CONTACTS_GROUND_ONLY] = "ground_only",
                                    [SKL_CONTACTS_GIVEN] = "given", NULL};
static const char *const BELTS[] = {
    [SKL_BELT_UNKNOWN] = "unknown", [SKL_BELT_MEASURED] = "measured", [SKL_BELT_GIVEN] = "given", NULL};
static const char *const REACHES[] = {
    [SKL_SOFTEN] = "soften", [SKL_STRETCH] = "stretch", [SKL_LOWER_PELVIS] = "lower_pelvis", NULL};
static const char *const LOOPS[] = {
    [SKL_LOOP_RECOGNISED] = "auto", [SKL_LOOP_NONE] = "never", [SKL_LOOP_GIVEN] = "given", NULL};

#define AT(member) offsetof(skl_plant_options, member)
static const skl_py_field option_fields[] = {
    {"mode", SKL_PY_WORD, AT(mode), 0, 0, MODES},
    {"first", SKL_PY_COUNT, AT(working.first), 0, 0, NULL},
    {"last", SKL_PY_COUNT, AT(working.last), 0, 0, NULL},
    {"up", SKL_PY_VECTOR, AT(up), 1, AT(up_is_given), NULL},
    {"belt", SKL_PY_WORD, AT(belt), 0, 0, BELTS},
    {"belt_velocity", SKL_PY_VECTOR, AT(belt_velocity), 0, 0, NULL},
    {"sole", SKL_PY_NUMBER, AT(sole), 1, 0, NULL},
    {"align", SKL_PY_NUMBER, AT(align), 0, 0, NULL},
    {"max_slope", SKL_PY_NUMBER, AT(max_slope), 0, 0, NULL},
    {"blend", SKL_PY_NUMBER, AT(blend), 0, 0, NULL},
    {"reach", SKL_PY_WORD, AT(reach), 0, 0, REACHES},
    {"stretch", SKL_PY_NUMBER, AT(stretch), 0, 0, NULL},
    {"pelvis_acceleration", SKL_PY_NUMBER, AT(pelvis_acceleration), 0, 0, NULL},
    {"toe_bend", SKL_PY_NUMBER, AT(toe_bend), 0, 0, NULL},
    {"loop", SKL_PY_WORD, AT(loop), 0, 0, LOOPS},
    {0}};
#undef AT

int skl_py_plant_options(PyObject *options, int64_t legs, int64_t num_clip, skl_py_taken *taken,
                         skl_plant_options *out) {
    PyObject *given = skl_py_attribute(taken, options, "given");
    skl_plant_defaults(out);
    return given && skl_py_take(taken, options, option_fields, 0, out) &&
           (out->mode != SKL_CONTACTS_GIVEN || take_given(given, legs, num_clip, taken, out));
}
