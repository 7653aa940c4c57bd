/* SPDX-License-Identifier: MIT */
/* How a standing foot turns: held at its mean rotation where it is flat, so that neither ankle nor ball creeps; rolling
 * about heel or ball elsewhere. `arena` says whether it had the memory. */
#pragma once

#include "planting/curves/arena.h"
#include "tracks.h"

/* How a foot turns from frame to frame, whatever its sole. */
typedef struct skl_foot_spin {
    double *axes;     /* num_frames x 9: the foot's rotation, without its scale */
    uint8_t *slow;    /* where it turns slowly enough to stand */
    uint8_t *resting; /* where it is, to rounding, that of the frame before or after: it is held already */
} skl_foot_spin;

void skl_read_spin(const skl_track *track, double fps, skl_arena *arena, skl_foot_spin *out);

/* A standing foot. */
typedef struct skl_flat_foot {
    const skl_track *track;
    const skl_foot_model *model;
    const skl_foot_spin *spin;
    skl_spans contacts; /* rising */
    const double *up;
    double fps;
    int64_t window; /* frames over which a turn fades outside the held moments */
} skl_flat_foot;

/* Find where it is flat and still, and the turn that holds it there. */
void skl_hold_flat(const skl_flat_foot *foot, skl_arena *arena, skl_hold *out);

/* The half of the frames in contact in which a foot turns least, by its rotation alone. */
void skl_calmest(const skl_foot_spin *spin, int64_t num_frames, skl_spans contacts, skl_arena *arena, uint8_t *out);
