/* SPDX-License-Identifier: MIT */
/* Bezier segments of F-curves on many frames at a time. */
#pragma once

#include "cubic_root.h"
#include "skelkin/blender_fcurves.h"

/* The segment that ends with the key `to`: frames and values are cubics of 0 ... 1. */
typedef struct skl_bezier {
    const skl_fcurve_key *to;
    int constant; /* all of it has the value value[0] */
    float time, value[4];
    skl_cubic frames;
} skl_bezier;

/* Frames whose values are not known yet, at most SKL_CUBICS of them. */
typedef struct skl_bezier_frames {
    int num_segments, count;
    skl_bezier segments[SKL_CUBICS];
    const skl_cubic *cubics[SKL_CUBICS]; /* per frame */
    const float *values[SKL_CUBICS];
    float constants[SKL_CUBICS];
    float *into[SKL_CUBICS];
} skl_bezier_frames;

/* Note a frame between the two keys, and where its value goes. */
void skl_bezier_add(skl_bezier_frames *some, const skl_fcurve_key *from, const skl_fcurve_key *to, float frame,
                    float *into);

/* Write the values of all that was noted. */
void skl_bezier_run(skl_bezier_frames *some);
