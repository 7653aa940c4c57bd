/* SPDX-License-Identifier: MIT */
/* Toes that bend: as the heel rises from a standing foot, the tip of its toes stays on the ground with the ball. */
#pragma once

#include "planting/curves/spans.h"
#include "planting/ground/ground.h"
#include "skelkin/skelkin.h"

/* The toes of one foot. */
typedef struct skl_toe {
    int64_t joint, parent; /* the toe joint and its parent */
    double tip[3];         /* in the toe joint's frame */
    double length;         /* of the leg */
    skl_spans contacts;    /* of the foot, */
    const double *rises;   /* and per contact how far above the ground it stands */
    skl_spans held;        /* where it is held flat; read by skl_read_skins */
    double skin;           /* how much is below the tip; NaN where there are no toes that could be bent */
    uint8_t *changed;      /* out, num_frames: whether the toe is bent; written by skl_bend_toes */
} skl_toe;

typedef struct skl_toes_job {
    int64_t num_frames, num_joints, num_toes;
    double *local;         /* num_frames x num_joints x 16: planted local matrices; skl_bend_toes writes the toes' */
    const double *globals; /* the same, global */
    const skl_ground *ground;
    const double *ramp; /* num_frames: how much of a correction is allowed */
    int64_t window;     /* frames over which toes straighten again */
    double limit;       /* the largest angle, radians */
    skl_toe *toes;
    skl_status status;
} skl_toes_job;

/* Set `skin` of each toe, as where the planted foot stands flat. SKL_STOPPED where the ground gave no answer. */
skl_code skl_read_skins(skl_toes_job *job);

/* Bend toes upwards, in place, where their tips would sink into the ground that the ball stands on. */
skl_code skl_bend_toes(skl_toes_job *job);
