/* SPDX-License-Identifier: MIT */
/* Learning a motion and planting it, for Python. The package hands in its own dataclasses and packed arrays. */
#include "planting_loop.h"
#include "planting_options.h"
#include "planting_rig.h"
#include "planting_scene.h"
#include "python/base/args.h"
#include "python/base/errors.h"
#include "python/base/module.h"
#include "python/base/objects.h"

#include <math.h>
#include <string.h>

/* What learning can stop at, for skelkin_py/planting/read_scene.py. */
enum { LEARNED, STOPPED_AT_LEGS, STOPPED_AT_UP, STOPPED_AT_LOOP, STOPPED_AT_SCENE };

/* --- learn ---------------------------------------------------------------------------------------------------------
 */

static int take_motion(PyObject *module, PyObject *const *args, skl_kept_planting *kept) {
    skl_plant_motion motion = {.rig = &kept->rig};
    skl_plant_options options;
    if (!skl_py_rig(module, args[0], &kept->taken, &kept->rig) ||
        !(motion.local = skl_py_poses(args[1], &kept->rig, &motion.num_frames)) ||
        !skl_py_real(args[2], "fps", &motion.fps) ||
        !skl_py_plant_options(args[3], kept->rig.num_legs, motion.num_frames, &kept->taken.arena, &options))
        return 0;
    if (!motion.num_frames || !kept->rig.num_legs) {
        PyErr_SetString(PyExc_ValueError, "local: one frame and one leg are needed at least");
        return 0;
    }
    kept->planting = skl_plant_new(&motion, &options, args[4] == Py_None ? NULL : &kept->ground);
    return kept->planting || PyErr_NoMemory();
}

/* The ground of `facing`(up, leg length, frames), which the capsule then owns. */
static PyObject *face_ground(PyObject *ground, skl_kept_planting *kept) {
    const skl_planting *p = kept->planting;
    int known;
    if (ground == Py_None) return skl_py_ground(ground, p->scene.up, &kept->ground, &known) ? Py_NewRef(Py_None) : NULL;
    const double length = skl_mean_length(p->clip_legs, kept->rig.num_legs);
    PyObject *up = skl_py_told_vector(p->scene.up);
    PyObject *faced =
        up ? PyObject_CallMethod(ground, "facing", "OdL", up, length, (long long)p->motion.num_frames) : NULL;
    Py_XDECREF(up);
    if (faced &&
        (!skl_py_ground(faced, p->scene.up, &kept->ground, &known) || !skl_py_keep(&kept->taken, Py_NewRef(faced))))
        Py_CLEAR(faced);
    return faced;
}

/* Which fault, and what to say about it; or an exception. */
static PyObject *told_stop(const skl_planting *p, const skl_status *status) {
    const skl_scene *scene = &p->scene;
    const int refused = status->code == SKL_BAD_VALUE;
    if (refused && p->trouble.fault) return Py_BuildValue("iN", STOPPED_AT_LEGS, skl_py_told_trouble(&p->trouble));
    if (refused && !p->clip_legs) return skl_py_raise(status);
    if (refused && !p->has_up) return Py_BuildValue("iO", STOPPED_AT_UP, Py_None);
    if (refused && scene->fault)
        return Py_BuildValue("i(iLLN(ddd))", STOPPED_AT_SCENE, (int)scene->fault, (long long)scene->fault_leg,
                             (long long)scene->fault_frame, skl_py_told_vector(scene->up), scene->tracks[0].ankle[0],
                             scene->tracks[0].ankle[1], scene->tracks[0].ankle[2]);
    if (refused && p->loop_fault) return Py_BuildValue("i(id)", STOPPED_AT_LOOP, (int)p->loop_fault, p->loop.gap);
    return skl_py_raise(status);
}

static PyObject *told_bytes(const uint8_t *flags, int64_t count) {
    const npy_intp num = (npy_intp)count;
    PyObject *out = PyArray_SimpleNew(1, &num, NPY_BOOL);
    if (out) memcpy(skl_py_data(out), flags, (size_t)count);
    return out;
}

/* The motion's local matrices: those that were given, or those in which it is read. */
static PyObject *told_motion(PyObject *capsule, const skl_planting *p, PyObject *given) {
    const npy_intp shape[4] = {(npy_intp)p->scene.num_frames, (npy_intp)p->motion.rig->skeleton->num_joints, 4, 4};
    return p->local == p->motion.local ? Py_NewRef(given) : skl_py_view(capsule, p->local, NPY_DOUBLE, 4, shape);
}

/* capsule, motion, tracks, no_bones, lone frames of the clip and of the motion; up, its share, ground; whether it is a
 * loop, the loop, why it is left open; contacts that were found, velocity or None, on_ground; what skl_py_told_scene
 * tells */
