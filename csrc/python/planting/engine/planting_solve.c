/* SPDX-License-Identifier: MIT */
/* Planting some frames of a motion, for Python. The package hands in its own dataclasses and packed arrays. */
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/planting/planting_feet.h"
#include "planting_rig.h"

#include "planting/engine/solve_part.h"

#include <math.h>

/* How much is below the tips of toes, of each leg; None where that is not known yet. */
static int take_skins(PyObject *skins, skl_solve_part_job *job) {
    job->skins_are_known = skins != Py_None;
    for (Py_ssize_t k = 0; job->skins_are_known && k < (Py_ssize_t)job->rig->num_legs; k++) {
        PyObject *each = PySequence_GetItem(skins, k);
        if (!each) return 0;
        job->legs[k].skin = each == Py_None ? NAN : PyFloat_AsDouble(each);
        Py_DECREF(each);
    }
    return !PyErr_Occurred();
}

/* first, num_clip, working, alone; window, fps, blend, reach, stretch, acceleration, heights_only, rise or None, drift,
 * toe_bend, skins or None, assumed */
static int take_rest(PyObject *rest, skl_solve_part_job *job) {
    PyObject *alone, *rise, *skins;
    long long first, num_clip, working[2], window;
    int reach;
    if (!PyArg_ParseTuple(rest, "LL(LL)OLddiddpO(dd)dOp", &first, &num_clip, &working[0], &working[1], &alone, &window,
                          &job->fps, &job->blend, &reach, &job->stretch, &job->acceleration, &job->heights_only, &rise,
                          &job->drift.step, &job->drift.zero, &job->toe_bend, &skins, &job->assumed))
        return 0;
    const npy_intp num = (npy_intp)job->num_frames;
    job->first = first;
    job->num_clip = num_clip;
    job->working = (skl_span){working[0], working[1]};
    job->window = window;
    job->reach = (skl_plant_reach)reach;
    job->rise = rise == Py_None ? NAN : PyFloat_AsDouble(rise);
    return !PyErr_Occurred() && (job->alone = skl_py_over_frames(alone, "alone", NPY_BOOL, 1, &num)) &&
           take_skins(skins, job);
}

/* New arrays for a leg: hip, knee, ankle, foot, flexion, target; NULL with an exception set. */
static PyObject *room_for_leg(npy_intp num, skl_solved_leg *leg) {
    static const int ndim[6] = {2, 2, 2, 3, 1, 2};
    double **into[6] = {&leg->hip, &leg->knee, &leg->ankle, &leg->foot, &leg->flexion, &leg->target};
    PyObject *out = PyTuple_New(7);
    for (Py_ssize_t i = 0; out && i < 6; i++) {
        PyObject *array = skl_py_new_frames(ndim[i], num, NPY_DOUBLE);
        if (array) *into[i] = skl_py_data(array);
        if (!array || PyTuple_SetItem(out, i, array) < 0) Py_CLEAR(out);
    }
    return out;
}

/* New arrays for what comes out: planted, legs, body, errors, changed. */
static PyObject *room_for(skl_solve_part_job *job) {
    const npy_intp num = (npy_intp)job->num_frames, legs = (npy_intp)job->rig->num_legs;
    const npy_intp joints = (npy_intp)job->rig->skeleton->num_joints;
    const npy_intp poses[4] = {num, joints, 4, 4}, pairs[2] = {num, legs}, flags[2] = {joints, num};
    PyObject *planted = PyArray_SimpleNew(4, poses, NPY_DOUBLE), *each = PyList_New(legs);
    PyObject *body = skl_py_new_frames(2, num, NPY_DOUBLE), *errors = PyArray_SimpleNew(2, pairs, NPY_DOUBLE);
    PyObject *changed = PyArray_SimpleNew(2, flags, NPY_BOOL);
    for (npy_intp k = 0; each && k < legs; k++) {
        PyObject *leg = room_for_leg(num, &job->legs[k]);
        if (!leg || PyList_SetItem(each, k, leg) < 0) Py_CLEAR(each);
    }
    if (planted && each && body && errors && changed) {
        job->planted = skl_py_data(planted);
        job->body = skl_py_data(body);
        job->errors = skl_py_data(errors);
        job->changed = skl_py_data(changed);
        return Py_BuildValue("[NNNNN]", planted, each, body, errors, changed);
    }
    Py_XDECREF(planted);
    Py_XDECREF(each);
    Py_XDECREF(body);
    Py_XDECREF(errors);
    Py_XDECREF(changed);
    return NULL;
}

/* The skins into the tuples of the legs, and by how much the body's acceleration grew. */
static int add_numbers(const skl_solve_part_job *job, PyObject *out) {
    PyObject *legs = PyList_GetItem(out, 1);
    for (Py_ssize_t k = 0; k < (Py_ssize_t)job->rig->num_legs; k++) {
        const double skin = job->legs[k].skin;
        PyObject *number = isnan(skin) ? Py_NewRef(Py_None) : PyFloat_FromDouble(skin);
        if (!number || PyTuple_SetItem(PyList_GetItem(legs, k), 6, number) < 0) return 0;
    }
    PyObject *added = PyFloat_FromDouble(job->added);
    const int appended = added && PyList_Append(out, added) == 0;
    Py_XDECREF(added);
    return appended;
}

/* subset, local, feet (HeldFoot), ground, up, the rest: see take_rest */
PyObject *skl_py_solve_part(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("solve_part", nargs, 6)) return NULL;
    skl_py_taken taken = {0};
    skl_ground ground;
    skl_plant_rig rig;
    skl_solve_part_job job = {.rig = &rig, .ground = &ground};
    PyObject *out = NULL;
    double up[3];
    int known;
    int64_t legs, frames;
    if (skl_py_rig(module, args[0], &taken, &rig) && (job.local = skl_py_poses(args[1], &rig, &job.num_frames)) &&
        (job.stances = skl_py_held_feet(args[2], &taken, &legs, &frames)) && skl_py_vector(args[4], "up", up) &&
        skl_py_ground(args[3], up, &ground, &known)) {
        job.legs = SKL_ZEROS(&taken.arena, skl_solved_leg, legs);
        if (!job.legs)
            PyErr_NoMemory();
        else if (legs != rig.num_legs || frames != job.num_frames)
            PyErr_SetString(PyExc_ValueError, "feet: one is needed per leg, of as many frames as local has");
        else if (take_rest(args[5], &job))
            out = room_for(&job);
    }
    if (out) {
        PyThreadState *lock = skl_py_release_on(&ground, job.num_frames * 64);
        const skl_code code = skl_solve_part_run(&job);
        if (!skl_py_restore(lock) || code != SKL_OK) {
            Py_CLEAR(out);
            skl_py_raise(&job.status);
        } else if (!add_numbers(&job, out)) {
            Py_CLEAR(out);
        }
    }
    skl_py_drop(&taken);
    return out;
}
