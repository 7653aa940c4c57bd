/* SPDX-License-Identifier: MIT */
/* What a motion says of its legs: their tracks, with balls of feet and hinges of knees as all of it shows. */
#pragma once

#include "planting/curves/arena.h"
#include "planting/motion/read_legs.h"
#include "planting/motion/tracks.h"
#include "skelkin/planting.h"

#define SKL_LEG_SIZE "it must lie within 1e-50 to 1e50 of the clip's units: scale the clip"

typedef struct skl_read_tracks_job {
    const skl_plant_rig *rig;
    int64_t num_frames;
    const double *local; /* num_frames x num_joints x 16 */
    skl_arena *arena;    /* of the tracks' numbers */
    skl_track *tracks;   /* out: one per leg */
    int64_t *no_bones;   /* out, num_legs x 2 x 3: of thigh and shin, in how many frames they have no length, and
                          * the first and last frame of the first such moment; NULL where it is not wanted */
    skl_read_leg *legs;  /* the joints' motion in `local`, if it was read already, as skl_flat_frames does */
    skl_status status;
} skl_read_tracks_job;

skl_code skl_read_tracks_run(skl_read_tracks_job *job);

/* Flags of the frames in which a foot is scaled to nothing; of none where that is all of them. */
skl_code skl_flat_frames(skl_read_tracks_job *job, uint8_t *out);

/* The same legs in other motion: what `like` says of the whole is kept. */
skl_code skl_read_tracks_like(const skl_plant_rig *rig, int64_t num_frames, const double *local, const skl_track *like,
                              skl_arena *arena, skl_track *out, skl_status *status);

/* Which frame's pose each frame gets where lone ones take that of the nearest frame of the motion, halves to even. */
void skl_nearest_real(const uint8_t *alone, int64_t num_frames, int64_t *out);
