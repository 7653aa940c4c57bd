/* SPDX-License-Identifier: MIT */
/* Contacts of a part of a motion, and the ground under them. */
#pragma once

#include "scene.h"

/* Cut contacts to a range, and to the frames further than `window` from lone ones; of a longer one a single frame is no
 * contact. 0 where memory failed. */
int skl_contacts_in_range(skl_spans contacts, skl_span range, const uint8_t *alone, int64_t num_frames, int64_t window,
                          skl_arena *arena, skl_spans *out);

/* Spans, extended wherever one of the others overlaps them, and those of the others that overlap none; neither overlap
 * among themselves. 0 where memory failed. */
int skl_joined_spans(skl_spans own, skl_spans more, skl_arena *arena, skl_spans *out);

/* The legs' motion with feet as they are where the ground is level and still; NULL where memory failed. */
skl_track *skl_level_tracks(const skl_track *tracks, int64_t legs, const skl_foothold *const *footholds,
                            skl_arena *arena);

/* The clip's own frame: of a loop that is planned unrolled, the one that comes again there. */
int64_t skl_clip_frame(const skl_scene *scene, int64_t frame);
