/* SPDX-License-Identifier: MIT */
/* What feet stand on, asked for many points at once. Heights are along up; NaN is where there is no ground. */
#ifndef SKL_GROUND_H
#define SKL_GROUND_H

#include <math.h>
#include <stdint.h>

/* What is known below points. */
typedef struct skl_footing {
    double *heights;  /* num */
    double *normals;  /* num x 3, unit vectors; NULL where nobody asks */
    int64_t *surface; /* num: what each belongs to, for `carry`; NULL where nobody asks */
} skl_footing;

/* The answers of a ground return 0, or another number where they failed: the job then ends with SKL_STOPPED. */
typedef struct skl_ground {
    double up[3];
    int is_level; /* whether it is a level plane that keeps still */
    double level; /* its height */
    int moves;    /* whether it carries what stands on it */
    void *context;
    /* The ground below `points` (num x 3), each in its frame; of a level plane it is not asked. */
    int (*below)(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out);
    /* Where points of its surfaces are in other frames; asked where it moves. */
    int (*carry)(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
                 const int64_t *to, double *out);
} skl_ground;

/* The same of any ground. */
int skl_ground_below(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames,
                     const skl_footing *out);

/* How far above the ground points are; infinity where there is none. */
int skl_ground_above(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames, double *out);

/* Where they are in other frames; the same points of ground that keeps still. */
int skl_ground_carry(const skl_ground *ground, int64_t num, const double *points, const int64_t *surface,
                     const int64_t *from, const int64_t *to, double *out);

#endif
