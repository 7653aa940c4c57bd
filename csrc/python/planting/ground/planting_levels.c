/* SPDX-License-Identifier: MIT */
/* At which heights feet stand, for Python. The package hands in its own dataclasses. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/planting/planting_objects.h"

#include "planting/ground/levels.h"

#include <math.h>

/* tracks, models, contacts, up */
static int take_feet(PyObject *const *args, skl_py_taken *taken, double up[3], skl_feet *out) {
    Py_ssize_t count = -1;
    out->up = up;
    if (!(out->tracks = skl_py_tracks(args[0], taken, &count)) ||
        !(out->models = skl_py_foot_models(args[1], taken, count)))
        return 0;
    out->num_legs = count;
    out->num_frames = count ? out->tracks[0].num_frames : 0;
    return (out->contacts = skl_py_span_lists(args[2], "contacts", out->num_frames, &taken->arena, count)) &&
           skl_py_vector(args[3], "up", up);
}

/* tracks, models, contacts, up */
PyObject *skl_py_lowest_sole(PyObject *const *args) {
    skl_py_taken taken = {0};
    skl_feet feet;
    double lowest = INFINITY, up[3];
    int done = take_feet(args, &taken, up, &feet);
    double *heights = done ? SKL_TAKE(&taken.arena, double, feet.num_frames) : NULL;
    for (int64_t k = 0; done && k < feet.num_legs; k++) {
        done = heights && skl_sole_heights(&feet.tracks[k], &feet.models[k].sole, feet.up, &taken.arena, heights);
        for (int64_t f = 0; done && f < feet.num_frames; f++) lowest = fmin(lowest, heights[f]);
    }
    const int failed = taken.arena.failed;
    skl_py_drop(&taken);
    if (failed) return PyErr_NoMemory();
    return done ? PyFloat_FromDouble(lowest) : NULL;
}
