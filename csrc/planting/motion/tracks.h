/* SPDX-License-Identifier: MIT */
/* What planting knows of a leg: its motion, its sole, when it stands and how it is held. Vectors of frames are packed,
 * num_frames x 3; matrices row by row, num_frames x 9. Lengths are in the clip's units. */
#pragma once

#include "planting/curves/spans.h"
#include "soles.h"

/* Global motion of one leg. */
typedef struct skl_track {
    int64_t num_frames;
    const double *hip, *knee, *ankle;
    const double *foot;    /* linear part of the foot joint's global matrix */
    const double *flexion; /* num_frames: of the knee about its hinge, degrees */
    double ball[3];        /* in the foot joint's frame */
    double marker[3];      /* a joint that marks the heel, there */
    double rest_up[3];     /* up in a rest pose that stands, there */
    double hinge[3];       /* the knee's axis in the axes of the thigh; 0 0 0 where it is unknown */
    double length;         /* thigh and shin: the median over the clip */
    int has_ball, has_marker, has_rest_up;
    int bends; /* whether the ball is a joint */
} skl_track;

/* The mean of the legs' lengths. */
static inline double skl_mean_length(const skl_track *tracks, int64_t num_legs) {
    double sum = 0.0;
    for (int64_t k = 0; k < num_legs; k++) sum += tracks[k].length;
    return sum / (double)num_legs;
}

/* Where the sole is, and how that is known. */
typedef struct skl_foot_model {
    skl_sole sole;
    double clearance;   /* ball joint (ankle, where there is no ball) above the sole, in leg lengths */
    int from_rest_pose; /* whether the rest pose says so; else it is that of a typical foot */
} skl_foot_model;

/* How a foot is held where it stands flat and still. */
typedef struct skl_hold {
    double *turn;    /* rotation vectors in global space; they fade outside the held moments */
    skl_spans spans; /* the held moments */
} skl_hold;
