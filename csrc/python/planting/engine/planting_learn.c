/* SPDX-License-Identifier: MIT */
/* Learning a motion and planting it, for Python. The package hands in its own dataclasses and packed arrays. */
#include "planting_rig.h"
#include "planting_scene.h"
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/objects.h"

/* --- learn ---------------------------------------------------------------------------------------------------------
 */

static int take_motion(PyObject *module, PyObject *const *args, skl_kept_planting *kept) {
    skl_plant_motion motion = {.rig = &kept->rig};
    skl_plant_options options;
    if (!skl_py_rig(module, args[0], &kept->taken, &kept->rig) ||
        !(motion.local = skl_py_poses(args[1], &kept->rig, &motion.num_frames)) ||
        !skl_py_real(args[2], "fps", &motion.fps) ||
        !skl_py_plant_options(args[3], kept->rig.num_legs, motion.num_frames, &kept->taken, &options))
        return 0;
    if (!motion.num_frames || !kept->rig.num_legs)
        return skl_py_fail(PyExc_ValueError, "local: one frame and one leg are needed at least");
    kept->planting = skl_plant_new(&motion, &options, args[4] == Py_None ? NULL : &kept->ground);
    return kept->planting || PyErr_NoMemory();
}

/* The ground of `facing`(up, leg length, frames), which the capsule then owns. */
static PyObject *face_ground(PyObject *ground, skl_kept_planting *kept) {
    const skl_planting *p = kept->planting;
    int known;
    if (ground == Py_None)
        return skl_py_ground(ground, p->scene.up, &kept->taken, &kept->ground, &known) ? Py_NewRef(Py_None) : NULL;
    const double length = skl_mean_length(p->clip_legs, kept->rig.num_legs);
    PyObject *up = skl_py_vector_array(p->scene.up);
    PyObject *faced =
        up ? PyObject_CallMethod(ground, "facing", "OdL", up, length, (long long)p->motion.num_frames) : NULL;
    Py_XDECREF(up);
    if (faced && (!skl_py_ground(faced, p->scene.up, &kept->taken, &kept->ground, &known) ||
                  !skl_py_keep(&kept->taken, Py_NewRef(faced))))
        Py_CLEAR(faced);
    return faced;
}

/* The motion's local matrices: those that were given, or those in which it is read. */
static PyObject *motion_dict(PyObject *capsule, const skl_planting *p, PyObject *given) {
    const npy_intp shape[4] = {(npy_intp)p->scene.num_frames, (npy_intp)p->motion.rig->skeleton->num_joints, 4, 4};
    return p->local == p->motion.local ? Py_NewRef(given) : skl_py_view(capsule, p->local, NPY_DOUBLE, 4, shape);
}

/* Of thigh and shin of each leg, in how many frames they have no length, and the first such moment. */
static PyObject *bone_dicts(const int64_t *no_bones, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t n = 0; list && n < count; n++, no_bones += 3)
        skl_py_put(&list, n,
                   Py_BuildValue("{s:L,s:L,s:L}", "count", (long long)no_bones[0], "first", (long long)no_bones[1],
                                 "last", (long long)no_bones[2]));
    return list;
}

static PyObject *planting_dict(PyObject *capsule, const skl_planting *p, PyObject *given, PyObject *ground) {
    const skl_scene *scene = &p->scene;
    const npy_intp legs = (npy_intp)scene->rig->num_legs, clip = (npy_intp)p->motion.num_frames,
                   num = (npy_intp)scene->num_frames;
    return Py_BuildValue(
        "{s:O,s:N,s:N,s:N,s:N,s:N,s:N,s:d,s:O,s:N,s:N,s:z,s:N,s:N}", "planting", capsule, "motion",
        motion_dict(capsule, p, given), "tracks", skl_py_track_dicts(scene->tracks, legs, num), "no_bones",
        bone_dicts(p->no_bones, 2 * legs), "clip_alone", skl_py_copy(p->clip_alone, NPY_BOOL, 1, &clip, (size_t)clip),
        "alone", skl_py_copy(scene->alone, NPY_BOOL, 1, &num, (size_t)num), "up", skl_py_vector_array(scene->up),
        "up_share", p->up_share, "ground", ground, "loop", skl_py_dict(skl_py_loop_fields, &p->loop, 0, NULL), "loops",
        PyBool_FromLong(scene->loop != NULL), "why_open", p->why_open, "velocity",
        skl_py_vector_array(scene->standing.moves ? scene->standing.velocity : NULL), "standing",
        skl_py_standing_dict(capsule, scene));
}

/* subset, local, fps, options, ground or None: what is learned, or a RefusalError */
PyObject *skl_py_learn(PyObject *module, PyObject *const *args) {
    skl_kept_planting *kept = NULL;
    PyObject *capsule = skl_py_keep_planting(args, 5, &kept), *out = NULL, *ground = NULL;
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
            out = code == SKL_OK ? planting_dict(capsule, p, args[1], ground) : skl_py_refuse(module, &status);
    }
    Py_XDECREF(ground);
    Py_XDECREF(capsule);
    return out;
}

/* --- solve ---------------------------------------------------------------------------------------------------------
 */

/* What is large is a view of the capsule, but what reports keep is copied. */
static PyObject *solved_dict(PyObject *capsule, const skl_solve_part_job *part) {
    const skl_plant_rig *rig = part->scene->rig;
    const npy_intp num = (npy_intp)part->scene->num_frames, legs = (npy_intp)rig->num_legs;
    const npy_intp joints = (npy_intp)rig->skeleton->num_joints;
    const npy_intp poses[4] = {num, joints, 4, 4}, pairs[2] = {num, legs}, flags[2] = {joints, num};
    PyObject *targets = PyList_New(legs);
    for (npy_intp k = 0; targets && k < legs; k++)
        skl_py_put(&targets, k, skl_py_frames_array(capsule, part->targets + 3 * k * num, 2, num));
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:N,s:d}", "local",
                         skl_py_view(capsule, part->planted, NPY_DOUBLE, 4, poses), "after",
                         skl_py_track_dicts(part->after, legs, num), "targets", targets, "body",
                         skl_py_frames_array(NULL, part->body, 2, num), "errors",
                         skl_py_view(capsule, part->errors, NPY_DOUBLE, 2, pairs), "changed",
                         skl_py_view(capsule, part->changed, NPY_BOOL, 2, flags), "acceleration", part->added);
}

/* capsule: when feet stand once that is settled, and what is planted */
PyObject *skl_py_settle(PyObject *module, PyObject *const *args) {
    skl_kept_planting *kept = skl_py_kept_planting(args[0]);
    skl_status status = {.code = SKL_OK};
    if (!kept) return NULL;
    skl_planting *p = kept->planting;
    PyThreadState *lock = skl_py_release_on(&kept->ground, p->scene.num_frames * 256);
    const skl_code code = skl_plant_settle(p, &status);
    if (!skl_py_restore(lock) || PyErr_Occurred()) return NULL;
    if (code != SKL_OK) return skl_py_refuse(module, &status);
    return Py_BuildValue("{s:N,s:N}", "standing", skl_py_standing_dict(args[0], &p->scene), "solved",
                         solved_dict(args[0], &p->part));
}
