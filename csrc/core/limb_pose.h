/* SPDX-License-Identifier: MIT */
/* A limb in a pose: out of the local matrices, and back into them. */
#ifndef SKL_LIMB_POSE_H
#define SKL_LIMB_POSE_H

#include "limb.h"
#include "matrix3.h"
#include "skelkin.h"

/* The operands of the walk, in this order. */
enum { LOCAL, TARGET, POLE, POLE_DIRECTION, BEND, SOFTEN, STRETCH, START, TWIST, WEIGHT, GOAL, INPUTS };
enum { OUT = INPUTS, OUT_STATUS, OUT_ERROR, OPERANDS };

/* One chain in one frame. "Inside" means: seen from the upper joint's parent. */
typedef struct skl_limb_frame {
    double parent[16];      /* global matrix of the upper joint's parent */
    double above_knee[16];  /* inside matrix of the lower joint's parent */
    double above_ankle[16]; /* inside matrix of the end joint's parent */
    double ankle_global[16];
    skl_m3 axes[2];   /* of the local matrices of upper and lower joint */
    skl_limb limb;    /* inside */
    double target[3]; /* in the model, as given */
    double goal[4];
    double leg, largest; /* in the model */
    int usable;          /* 0: the pose stays; `why` says it */
    int corrected;       /* the row is no longer what the closed form says; `why` is its status */
    skl_ik_status why;
} skl_limb_frame;

/* The limits of a chain's three joints, NULL where there is none. */
typedef struct skl_chain_limits {
    const skl_joint_limit *of[3];
    int any;
} skl_chain_limits;

/* What stays the same for all frames of a call. */
typedef struct skl_limb_call {
    const skl_apply_two_bone_job *job;
    const int32_t *parents;
    int64_t chain_step[OPERANDS]; /* from one chain to the next */
    skl_array arrays[OPERANDS];   /* without the dimension of the chains */
} skl_limb_call;

/* Everything about one limb in one frame, carried inside. `at` points to this frame's and chain's numbers. */
void skl_limb_read(const skl_limb_call *c, int64_t number, char *const *at, const char *pose, skl_limb_frame *f);

/* Put row i of the solved tile into the chain's three joints. */
void skl_limb_write(const skl_limb_call *c, int64_t number, const skl_limb_tile *tile, int i, const skl_limb_frame *f,
                    char *pose);

/* Turn the end joint into its limit, by the part that the weight is. */
void skl_limb_limit_end(const skl_limb_call *c, int64_t number, const skl_joint_limit *limit, double weight,
                        char *pose);

/* Measure in the model what came out, and say it. */
void skl_limb_report(const skl_limb_call *c, int64_t number, const skl_limb_tile *tile, int i, const skl_limb_frame *f,
                     const char *pose, char *const *at);

/* The same after later chains have moved the limb. */
void skl_limb_report_again(const skl_limb_call *c, int64_t number, const char *pose, char *const *at);

#endif
