/* SPDX-License-Identifier: MIT */
/* What planting costs, added up over a clip as a whole or block after block. In double; nothing here can fail. */
#ifndef SKL_COST_TALLY_H
#define SKL_COST_TALLY_H

#include <stdint.h>

/* Figures whose frame is in a leg's tally. */
enum { SKL_OVERTURNED, SKL_BACKWARD, SKL_POPS, SKL_JERK, SKL_JUMP, SKL_CHANGED, SKL_LEG_FIGURES };

/* One leg; pairs are of the original and of the planted clip. Begins as 0, but for `frames` at -1, and flexions at the
 * infinities that any number is below and above. */
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
    int64_t
        frames[SKL_LEG_FIGURES]; /* of counts the first new frame of the planted clip, else the worst; -1 for none */
} skl_leg_tally;

/* The hips, in leg lengths and seconds, and what all legs share. Begins as 0. */
typedef struct skl_body_tally {
    double square, worst;         /* how far the hips are moved: the sum of the squares, and at most, */
    int64_t frame;                /* where */
    double body_added, leg_added; /* squares of added accelerations, summed over `inner` frames */
    int64_t inner;
    int64_t hidden; /* frames near a glitch */
} skl_body_tally;

/* Joints of all legs in every frame of a block, num_legs x num_frames x 3; flexions in degrees. */
typedef struct skl_legs_motion {
    const double *hip, *knee, *ankle, *flexion;
} skl_legs_motion;

/* Frames of a clip with some around them; rows from `low` on, below `high`, are added. */
typedef struct skl_cost_block {
    int64_t num_legs, num_frames;
    skl_legs_motion before, after;
    const double *glitches; /* num_legs x 3: greater second differences of hip, ankle and flexion are the capture's */
    const uint8_t *alone;   /* num_alone flags of rows that count as glitches; NULL for none */
    int64_t num_alone;
    int64_t first; /* the clip's frame that is row 0, */
    int64_t num;   /* of so many */
    int64_t low, high;
    int closes; /* two rows behind `high` are the beginning of a loop again, and looked at for what is highest */
    double length, fps; /* of a leg; frames per second */
} skl_cost_block;

/* Per leg, num_legs x 3, beyond which second differences of hip, ankle and flexion the capture itself jumps: many times
 * what nearly all of them are. `length` is that of a leg; `scratch` is for 6 x num_frames. */
void skl_glitch_limits(int64_t num_legs, int64_t num_frames, const skl_legs_motion *legs, double length,
                       double *scratch, double *out);

/* `scratch` is for (5 num_legs + 6) x num_frames numbers, `calm` for num_frames flags. */
void skl_add_cost(const skl_cost_block *block, double *scratch, uint8_t *calm, skl_leg_tally *legs,
                  skl_body_tally *body);

#endif