static PyObject *told_planting(PyObject *capsule, const skl_planting *p, PyObject *given, PyObject *ground) {
    const skl_scene *scene = &p->scene;
    const int64_t legs = scene->rig->num_legs;
    return Py_BuildValue("i(ONNNNNNdOONiNNON)", LEARNED, capsule, told_motion(capsule, p, given),
                         skl_py_told_tracks(scene->tracks, legs, scene->num_frames),
                         skl_py_told_counts(p->no_bones, 6 * legs), told_bytes(p->clip_alone, p->motion.num_frames),
                         told_bytes(scene->alone, scene->num_frames), skl_py_told_vector(scene->up), p->up_share,
                         ground, scene->loop ? Py_True : Py_False, skl_py_told_loop(&p->loop), (int)p->loop_fault,
                         skl_py_lists_of_spans(scene->standing.contacts, (Py_ssize_t)legs),
                         skl_py_told_vector(scene->standing.moves ? scene->standing.velocity : NULL),
                         scene->standing.on_ground ? Py_True : Py_False, skl_py_told_scene(capsule, scene));
}

/* subset, local, fps, options (see skl_py_plant_options), ground or None: LEARNED and what told_planting tells, or what
 * stands in the way and what is known of that */
PyObject *skl_py_learn(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    if (!skl_py_arity("learn", nargs, 5)) return NULL;
    skl_kept_planting *kept = NULL;
    PyObject *capsule = skl_py_keep_planting(args, nargs, &kept), *out = NULL, *ground = NULL;
    skl_status status = {.code = SKL_OK};
    if (capsule && take_motion(module, args, kept)) {
        skl_planting *p = kept->planting;
        PyThreadState *lock = skl_py_release(p->motion.num_frames * 8 * kept->rig.num_legs);
        skl_code code = skl_plant_read_motion(p, &status);
        if (!skl_py_restore(lock)) {
            Py_DECREF(capsule);
            return NULL;
        }
        if (code == SKL_OK && (ground = face_ground(args[4], kept))) {
            lock = skl_py_release_on(&kept->ground, p->motion.num_frames * 64);
            code = skl_plant_read_contacts(p, &status);
            if (!skl_py_restore(lock)) code = SKL_STOPPED;
        }
        if (!PyErr_Occurred())
            out = code == SKL_OK ? told_planting(capsule, p, args[1], ground) : told_stop(p, &status);
    }
    Py_XDECREF(ground);
    Py_XDECREF(capsule);
    return out;
}

/* --- solve ---------------------------------------------------------------------------------------------------------
 */

/* planted, legs, body, errors, changed, added, as skl_py_solve_part tells: what is large is a view of the capsule, but
 * what reports keep is copied. */
static PyObject *told_solved(PyObject *capsule, const skl_solve_part_job *part) {
    const npy_intp num = (npy_intp)part->num_frames, legs = (npy_intp)part->rig->num_legs;
    const npy_intp joints = (npy_intp)part->rig->skeleton->num_joints;
    const npy_intp poses[4] = {num, joints, 4, 4}, pairs[2] = {num, legs}, flags[2] = {joints, num};
    PyObject *each = PyList_New(legs);
    for (npy_intp k = 0; each && k < legs; k++) {
        const skl_solved_leg *leg = &part->legs[k];
        PyObject *skin = isnan(leg->skin) ? Py_NewRef(Py_None) : PyFloat_FromDouble(leg->skin);
        PyObject *own = Py_BuildValue(
            "NNNNNNN", skl_py_told_frames(NULL, leg->hip, 2, num), skl_py_told_frames(NULL, leg->knee, 2, num),
            skl_py_told_frames(NULL, leg->ankle, 2, num), skl_py_told_frames(NULL, leg->foot, 3, num),
            skl_py_told_frames(NULL, leg->flexion, 1, num), skl_py_told_frames(capsule, leg->target, 2, num), skin);
        if (!own || PyList_SetItem(each, k, own) < 0) Py_CLEAR(each);
    }
    return Py_BuildValue("NNNNNd", skl_py_view(capsule, part->planted, NPY_DOUBLE, 4, poses), each,
                         skl_py_told_frames(NULL, part->body, 2, num),
                         skl_py_view(capsule, part->errors, NPY_DOUBLE, 2, pairs),
                         skl_py_view(capsule, part->changed, NPY_BOOL, 2, flags), part->added);
}

/* capsule: contacts that were found, what skl_py_told_scene tells, what told_solved tells; or a fault, as of learn */
PyObject *skl_py_settle(PyObject *module, PyObject *const *args, Py_ssize_t nargs) {
    (void)module;
    skl_kept_planting *kept = skl_py_arity("settle", nargs, 1) ? skl_py_kept_planting(args[0]) : NULL;
    skl_status status = {.code = SKL_OK};
    if (!kept) return NULL;
    skl_planting *p = kept->planting;
    PyThreadState *lock = skl_py_release_on(&kept->ground, p->scene.num_frames * 256);
    const skl_code code = skl_plant_settle(p, &status);
    if (!skl_py_restore(lock) || PyErr_Occurred()) return NULL;
    if (code != SKL_OK) return told_stop(p, &status);
    return Py_BuildValue("i(NNN)", LEARNED,
                         skl_py_lists_of_spans(p->scene.standing.contacts, (Py_ssize_t)kept->rig.num_legs),
                         skl_py_told_scene(args[0], &p->scene), told_solved(args[0], &p->part));
}
