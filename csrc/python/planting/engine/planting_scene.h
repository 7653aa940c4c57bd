/* SPDX-License-Identifier: MIT */
/* What is known of a motion, kept for Python between calls. */
#pragma once

#include "python/planting/planting_objects.h"

#include "planting/engine/planting_state.h"

/* What is learned of a motion, or of parts of it, and all that it points to. */
typedef struct skl_kept_planting {
    skl_planting *planting;
    skl_plant_rig rig;
    skl_ground ground; /* where it is given */
    skl_py_taken taken;
} skl_kept_planting;

/* A capsule of what was learned of nothing yet; it keeps `args`. NULL with an exception set, here and below. */
PyObject *skl_py_keep_planting(PyObject *const *args, Py_ssize_t count, skl_kept_planting **out);
skl_kept_planting *skl_py_kept_planting(PyObject *capsule);

/* A vector; None where it is NULL or NaN. */
PyObject *skl_py_vector_array(const double *vector);

/* Copies of tracks, as fields of LegTrack. */
PyObject *skl_py_track_dicts(const skl_track *tracks, int64_t legs, int64_t num_frames);

/* When feet stand and how they are held. */
PyObject *skl_py_standing_dict(PyObject *capsule, const skl_scene *scene);

/* Raise what `status` says: of a bad value a RefusalError, whose argument, index, value and rule the package puts into
 * the names of legs and joints. Returns NULL. */
PyObject *skl_py_refuse(PyObject *module, const skl_status *status);
