/* SPDX-License-Identifier: MIT */
/* Soles, fitted to the frames in which feet stand flat. `arena` says whether it had the memory. */
#pragma once

#include "planting/curves/arena.h"
#include "tracks.h"

/* What is known of a foot beside its motion. */
typedef struct skl_fit_hints {
    double clearance;      /* the sole's thickness in leg lengths from the rest pose; NaN where it is not known */
    double raised;         /* how much higher than its fellows this foot stands, in leg lengths, where that is taken for
                              a thicker sole, not for a fault of the motion */
    const double *rest_up; /* up in the foot joint's frame as the rest pose says it, for a foot that never stands flat;
                              else NULL */
} skl_fit_hints;

/* `still` (num_frames): where the foot most likely stands flat, in at least one frame. */
void skl_fit_foot(const skl_track *track, const double up[3], const uint8_t *still, const skl_fit_hints *hints,
                  skl_arena *arena, skl_foot_model *out);

/* Of the frames in which each foot is `still` those in which its heel is not up, in place. What is flat is seen from
 * all feet that are alike; a foot that never is so for long keeps all of its frames. */
void skl_without_tiptoe(int64_t num_legs, const skl_track *tracks, const double up[3], double fps, skl_arena *arena,
                        uint8_t *const *still);

/* Where the ball of the foot is, num_frames x 3; the ankle, where it has none. */
void skl_ball_path(const skl_track *track, double *out);
