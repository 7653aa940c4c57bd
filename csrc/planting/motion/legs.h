/* SPDX-License-Identifier: MIT */
/* Legs over all frames: what changed, how well feet stand in their contacts. In double; nothing here can fail.
 *
 *   skl_seen_from          where points are as moving frames see them
 *   skl_turn_ends          local matrices of feet that are turned in space
 *   skl_changed_frames     which frames of a joint differ
 *   skl_measure_contacts   slide, travel, penetration and float of contacts
 *
 * Vectors of frames are packed, num_frames x 3. Outputs may be no inputs. */
#pragma once

#include "planting/curves/spans.h"

/* Points relative to origins, along axes, num_frames x 9, whose columns they are; returns the first frame in which
 * these span a volume of 0, or one that is not finite, else num_frames. */
int64_t skl_seen_from(int64_t num_frames, const double *axes, const double *origins, const double *points, double *out);

/* In frames whose rotation vector is not 0, the linear part of joint `end` in `pose` becomes that of its turned global
 * matrix, relative to joint `parent`. `globals` and `pose` are num_frames x num_joints x 16. */
void skl_turn_ends(int64_t num_frames, int64_t num_joints, int64_t end, int64_t parent, const double *vectors,
                   const double *globals, double *pose);

/* 1 per frame in which the matrix of a joint differs; matrices are num_frames x num_joints x 16. */
void skl_changed_frames(int64_t num_frames, int64_t num_joints, int64_t joint, const double *before,
                        const double *after, uint8_t *out);

/* One contact of a foot; lengths in the unit of the steps. */
typedef struct skl_contact_measure {
    double slide;       /* greatest distance of the pivot from where it touched down */
    double slide_mean;  /* that distance, mean over the frames */
    double travel;      /* length of the pivot's path */
    double penetration; /* of the sole's deepest point, >= 0 */
    double floating;    /* height of the sole's highest moment, >= 0 */
} skl_contact_measure;

/* `steps`: of the pivot, from each frame to the next; `heights`: of the sole in each frame; `rises`: how far above the
 * ground each contact stands. */
void skl_measure_contacts(const double *steps, const double *heights, skl_spans contacts, const double *rises,
                          skl_contact_measure *out);
