/* SPDX-License-Identifier: MIT */
/* A limb in a pose: out of the local matrices, and back into them. */
#pragma once

#include "limb.h"
#include "core/base/view.h"
#include "core/transforms/matrix3.h"
#include "kernels/ik/limb_poses.h"
#include "skelkin/skelkin.h"

/* The operands of the walk, in this order. */
enum { LOCAL, TARGET, POLE, POLE_DIRECTION, BEND, SOFTEN, STRETCH, START, TWIST, WEIGHT, GOAL, HINGE, INPUTS };
enum { OUT = INPUTS, OUT_STATUS, OUT_ERROR, OPERANDS };

/* One chain in one frame, for what is not done in lanes. "Inside" means: seen from the upper joint's parent. */
typedef struct skl_limb_frame {
    double parent[16];      /* global matrix of the upper joint's parent */
    double above_knee[16];  /* inside matrix of the lower joint's parent */
    double above_ankle[16]; /* inside matrix of the end joint's parent */
    double ankle_global[16];
    skl_m3 axes[2];   /* of the local matrices of upper and lower joint */
    skl_limb limb;    /* inside */
    double target[3]; /* in the model, as given */
    double goal[4];
    int corrected; /* the row is no longer what the closed form says; `why` is its status */
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
    skl_batch batch;
} skl_limb_call;

/* A chain in up to a tile of frames. */
typedef struct skl_limb_rows {
    skl_limb_poses p;
    skl_two_bone_row hinge[3];
    double weight[SKL_TWO_BONE_TILE];
    unsigned char moves[SKL_TWO_BONE_TILE];
    unsigned char corrected[SKL_TWO_BONE_TILE]; /* no longer what the closed form says; `why` is the status */
    unsigned char why[SKL_TWO_BONE_TILE];
} skl_limb_rows;

/* Everything about a chain in `count` frames, into the rows and, inside, into the tile. `at` and `step` are those of
 * the chain's numbers, at[OUT] that of the poses. */
void skl_limbs_read(const skl_limb_call *c, int64_t number, char *const *at, const int64_t *step, int count,
                    skl_limb_rows *rows, skl_limb_tile *tile);

/* One of the frames, read. `at` is where its own numbers are. */
void skl_limb_frame_of(const skl_limb_call *c, const skl_limb_rows *rows, int i, char *const *at, skl_limb_frame *f);

/* Put the solved tile into the chain's three joints, in those frames that move; the end joint goes into its limit, NULL
 * where there is none, by the part that the weight is. */
void skl_limbs_write(const skl_limb_call *c, int64_t number, const skl_joint_limit *limit, skl_limb_rows *rows,
                     skl_limb_tile *tile, char *const *at, const int64_t *step);

/* Measure in the model what came out, and say it. */
void skl_limbs_report(const skl_limb_call *c, int64_t number, skl_limb_rows *rows, skl_limb_tile *tile, char *const *at,
                      const int64_t *step);

/* The same after later chains have moved the limb. */
void skl_limbs_report_again(const skl_limb_call *c, int64_t number, char *const *at, const int64_t *step, int count,
                            skl_limb_rows *rows, skl_limb_tile *tile);
