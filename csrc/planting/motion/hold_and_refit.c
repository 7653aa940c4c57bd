/* SPDX-License-Identifier: MIT */
#include "hold_and_refit.h"

#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "fit_foot.h"
#include "hold_flat.h"
#include "motion_constants.h"
#include "turn_dips.h"
#include "turns.h"

static int hold_alike(const skl_hold *a, const skl_hold *b, int64_t num_legs) {
    for (int64_t k = 0; k < num_legs; k++)
        if (!skl_same_spans(a[k].spans, b[k].spans)) return 0;
    return 1;
}

/* The turn that raises the ball of a foot where it dips, and the foot turned so; NULL where it never does. */
static double *raise_dips(const skl_refit_job *job, int64_t k, skl_track *track, skl_foot_spin *spin) {
    skl_dipping_foot foot = {track, &job->models[k].sole, job->contacts[k], .window = job->blend};
    memcpy(foot.up, job->up, sizeof foot.up);
    double *turn = SKL_TAKE(job->arena, double, 3 * track->num_frames);
    if (!turn || !skl_turn_dips(&foot, job->arena, turn)) return NULL;
    double *feet = SKL_TAKE(job->arena, double, 9 * track->num_frames);
    if (!feet) return NULL;
    skl_turn_feet(track->num_frames, turn, track->foot, feet);
    track->foot = feet;
    skl_read_spin(track, job->fps, job->arena, spin);
    return turn;
}

/* How feet are held; with `raise` after balls that dip are raised, and returns whether any is. */
static int hold_all(const skl_refit_job *job, const skl_foot_spin *spins, int raise, skl_hold *holds) {
    int any = 0;
    for (int64_t k = 0; k < job->num_legs && !job->arena->failed; k++) {
        skl_track track = job->tracks[k];
        skl_foot_spin spin = spins[k];
        double *const dips = raise ? raise_dips(job, k, &track, &spin) : NULL;
        skl_flat_foot foot = {.track = &track,
                              .model = &job->models[k],
                              .spin = &spin,
                              .contacts = job->flat[k],
                              .fps = job->fps,
                              .window = job->window};
        memcpy(foot.up, job->up, sizeof foot.up);
        if (!job->arena->failed) skl_hold_flat(&foot, job->arena, &holds[k]);
        if (!dips || job->arena->failed) continue;
        skl_turn_on(track.num_frames, holds[k].turn, dips);
        holds[k].turn = dips;
        any = 1;
    }
    return any;
}

/* The frames that the soles of feet in contact are fitted to: those held, or the calmest; the clip's own, if it has
 * such. */
static void see_still(const skl_refit_job *job, const skl_foot_spin *spins, const skl_hold *holds) {
    const int64_t num = job->tracks->num_frames;
    for (int64_t k = 0; k < job->num_legs; k++) {
        uint8_t *still = job->still[k];
        if (!job->contacts[k].count) continue;
        if (holds[k].spans.count)
            skl_span_mask(holds[k].spans, num, still);
        else
            skl_calmest(&spins[k], num, job->contacts[k], job->arena, still);
        int any = 0;
        for (int64_t f = 0; f < num; f++) any |= still[f] & job->own[f];
        for (int64_t f = 0; any && f < num; f++) still[f] &= job->own[f];
    }
    skl_without_tiptoe(job->num_legs, job->tracks, job->up, job->fps, job->arena, job->still);
}

static void fit_all(const skl_refit_job *job) {
    const skl_arena mark = *job->arena;
    double *feet = SKL_TAKE(job->arena, double, 9 * job->tracks->num_frames);
    for (int64_t k = 0; feet && k < job->num_legs; k++) {
        const skl_fit_hints hints = {.clearance = job->clearance[k]};
        skl_track turned = job->tracks[k];
        skl_turn_feet(turned.num_frames, job->holds[k].turn, turned.foot, feet);
        turned.foot = feet;
        skl_fit_foot(&turned, job->up, job->still[k], &hints, job->arena, &job->models[k]);
    }
    skl_arena_back(job->arena, mark);
}

static void let_go(const skl_refit_job *job) {
    for (int64_t k = 0; k < job->num_legs; k++) {
        memset(job->holds[k].turn, 0, (size_t)(3 * job->tracks->num_frames) * sizeof *job->holds[k].turn);
        job->holds[k].spans.count = 0;
    }
}

/* Take these holds, and fit the soles to the moments that are held. */
static void take(const skl_refit_job *job, const skl_foot_spin *spins, const skl_hold *holds) {
    see_still(job, spins, holds);
    memcpy(job->holds, holds, (size_t)job->num_legs * sizeof *holds);
    if (!job->pins) let_go(job);
    fit_all(job);
}

/* Hold and fit by turns, until no other moments are held. */
static void settle(const skl_refit_job *job, const skl_foot_spin *spins, skl_hold *known, skl_hold *next) {
    for (int round = 0; round < SOLE_REFITS && !job->arena->failed && !skl_stopped(); round++) {
        (void)hold_all(job, spins, 0, next);
        if (job->arena->failed || (round && hold_alike(known, next, job->num_legs))) return;
        memcpy(known, next, (size_t)job->num_legs * sizeof *next);
        take(job, spins, next);
    }
}

skl_code skl_hold_and_refit(skl_refit_job *job) {
    skl_foot_spin *spins = SKL_ZEROS(job->arena, skl_foot_spin, job->num_legs);
    skl_hold *known = SKL_ZEROS(job->arena, skl_hold, job->num_legs);
    skl_hold *next = SKL_ZEROS(job->arena, skl_hold, job->num_legs);
    job->status.code = SKL_OK;
    for (int64_t k = 0; spins && k < job->num_legs; k++)
        skl_read_spin(&job->tracks[k], job->fps, job->arena, &spins[k]);
    if (!job->arena->failed) settle(job, spins, known, next);
    if (!job->arena->failed && job->level && hold_all(job, spins, 1, next)) take(job, spins, next);
    if (job->arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "core", "");
    return skl_done(&job->status);
}
