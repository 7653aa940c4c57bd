/* SPDX-License-Identifier: MIT */
/* Loops: motion whose last pose is the first, in place or carried on by a displacement and a turn about up. It is
 * planted as a piece of the endless motion: periods are put before and after it, and the middle is cut out again.
 * Frames of that unrolled motion are counted from its own first one. */
#pragma once

#include "planting/curves/arena.h"
#include "planting/motion/tracks.h"
#include "skelkin/planting.h"

typedef struct skl_loop {
    int64_t period;     /* frames from the first pose to its return: one less than the clip has */
    int64_t margin;     /* frames put before the clip, and after it: the clip's first frame */
    double travel[16];  /* carries the first pose onto the last: level where the ground is */
    double planted[16]; /* carries the planted first pose onto the planted last: but up or down as the ground goes */
    double gap;         /* how far a point of a leg is then from where it was, at most, in leg lengths */
    int rides;          /* whether the ground carries a foot that never leaves it as the body is carried */
} skl_loop;

/* The matrix of a loop in place. */
static const double skl_no_travel[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

/* Frames of the unrolled motion. */
static inline int64_t skl_loop_frames(const skl_loop *loop) { return loop->period + 1 + 2 * loop->margin; }

/* In which period a frame of the unrolled motion is, 0 for the clip; and which frame of the clip comes again there. */
int64_t skl_loop_turn(const skl_loop *loop, int64_t frame);
int64_t skl_loop_frame(const skl_loop *loop, int64_t frame);

/* A matrix so many times; its inverse where that is below 0. Last rows are 0 0 0 1. */
void skl_loop_power(const double matrix[16], int64_t times, double out[16]);

/* A place moved by such a matrix; `out` may be `place`. */
void skl_loop_move(const double matrix[16], const double place[3], double out[3]);

/* Whether what travels so does not come back to where it began, and whether it comes back looking to another side. */
int skl_loop_travels(const double travel[16]);
int skl_loop_turns(const double travel[16]);

/* The unrolled motion, skl_loop_frames poses, of the clip's: roots are carried on, all else comes again as it is. */
void skl_loop_unroll(const skl_loop *loop, const skl_skeleton *skeleton, const double *local, double *out);

/* A place of the clip in the period of a frame of the unrolled motion. */
void skl_loop_carried(const skl_loop *loop, const double place[3], int64_t frame, double out[3]);

/* The spans that begin in the clip's period, once in every period; cut at the ends. 0 where memory failed, here and
 * below. */
int skl_loop_repeat(const skl_loop *loop, skl_spans spans, skl_arena *arena, skl_spans *out);

/* The clip's spans in the unrolled motion; what touches both ends of the clip is one. */
int skl_loop_unroll_spans(const skl_loop *loop, skl_spans spans, skl_arena *arena, skl_spans *out);

/* The step per frame with which a foot that never leaves the ground, turned so, comes back to where it began. Rolling
 * and turning feet come back a little beside it: that is spread over the period. */
int skl_loop_creep(const skl_loop *loop, const skl_track *track, const skl_sole *sole, const double *turn,
                   const double up[3], skl_arena *arena, double step[3]);

/* The planted clip's last pose: the first one again, carried on, where planting has changed it. `first` and `last` are
 * local matrices (num_joints x 16) of the planted first pose and of the last one as it was; what differs by rounding
 * alone is taken from that. `changed`: num_joints flags of joints whose local matrices differ. `length`: of a leg. */
skl_code skl_loop_closing_pose(const skl_loop *loop, const skl_plant_rig *rig, const double *first, const double *last,
                               const uint8_t *changed, double length, double *out, skl_status *status);
