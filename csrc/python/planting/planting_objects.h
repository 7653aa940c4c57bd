/* SPDX-License-Identifier: MIT */
/* The package's dataclasses of planting as the structs of csrc/planting/, and spans both ways. What is read lives as
 * long as `taken`. Functions return 1, or 0 with an exception set. */
#ifndef SKL_PLANTING_OBJECTS_H
#define SKL_PLANTING_OBJECTS_H

#include "planting_args.h"

#include "planting/curves/arena.h"
#include "planting/curves/spans.h"
#include "planting/ground/foothold.h"
#include "planting/ground/ground.h"
#include "planting/motion/tracks.h"

/* What a call takes until skl_py_drop: memory, and the objects whose numbers it reads. An attribute may be computed
 * each time it is read, so that nothing else keeps what it returns. Zeroed: nothing is taken. */
typedef struct skl_py_taken {
    skl_arena arena;
    PyObject *owned; /* a list */
} skl_py_taken;

/* Keep `value`, whose reference is taken over; NULL stays NULL. Returns it, borrowed, or NULL with an exception set. */
PyObject *skl_py_keep(skl_py_taken *taken, PyObject *value);
PyObject *skl_py_attribute(skl_py_taken *taken, PyObject *object, const char *name);
void skl_py_drop(skl_py_taken *taken);

/* LegTrack, FootModel. */
int skl_py_track(PyObject *object, skl_py_taken *taken, skl_track *out);
int skl_py_foot_model(PyObject *object, skl_foot_model *out);

/* Foothold; None where the ground is level and keeps still: then `*known` is 0. */
int skl_py_foothold(PyObject *object, int64_t num_frames, skl_py_taken *taken, skl_foothold *out, int *known);

/* Sequences of such, `count` where that is not -1, else as many as there are; all tracks have as many frames. */
skl_track *skl_py_tracks(PyObject *sequence, skl_py_taken *taken, Py_ssize_t *count);
skl_foot_model *skl_py_foot_models(PyObject *sequence, skl_arena *arena, Py_ssize_t count);
/* Spans of each of `count` legs. */
skl_spans *skl_py_span_lists(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena,
                             Py_ssize_t count);
/* One sequence of (first, last). */
int skl_py_take_spans(PyObject *sequence, const char *name, int64_t num_frames, skl_arena *arena, skl_spans *out);

/* A list of (first, last), and a list of such lists. */
PyObject *skl_py_span_list(skl_spans spans);
PyObject *skl_py_lists_of_spans(const skl_spans *spans, Py_ssize_t count);

/* What a job made, if it is done; else nothing, and an exception: the one that stopped it, or that memory failed. Takes
 * the lock again, and gives back what the job took. */
PyObject *skl_py_finished(PyThreadState *lock, PyObject *out, int done, skl_py_taken *taken);

/* An attribute that is None, or a vector (3,): `*has` says which. */
int skl_py_optional_vector(PyObject *object, const char *name, double out[3], int *has);
/* An attribute that is a number; NaN where `none` is set and it is None. */
int skl_py_number(PyObject *object, const char *name, int none, double *out);
/* An attribute as 0 or 1. */
int skl_py_flag(PyObject *object, const char *name, int *out);

/* A Ground: level ones are not asked again, any other is asked with the lock held, which jobs on it must keep:
 * skl_py_release_on does so. None: no ground, `out` is that of a level plane at height 0 and `*known` 0. */
int skl_py_ground(PyObject *object, const double up[3], skl_ground *out, int *known);
PyThreadState *skl_py_release_on(const skl_ground *ground, int64_t work);

#endif
