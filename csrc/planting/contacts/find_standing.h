/* SPDX-License-Identifier: MIT */
/* When does each foot stand? Spans found by height and speed with hysteresis, from the clip's own statistics.
 *
 * Height is measured against the foot's own low envelope, not against a ground, so that a clip that floats, sinks or
 * was made at another height is read all the same. Speed is that of the pivot, the point of the sole the foot rolls
 * about, so that a rolling foot counts as standing still. All limits are in leg lengths and seconds; the frame rate
 * enters nowhere else.
 *
 * The scheme (height and speed, two thresholds) is that of the literature on footskate, e.g. Kovar, Schreiner and
 * Gleicher, Footskate Cleanup for Motion Capture Editing, 2002; the pivot's speed instead of a joint's and the limits
 * taken from the clip are our own. */
#pragma once

#include "core/base/status.h"
#include "core/base/stop.h"
#include "foot_signal.h"
#include "skelkin/skelkin.h"

/* What detection reads from a clip as a whole. */
typedef struct skl_clip_limits {
    double enter;              /* the speed below which a contact begins, in leg lengths per second */
    double *lowest;            /* of each foot the height it is held up from, in mean leg lengths */
    double *smoothing;         /* of each by how much its path is smoothed, see skl_path_smoothing */
    int moves;                 /* whether the ground does, */
    double ground_velocity[3]; /* and its velocity, in mean leg lengths per second; else 0 */
    int briefly;               /* whether feet stand on it so briefly that it does not show there to rounding */
} skl_clip_limits;

/* The legs of a clip, all of as many frames. */
typedef struct skl_standing_job {
    int64_t num_legs;
    const skl_track *tracks;
    const double *up;
    double fps;
    skl_arena *arena; /* of the results */
    skl_foot_model *models;
    skl_clip_limits limits;
    skl_spans *contacts; /* of each leg, rising; found or given */
    skl_spans *lifts;    /* out, likewise: when a foot that would stand else is lifted */
    skl_status status;
} skl_standing_job;

/* How a job ends: by lack of memory, or well. */
static inline skl_code skl_standing_done(skl_standing_job *job) {
    return job->arena->failed ? skl_fail(&job->status, SKL_NO_MEMORY, "core", "") : skl_done(&job->status);
}

/* Read soles, the ground's velocity and, if `search`, limits and contacts. `clearance`: of each leg the sole's
 * thickness in leg lengths, or NaN. Where `limits.moves` is set that velocity is taken, else looked for: of an in-place
 * cycle, in which stance feet slide back at one steady velocity while the body stays. `still`: of each leg room for the
 * frames in which the foot is likely flat. */
skl_code skl_find_standing(skl_standing_job *job, const double *clearance, int search, uint8_t *const *still);

/* Look for contacts in other motion, a part of a clip or what it was planted as, by the limits and soles of the clip.
 */
skl_code skl_find_again(skl_standing_job *job);

/* Look for the ground of a cycle in place: set `limits.moves`, and its velocity, if feet that are low and neither rise
 * nor fall go at one steady velocity while the body stays. */
void skl_find_treadmill(skl_standing_job *job, const skl_foot_signal *signals);

/* Measure the velocity of the ground that standing feet go with, in mean leg lengths per second: the median level
 * velocity of the pivots over the inner halves of all contacts. Where feet have no time to rest, as in a run, it is how
 * far they get while they are low: they land faster than the ground goes, and leave more slowly. `limits.moves` says
 * whether a contact has an inside. */
skl_code skl_stance_velocity(skl_standing_job *job);

/* How fast the body goes over the ground from its first to its last frame, in mean leg lengths per second. */
double skl_pace(const skl_standing_job *job);

/* The velocity of the ground in lengths of that leg per second; the level speed of its pivot over it. */
void skl_leg_velocity(const skl_standing_job *job, int64_t leg, double out[3]);
void skl_leg_speeds(const skl_standing_job *job, int64_t leg, const skl_foot_signal *signal, double *out);

/* Contacts of all feet, by the limits. A contact begins where the foot is slow, near its own low envelope and not held
 * up beside the other foot; it goes on both ways while the sole stays near its level and the pivot below a higher
 * speed. It ends where the foot set off: a foot leaves from rest, and comes to it, with a speed that grows evenly at
 * first, so that the speed of its first steps is followed back to what it is while the foot stands. */
skl_code skl_detect_contacts(skl_standing_job *job, const skl_foot_signal *signals);
