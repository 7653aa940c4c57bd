/* SPDX-License-Identifier: MIT */
/* What a viewer would mind in planted legs beside the original ones: twelve rows over fixed times, which depend on no
 * frame rate, in leg lengths, degrees and seconds. */
#pragma once

#include "planting/curves/arena.h"
#include "planting/motion/tracks.h"

typedef enum skl_viewer_row {
    SKL_THROW, /* the body's shift changes within a half or a quarter of a second, by */
    SKL_LIFT,  /* a lifted foot loses so many percent of its peak */
    SKL_SLIDE, /* a standing foot strays farther from the middle of its places, by */
    SKL_LEVEL, /* toes that stand on one level stand farther apart in height, by */
    SKL_FLOAT, /* a standing foot is held higher above its ground for 0.2 s, by */
    SKL_SINK,  /* feet are deeper below the original's ground for 0.1 s, by */
    SKL_KNEE,  /* percent of the frames whose knee is bent otherwise by more than 10 degrees */
    SKL_POPS,  /* jumps of a knee's angular speed that the original has not */
    SKL_JUMP,  /* second difference of the ankle's shift over 1/30 s */
    SKL_SWING, /* an ankle in the air is moved beyond what the body is, by */
    SKL_HEEL,  /* a heel goes up and down more within a contact, by */
    SKL_JERK,  /* third difference of a knee's angle over 1/30 s, 10^3 degrees/s^3, where over twice the original's */
    SKL_NUM_VIEWER_ROWS
} skl_viewer_row;

/* The worst of a row. */
typedef struct skl_seen {
    double value;        /* at least 0 */
    int64_t leg;         /* -1: the body, or no leg alone */
    int64_t frame;       /* where to look, */
    int64_t first, last; /* and the frames that it is about; all 0 where the value is */
} skl_seen;

/* What a contact demands of its leg, in legs. */
typedef struct skl_contact_demand {
    double beyond; /* how far its ankle is beyond the leg's reach from where the hip was, at most; below 0: within */
    double away;   /* how far the ankle is from where it was, at most */
    double raised; /* how much higher it is, median */
} skl_contact_demand;

typedef struct skl_viewer_job {
    int64_t num_frames, num_legs;
    const skl_track *before, *after; /* one per leg, as contacts; a ball that is a joint is the toe */
    const skl_spans *contacts;
    double up[3];
    double ground_step[3]; /* how far level ground goes per frame */
    int ground_given;      /* then a shift of all of the clip along up is not its fault */
    double length, fps;    /* of a leg, in the unit of the joints; frames per second */
    skl_arena *arena;      /* for scratch */
    skl_seen seen[SKL_NUM_VIEWER_ROWS];
    skl_contact_demand *demands; /* leg after leg, one per contact */
} skl_viewer_job;

/* 0 where memory failed; what was taken is given back. */
int skl_read_viewer_rows(skl_viewer_job *job);
