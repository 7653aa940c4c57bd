/* SPDX-License-Identifier: MIT */
/* Segments along the curve of a bendy bone, in its own space: head at the origin, tail at (0, length, 0). */
#ifndef SKELKIN_BLENDER_BBONES_H
#define SKELKIN_BLENDER_BBONES_H

#include "skelkin/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a bone bends in one frame. Pairs are of its start and its end. */
typedef struct skl_bend {
    double length;
    double direction[2][3]; /* of length 1, along which the curve leaves and arrives */
    double ease[2];         /* stretches the tangents */
    double roll[2];
    double offset[2][2]; /* added to the ends of the tangents, in x and z */
    double size[2][3];   /* of the segments; in y, of their lengths */
    double scale[3];     /* of the space, which is taken out of the frames; never 0 */
} skl_bend;

/* Numbers of a bend, for who has them in an array. */
#define SKL_BEND_NUMBERS 24

typedef struct skl_bbone_job {
    int64_t num_frames;   /* 0: nothing is done */
    int32_t num_segments; /* 2 .. SKL_MOST_SEGMENTS */
    const skl_bend *bends;
    double *out; /* num_frames x (num_segments + 1) x 16: where each segment begins, and the last one ends */
    skl_status status;
} skl_bbone_job;

#define SKL_MOST_SEGMENTS 32

skl_code skl_bbone_run(skl_bbone_job *job);

#ifdef __cplusplus
}
#endif

#endif
