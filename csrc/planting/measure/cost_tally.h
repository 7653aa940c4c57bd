/* SPDX-License-Identifier: MIT */
/* What planting costs over a clip. */
#pragma once

#include <stdint.h>

#include "planting/curves/arena.h"

/* Figures whose frame is in a leg's tally. */
enum { SKL_OVERTURNED, SKL_BACKWARD, SKL_POPS, SKL_JERK, SKL_JUMP, SKL_CHANGED, SKL_LEG_FIGURES };

/* One leg; pairs are of the original and of the planted clip. */
typedef struct skl_leg_tally {
    int64_t overturned[2]; /* frames in which the knee turns over, */
    int64_t backward;      /* is bent backward further than the original's, */
    int64_t pops[2];       /* changes the speed of its flexion too fast, */
    int64_t changed;       /* has another flexion than the original's */
    double jerk[2];        /* highest third difference of the flexion, degrees per s^3, */
    double jump[2];        /* second difference of the ankle, legs per frame^2, away from glitches of the capture */
    double change_worst;   /* how much a flexion is changed at most, in degrees; */
    double change_square;  /* the sum of the squares */
    double flexion[2][2];  /* smallest and largest */
    /* Of counts the first new frame of the planted clip, else the worst; -1 for none. */
    int64_t frames[SKL_LEG_FIGURES];
} skl_leg_tally;

/* The hips, in leg lengths and seconds, and what all legs share. */
typedef struct skl_body_tally {
    double square, worst;         /* how far the hips are moved: the sum of the squares, and at most, */
    int64_t frame;                /* where */
    double body_added, leg_added; /* squares of added accelerations, summed over `inner` frames */
    int64_t inner;
    int64_t hidden; /* frames near a glitch */
} skl_body_tally;

/* Joints of all legs in every frame, num_legs x num_frames x 3; flexions in degrees. */
typedef struct skl_legs_motion {
    const double *hip, *knee, *ankle, *flexion;
} skl_legs_motion;

/* A clip, of a loop with some frames behind it; those from `low` on, below `high`, count. */
typedef struct skl_cost_job {
    int64_t num_legs, num_frames;
    skl_legs_motion before, after;
    const uint8_t *alone; /* num_alone flags of frames that count as glitches; NULL for none */
    int64_t num_alone;
    int64_t num; /* frames of the clip */
    int64_t low, high;
    int closes; /* two frames behind `high` are the beginning of a loop again, and looked at for what is highest */
    double length, fps;  /* of a leg; frames per second */
    skl_leg_tally *legs; /* out, num_legs */
    skl_body_tally body; /* out */
    skl_arena *arena;    /* for scratch */
} skl_cost_job;

/* 0 where memory failed. */
int skl_planting_cost(skl_cost_job *job);
