/* SPDX-License-Identifier: MIT */
/* The problem of smooth_paths.h in numbers: a banded quadratic of what is unknown, and bounds on it.
 *
 * Unknowns are counted in lengths, frame by frame: the body's numbers, then those of each ankle that does not stand,
 * then the calm parts of the knees' changes in radians, as many to a place as it has numbers. */
#pragma once

#include "smooth_paths.h"

/* A bound at the places of now: `value` <= 0 where it is kept. Its slope is, at the unknowns from index[i] on,
 * factor[i] times `direction`; it bends by `curvature` across that direction. */
typedef struct skl_path_bound {
    double value;
    double most; /* what it may push with before it gives way */
    double curvature;
    double direction[3];
    double factor[3];
    int64_t index[3];
    int count;
    int64_t number; /* the same in every look */
} skl_path_bound;

typedef struct skl_paths_problem {
    const skl_smooth_paths_job *job;
    int64_t frames, parts; /* the body, the legs' ankles, and places of calm parts */
    int dims;              /* numbers per place: three, or one along up */
    double basis[3][3];
    double rate2;               /* 1 / frame_time^2 */
    int64_t size;               /* unknowns */
    int64_t per_frame, numbers; /* bounds that there may be, in a frame and in all */
    int64_t *place;             /* frames x parts: where its unknowns begin, or -1 */
    int64_t *first;             /* frames + 1: how many unknowns earlier frames have */
    int64_t *start;             /* size + 1: where its column of the band begins, see kernels/planting/banded.h */
    double *known;              /* frames x parts x 3: offsets of what is held, calm parts that are known, else 0 */
    double *knee;               /* frames x legs x 5: how flexion grows with b - o, what it is to be, and what noise in
                                 * its change costs */
    double *reach;              /* frames x legs x 4: from ankle to hip, and how far that may be */
    double *band;               /* start[size]: the quadratic */
    double *linear;             /* size: its slope where all unknowns are 0 */
} skl_paths_problem;

/* 1, or 0 where there is no memory; to be closed in both cases. */
int skl_paths_open(skl_paths_problem *problem, const skl_smooth_paths_job *job);
void skl_paths_close(skl_paths_problem *problem);

/* The bounds at these unknowns that are `awake` (numbers; not 0), or are near to being broken now, room for `numbers`;
 * returns how many there are. */
int64_t skl_paths_bounds(const skl_paths_problem *problem, const double *unknowns, const int64_t *awake,
                         skl_path_bound *out);

/* The objective at these unknowns. */
double skl_paths_objective(const skl_paths_problem *problem, const double *unknowns);

/* Where the job keeps what a bound pushes with; it has `before`. */
double *skl_paths_force(const skl_paths_problem *problem, int64_t number);

/* Begin where the job was solved before; 0 if it was not. */
int skl_paths_read(const skl_paths_problem *problem, double *unknowns);

/* Fill in the job's body and offsets, and the places of `before`. */
void skl_paths_write(const skl_paths_problem *problem, const double *unknowns);
