/* SPDX-License-Identifier: MIT */
/* Blender's bones at rest, handed in as packed arrays of the right types. */
#pragma once

#include "python/base/args.h"

#include "skelkin/blender_pose.h"

/* Data of a packed array of `size` numbers of the type, or NULL and a TypeError. */
const void *skl_py_flat(PyObject *value, int type, int64_t size, const char *name);
/* From (parents, rest, axes, offsets, lengths, connected, inherit_rotation, local_location, inherit_scale). */
int skl_py_take_bones(skl_blender_bones *bones, PyObject *tuple);
