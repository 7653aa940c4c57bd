/* SPDX-License-Identifier: MIT */
/* When feet stand. Lengths, speeds and limits are in the caller's units; arrays are packed, vectors three numbers per
 * frame. */
#pragma once

#include "planting/curves/spans.h"
#include "skelkin/skelkin.h"

/* Where contacts begin and end. */
typedef struct skl_contact_limits {
    double shortest_core; /* frames that a foot must stand still to begin a contact */
    double shortest_rest; /* frames that a pivot must rest for that to be a contact */
    double shortest;      /* frames of a contact; half as many, but two, where the first or last frame cuts it */
    double steady;        /* a contact continues while its velocity differs from that of the core by less than this, */
    double stay;          /* and its height from the core's median by less than this */
    double quiet;         /* at its ends, velocity differs from that of the core by at most this, */
    double lift;          /* and its height changes per frame by at most this, */
    double noise;         /* or both by at most this multiple of the core's own median */
    double sets_off;      /* a foot that sets off gets faster by more than this per frame, */
    double rises_off;     /* or rises, or falls, faster by more than this, */
    double departing;     /* and has done so for at most so many frames before it is faster than at rest */
    double brief; /* a foot that is quiet for more frames before, or after, its pivot rests counts as standing, too */
    double gap;   /* two contacts at one place that are at most so many frames apart are one */
    double same_place;     /* how far one place may go */
    double ground_step[3]; /* movement of the ground per frame */
} skl_contact_limits;

/* When a foot stands: from cores, in which it is low and slow, both ways for as long as it stays where it is. */
typedef struct skl_contacts_job {
    int64_t num_frames;
    const uint8_t *core;    /* per frame: whether it is low and slow */
    const uint8_t *leave;   /* whether it is slow enough for a contact to continue */
    const uint8_t *rests;   /* whether its pivot rests to rounding: it was planted before, and stands just then */
    const double *height;   /* height of the sole */
    const double *velocity; /* level velocity of the pivot */
    const double *place;    /* the pivot */
    const double *slips;    /* num_frames - 1: level velocity of the pivot between frames, */
    const double *rises;    /* and how far the sole goes up or down between them, beside any other foot */
    skl_contact_limits limits;
    skl_span *spans;   /* room for 2 * skl_most_runs(num_frames); rising */
    int64_t num_spans; /* set by the job */
    skl_status status;
} skl_contacts_job;

skl_code skl_contacts_run(skl_contacts_job *job);
