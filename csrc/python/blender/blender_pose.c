/* SPDX-License-Identifier: MIT */
/* Poses as Blender evaluates them, for Python. The package hands in packed arrays of the right types. */
#include "python/base/args.h"
#include "blender_bones.h"
#include "python/base/errors.h"
#include "python/base/module.h"

#include "skelkin/blender_pose.h"

/* The output decides precision and number of frames. */
static int take_out(PyObject *value, int64_t num_bones, skl_dtype *dtype, int64_t *num_frames, void **out) {
    PyArrayObject *array = (PyArrayObject *)value;
    if (!PyArray_Check(value) || PyArray_NDIM(array) != 4 || !PyArray_ISCARRAY(array) ||
        (PyArray_TYPE(array) != NPY_FLOAT && PyArray_TYPE(array) != NPY_DOUBLE) || PyArray_DIM(array, 1) != num_bones ||
        PyArray_DIM(array, 2) != 4 || PyArray_DIM(array, 3) != 4)
        return skl_py_fail(PyExc_TypeError, "out must be packed (F, B, 4, 4) of float32 or float64");
    *dtype = PyArray_TYPE(array) == NPY_FLOAT ? SKL_FLOAT32 : SKL_FLOAT64;
    *num_frames = PyArray_DIM(array, 0);
    *out = PyArray_DATA(array);
    return 1;
}

/* Of F frames or of one that all share; None leaves it out. */
static int take_channel(PyObject *value, skl_channel *into, skl_dtype dtype, int64_t num_frames, int64_t numbers,
                        const char *name) {
    into->data = NULL;
    into->step = 0;
    if (value == Py_None) return 1;
    const int64_t frames = PyArray_Check(value) && PyArray_NDIM((PyArrayObject *)value) > 0
                               ? (int64_t)PyArray_DIM((PyArrayObject *)value, 0)
                               : 0;
    into->step = frames == 1 ? 0 : numbers;
    into->data = skl_py_flat(value, skl_type_number(dtype), (frames == 1 ? 1 : num_frames) * numbers, name);
    return into->data != NULL;
}

/* bones, modes, location, rotation, scale, out */
PyObject *skl_py_blender_pose(PyObject *const *args) {
    skl_blender_bones bones;
    skl_blender_pose_job job = {.bones = &bones};
    if (!skl_py_take_bones(&bones, args[0]) ||
        !take_out(args[5], bones.num_bones, &job.dtype, &job.num_frames, &job.out) ||
        !(job.modes = skl_py_flat(args[1], NPY_UINT8, bones.num_bones, "rotation_mode")) ||
        !take_channel(args[2], &job.location, job.dtype, job.num_frames, 3 * bones.num_bones, "location") ||
        !take_channel(args[3], &job.rotation, job.dtype, job.num_frames, 4 * bones.num_bones, "rotation") ||
        !take_channel(args[4], &job.scale, job.dtype, job.num_frames, 3 * bones.num_bones, "scale"))
        return NULL;
    PyThreadState *lock = skl_py_release(job.num_frames * bones.num_bones);
    return skl_py_none(lock, skl_blender_pose_run(&job), &job.status);
}

/* bones, pose, out */
PyObject *skl_py_blender_local(PyObject *const *args) {
    skl_blender_bones bones;
    skl_blender_local_job job = {.bones = &bones};
    if (!skl_py_take_bones(&bones, args[0]) ||
        !take_out(args[2], bones.num_bones, &job.dtype, &job.num_frames, &job.out) ||
        !take_channel(args[1], &job.pose, job.dtype, job.num_frames, 16 * bones.num_bones, "pose"))
        return NULL;
    PyThreadState *lock = skl_py_release(job.num_frames * bones.num_bones);
    return skl_py_none(lock, skl_blender_local_run(&job), &job.status);
}
