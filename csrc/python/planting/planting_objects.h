/* SPDX-License-Identifier: MIT */
/* The package's dataclasses of planting as the structs of csrc/planting/, and spans both ways. What is read lives as
 * long as `taken`. Functions return 1, or 0 with an exception set. */
#pragma once

#include "python/base/packed.h"

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

/* --- named fields: attributes of Python's objects as a struct, and a struct as a dict ------------------------------
 */

/* What a field of a struct is, and what that is in Python. */
typedef enum skl_py_kind {
    SKL_PY_NUMBER,   /* double: float */
    SKL_PY_COUNT,    /* int64_t: int */
    SKL_PY_FLAG,     /* int: bool */
    SKL_PY_WORD,     /* int or an enum, the number of one of `words`: str */
    SKL_PY_VECTOR,   /* double[3]: (3,) array */
    SKL_PY_MATRIX,   /* double[16]: (4, 4) array */
    SKL_PY_NUMBERS,  /* of frames: (F,) array, */
    SKL_PY_VECTORS,  /* (F, 3), */
    SKL_PY_MATRICES, /* (F, 3, 3) */
} skl_py_kind;

typedef struct skl_py_field {
    const char *name;
    skl_py_kind kind;
    size_t offset;
    int optional;             /* None is NaN, or NULL of what is over frames, */
    size_t has;               /* or 0 in an int at this offset, unless that is 0 */
    const char *const *words; /* NULL ends them */
} skl_py_field;

/* The attributes that `fields` name, the last of which has no name, into the struct `out`; over so many frames. */
int skl_py_take(skl_py_taken *taken, PyObject *object, const skl_py_field *fields, int64_t num_frames, void *out);

/* The struct `from` as a dict of these fields; what is over frames as a view of what `owner` keeps, or a copy where
 * that is NULL. A list of them, of `count` structs of a size. NULL with an exception set. */
PyObject *skl_py_dict(const skl_py_field *fields, const void *from, int64_t num_frames, PyObject *owner);
PyObject *skl_py_dicts(const skl_py_field *fields, const void *from, size_t size, int64_t count, int64_t num_frames);

/* Of LegTrack, FootModel, Foothold. */
extern const skl_py_field skl_py_track_fields[], skl_py_model_fields[], skl_py_foothold_fields[];

int skl_py_track(PyObject *object, skl_py_taken *taken, skl_track *out);
int skl_py_foot_model(PyObject *object, skl_py_taken *taken, skl_foot_model *out);

/* Foothold; None where the ground is level and keeps still: then `*known` is 0. */
int skl_py_foothold(PyObject *object, int64_t num_frames, skl_py_taken *taken, skl_foothold *out, int *known);

/* Numbers as lists. */
PyObject *skl_py_number_list(const double *numbers, int64_t count);
PyObject *skl_py_count_list(const int64_t *counts, int64_t count);

/* Numbers over frames as an array of doubles: a view of what `owner` keeps, or a copy. */
PyObject *skl_py_frames_array(PyObject *owner, const double *numbers, int ndim, int64_t num_frames);

/* Sequences of such, `count` where that is not -1, else any number; all tracks have as many frames. */
skl_track *skl_py_tracks(PyObject *sequence, skl_py_taken *taken, Py_ssize_t *count);
skl_foot_model *skl_py_foot_models(PyObject *sequence, skl_py_taken *taken, Py_ssize_t count);
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

/* A Ground: level ones are not queried again, any other is queried with the lock held, which jobs on it must keep:
 * skl_py_release_on does so. None: no ground, `out` is that of a level plane at height 0 and `*known` 0. */
int skl_py_ground(PyObject *object, const double up[3], skl_py_taken *taken, skl_ground *out, int *known);
PyThreadState *skl_py_release_on(const skl_ground *ground, int64_t work);
