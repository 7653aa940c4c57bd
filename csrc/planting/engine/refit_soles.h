/* SPDX-License-Identifier: MIT */
/* Find where feet are held flat, and fit the soles once more to these moments. The soles that come of it are those that
 * the planted clip gives too: planting it again changes nothing. */
#pragma once

#include "planting/motion/fit_foot.h"
#include "scene.h"

/* What is known of the legs; arrays are one per leg. */
typedef struct skl_refit {
    const skl_track *tracks; /* with feet as they are where the ground is level and still */
    const double *clearance; /* the sole's thickness in leg lengths; NaN where it is not known */
    const skl_spans *flat;   /* the parts of contacts in which the foot may be flat */
    const uint8_t *own;      /* num_frames: those that are the clip's own, and not of a cycle's other rounds */
    uint8_t *const *still;   /* num_frames: likely flat; afterwards those that the soles are fitted to */
} skl_refit;

/* Set the scene's holds and models. */
skl_code skl_hold_and_refit(skl_scene *scene, const skl_refit *refit);

/* What a foot is fitted with that is turned so. 0 where memory failed. */
int skl_fit_turned(const skl_scene *scene, const skl_track *level, const double *turn, const uint8_t *still,
                   const skl_fit_hints *hints, skl_foot_model *out);
