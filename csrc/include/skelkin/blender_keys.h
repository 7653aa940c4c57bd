/* SPDX-License-Identifier: MIT */
/* Few keys for curves that are known on every frame: cubic in time between keys, which all curves have in common, and
 * nowhere further from what is known than a tolerance. */
#ifndef SKELKIN_BLENDER_KEYS_H
#define SKELKIN_BLENDER_KEYS_H

#include "skelkin/blender_pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a frame is besides one that may get a key or not. */
typedef enum skl_key_kind {
    SKL_KEY_FREE = 0,
    SKL_KEY_KEPT = 1,   /* a key; curves continue with their slope */
    SKL_KEY_BROKEN = 2, /* a key at which the slope may jump */
    SKL_KEY_HELD = 3    /* a broken key whose values stay up to the next frame of a kind that is not free */
} skl_key_kind;

/* A chain of bones whose channels are the curves, parents first, and points on it, which the tolerance is for. A bone's
 * matrix is that of the bone before (of the first one: the identity) @ above @ basis; the basis is made of its
 * channels: translation, rotation, scale. */
typedef struct skl_keyed_chain {
    int64_t num_bones;          /* 0: the tolerance is for the values themselves */
    int64_t num_points;         /* 0: none */
    const uint8_t *modes;       /* (N,) skl_rotation_mode */
    const int32_t *columns;     /* (N,2): the first column of the rotation and of the location; -1: not a curve */
    const double *above;        /* (F,N,4,4) */
    const double *basis;        /* (F,N,4,4) what is not a curve stays as in it */
    const double *scale;        /* (F,N,3) */
    const int32_t *point_bones; /* (P,) */
    const double *points;       /* (F,P,3) seen from their bones */
    const double *targets;      /* (F,P,3) where they have to be */
} skl_keyed_chain;

typedef struct skl_fit_keys_job {
    int64_t num_frames, num_curves; /* F ≥ 1, C ≥ 1 */
    const double *frames;           /* (F,) rising */
    const double *values;           /* (F,C) */
    const uint8_t *kinds;           /* (F,) skl_key_kind; the first and last frame get keys in any case */
    double tolerance;               /* 0: a key on each frame that is not met exactly */
    skl_keyed_chain chain;
    uint8_t *is_key;      /* out (F,): 1 where there is a key */
    double *fitted;       /* out (F,C): the values of the curves at keys */
    double *left, *right; /* out (F,C): their slopes before and after keys, per unit of `frames` */
    double error;         /* out: the greatest distance on any frame */
    skl_status status;
} skl_fit_keys_job;

/* Method: csrc/blender/curves/fit_keys.c; docs/sparse-keys.md. */
skl_code skl_fit_keys_run(skl_fit_keys_job *job);

#ifdef __cplusplus
}
#endif

#endif
