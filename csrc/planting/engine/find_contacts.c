/* SPDX-License-Identifier: MIT */
/* In which space feet stand: contacts looked for in the world, and relative to ground that slopes or moves.
 *
 * A clip may have been made on its ground, or on a floor that keeps still and is put on this ground now. Where feet
 * stand for longer is what it was. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "engine_constants.h"
#include "planting/ground/unroll_ground.h"
#include "planting/motion/cuts.h"
#include "scene.h"

skl_code skl_scene_lacks_memory(skl_scene *scene) { return skl_fail(&scene->status, SKL_NO_MEMORY, "local", ""); }

static int is_searched(const skl_plant_options *options) {
    return options->mode == SKL_CONTACTS_FOUND || options->mode == SKL_CONTACTS_GROUND_ONLY;
}

static int differ(double a, double b) { return fabs(a - b) > SIDES_ALIKE * fmax(a, b); }

static int are_alike(const skl_track *a, const skl_track *b) {
    return a->has_ball == b->has_ball && !differ(a->length, b->length) &&
           !(a->has_ball && differ(skl_v3_length(a->ball), skl_v3_length(b->ball)));
}

int skl_sole_is_given(const skl_scene *scene) { return !isnan(scene->options->sole); }

/* The mean of what the rest pose says of this leg and of those like it; NaN where it says nothing. */
static double alike_clearance(const skl_scene *scene, const skl_track *tracks, int64_t leg) {
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < scene->rig->num_legs; i++) {
        if (isnan(scene->rig->legs[i].clearance) || !are_alike(&tracks[leg], &tracks[i])) continue;
        sum += scene->rig->legs[i].clearance;
        count++;
    }
    return count ? sum / (double)count : NAN;
}

double *skl_sole_clearances(const skl_scene *scene, const skl_track *tracks) {
    const skl_plant_leg *legs = scene->rig->legs;
    double *out = SKL_TAKE(scene->arena, double, scene->rig->num_legs);
    for (int64_t k = 0; out && k < scene->rig->num_legs; k++) {
        out[k] = skl_sole_is_given(scene) ? scene->options->sole / tracks[k].length : legs[k].clearance;
        /* Where the ground is not known, contacts say better than the rest pose how soles differ. */
        if (!skl_sole_is_given(scene) && (!scene->ground || isnan(out[k]))) out[k] = alike_clearance(scene, tracks, k);
    }
    return out;
}

/* --- contacts that are given ---------------------------------------------------------------------------------------
 */

static int stands_in(skl_spans spans, int64_t frame) {
    for (int64_t i = 0; i < spans.count; i++)
        if (spans.at[i].first <= frame && frame <= spans.at[i].last) return 1;
    return 0;
}

/* Whether heel and ball stand alike in a loop's last pose and in its first, where the foot stands in both. */
static int parts_close(const skl_plant_given *given, int64_t period) {
    const int first[2] = {stands_in(given->heel, 0), stands_in(given->ball, 0)};
    const int last[2] = {stands_in(given->heel, period), stands_in(given->ball, period)};
    if (!(first[0] || first[1]) || !(last[0] || last[1])) return 1;
    return first[0] == last[0] && first[1] == last[1];
}

/* Spans of the clip in the motion. */
static int in_motion(const skl_scene *scene, skl_spans spans, skl_spans *out) {
    if (scene->loop) return skl_loop_unroll_spans(scene->loop, spans, scene->arena, out);
    *out = spans;
    return 1;
}

/* On which part of it a foot is to stand. */
static int8_t *given_roll(const skl_scene *scene, const skl_plant_given *given) {
    const int64_t num = scene->num_frames;
    skl_spans heel, ball;
    int8_t *out = SKL_TAKE(scene->arena, int8_t, num);
    uint8_t *stands = SKL_TAKE(scene->arena, uint8_t, 2 * num);
    if (scene->arena->failed || !in_motion(scene, given->heel, &heel) || !in_motion(scene, given->ball, &ball))
        return NULL;
    skl_span_mask(heel, num, stands);
    skl_span_mask(ball, num, stands + num);
    for (int64_t f = 0; f < num; f++) out[f] = (int8_t)(stands[f] - stands[num + f]);
    return out;
}

static skl_code take_given(skl_scene *scene, skl_standing *out) {
    const int64_t legs = scene->rig->num_legs;
    out->contacts = SKL_ZEROS(scene->arena, skl_spans, legs);
    int8_t **rolls = SKL_ZEROS(scene->arena, int8_t *, legs);
    if (scene->arena->failed) return skl_scene_lacks_memory(scene);
    for (int64_t k = 0; k < legs; k++) {
        const skl_plant_given *given = &scene->options->given[k];
        if (!in_motion(scene, given->contacts, &out->contacts[k])) return skl_scene_lacks_memory(scene);
        if (!given->apart) continue;
        if (scene->loop && !parts_close(given, scene->loop->period))
            return skl_fail_in(&scene->status, "given", k, scene->loop->period,
                               "of a loop this is frame 0 again, and heel and ball stand differently there: give "
                               "both the same, or do not plant it as a loop");
        out->rolls = rolls;
        if (!(rolls[k] = given_roll(scene, given))) return skl_scene_lacks_memory(scene);
    }
    return SKL_OK;
}

/* --- contacts that are found ---------------------------------------------------------------------------------------
 */

static int stand_throughout(const skl_scene *scene, skl_standing *out) {
    const int64_t legs = scene->rig->num_legs;
    skl_span *whole = SKL_TAKE(scene->arena, skl_span, 1);
    if (!(out->contacts = SKL_ZEROS(scene->arena, skl_spans, legs)) || !whole) return 0;
    *whole = (skl_span){0, scene->num_frames - 1};
    for (int64_t k = 0; scene->options->mode == SKL_CONTACTS_ALWAYS && k < legs; k++)
        out->contacts[k] = (skl_spans){whole, 1};
    return skl_break_at_tears(legs, scene->tracks, scene->fps, scene->arena, out->contacts);
}

/* A loop's contacts come again in every period. */
static int take_found(const skl_scene *scene, const skl_standing_job *job, skl_standing *out) {
    out->searched = 1;
    out->limits = job->limits;
    out->contacts = job->contacts;
    out->lifts = job->lifts;
    for (int64_t k = 0; scene->loop && k < job->num_legs; k++)
        if (!skl_loop_repeat(scene->loop, job->contacts[k], scene->arena, &out->contacts[k]) ||
            !skl_loop_repeat(scene->loop, job->lifts[k], scene->arena, &out->lifts[k]))
            return 0;
    return 1;
}

static skl_code take_belt(skl_scene *scene, double leg, skl_clip_limits *out) {
    const double *velocity = scene->options->belt_velocity;
    if (!(out->moves = scene->options->belt == SKL_BELT_GIVEN)) return SKL_OK;
    if (fabs(skl_v3_dot(velocity, scene->up)) > BELT_RISES * skl_v3_length(velocity)) {
        (void)skl_fail(&scene->status, SKL_BAD_VALUE, "up",
                       "the ground's velocity must be horizontal, at right angles to up");
        return skl_fail_vector(&scene->status, scene->up);
    }
    for (int i = 0; i < 3; i++) out->ground_velocity[i] = velocity[i] / leg;
    return SKL_OK;
}

/* When feet stand in the space of these tracks, on ground that moves as is known there. */
static skl_code find(skl_scene *scene, const skl_track *tracks, const skl_standing *known, skl_standing *out) {
    const int64_t legs = scene->rig->num_legs;
    const double leg = skl_mean_length(tracks, legs);
    skl_standing_job job = {
        .num_legs = legs, .tracks = tracks, .up = scene->up, .fps = scene->fps, .arena = scene->arena};
    *out = (skl_standing){.still = SKL_TAKE(scene->arena, uint8_t *, legs)};
    for (int64_t k = 0; out->still && k < legs; k++) out->still[k] = SKL_TAKE(scene->arena, uint8_t, scene->num_frames);
    const double *clearance = skl_sole_clearances(scene, tracks);
    if (scene->arena->failed) return skl_scene_lacks_memory(scene);
    skl_code code = take_belt(scene, leg, &job.limits);
    if (code != SKL_OK) return code;
    if (known && known->moves && known->limits.briefly) {
        job.limits.moves = 1;
        memcpy(job.limits.ground_velocity, known->limits.ground_velocity, sizeof job.limits.ground_velocity);
    }
    if ((code = skl_find_standing(&job, clearance, is_searched(scene->options), out->still)) != SKL_OK)
        return skl_pass_on(&job.status, &scene->status);
    out->models = job.models;
    if (scene->options->mode == SKL_CONTACTS_GIVEN)
        code = take_given(scene, out);
    else if (!(is_searched(scene->options) ? take_found(scene, &job, out) : stand_throughout(scene, out)))
        code = skl_scene_lacks_memory(scene);
    if (code != SKL_OK) return code;
    job.contacts = out->contacts;
    const int by_given = scene->options->mode == SKL_CONTACTS_GIVEN && scene->options->belt != SKL_BELT_GIVEN;
    if (job.limits.moves && by_given && skl_stance_velocity(&job) != SKL_OK)
        return skl_pass_on(&job.status, &scene->status);
    out->moves = job.limits.moves;
    for (int i = 0; i < 3; i++) out->velocity[i] = job.limits.moves ? job.limits.ground_velocity[i] * leg : 0.0;
    return SKL_OK;
}

/* The legs' motion where the ground is a floor at height 0 that keeps still; `known` says whether there is ground below
 * every foot, `differs` whether it is another than such a floor. */
static skl_track *on_floor(skl_scene *scene, const skl_track *tracks, const skl_ground *ground, int *known,
                           int *differs) {
    const int64_t legs = scene->rig->num_legs;
    skl_track *out = SKL_TAKE(scene->arena, skl_track, legs);
    *known = 1;
    *differs = ground->moves;
    for (int64_t k = 0; out && k < legs; k++) {
        skl_unrolled own;
        out[k] = tracks[k];
        if (skl_unroll_ground(&tracks[k], ground, scene->arena, &own)) {
            (void)skl_fail(&scene->status, SKL_STOPPED, "ground", "");
            return NULL;
        }
        if (scene->arena->failed) break;
        if (!own.known) {
            *known = 0;
            return out;
        }
        *differs |= own.slopes;
        out[k].hip = own.hip;
        out[k].knee = own.knee;
        out[k].ankle = own.ankle;
        out[k].foot = own.foot;
    }
    if (scene->arena->failed) (void)skl_scene_lacks_memory(scene);
    return scene->arena->failed ? NULL : out;
}

static int64_t frames_of(const skl_standing *standing, int64_t legs) {
    int64_t count = 0;
    for (int64_t k = 0; k < legs; k++) count += skl_spans_frames(standing->contacts[k]);
    return count;
}

skl_code skl_find_contacts(skl_scene *scene, const skl_track *tracks, const skl_standing *known, skl_standing *out) {
    const skl_ground *ground = scene->ground;
    skl_code code = find(scene, tracks, known && !known->on_ground ? known : NULL, out);
    if (code != SKL_OK || !ground || ground->is_level || !(ground->moves || is_searched(scene->options))) return code;
    int is_known, differs;
    const skl_track *relative = on_floor(scene, tracks, ground, &is_known, &differs);
    if (!relative) return scene->status.code;
    if (!is_known || !differs) return SKL_OK;
    skl_standing there;
    if ((code = find(scene, relative, known && known->on_ground ? known : NULL, &there)) != SKL_OK) return code;
    const double frames = (double)frames_of(out, scene->rig->num_legs);
    if ((double)frames_of(&there, scene->rig->num_legs) >= (ground->moves ? 1.0 : STANDS_LONGER) * frames) {
        *out = there;
        out->on_ground = 1;
    }
    return SKL_OK;
}

skl_code skl_find_contacts_again(skl_scene *scene, const skl_track *tracks, const skl_ground *ground, skl_spans *out) {
    const skl_track *seen = tracks;
    int known = 1, differs;
    if (ground && !(seen = on_floor(scene, tracks, ground, &known, &differs))) return scene->status.code;
    skl_standing_job job = {.num_legs = scene->rig->num_legs,
                            .tracks = known ? seen : tracks,
                            .up = scene->up,
                            .fps = scene->fps,
                            .arena = scene->arena,
                            .models = scene->standing.models,
                            .limits = scene->standing.limits};
    if (skl_find_again(&job) != SKL_OK) return skl_pass_on(&job.status, &scene->status);
    memcpy(out, job.contacts, (size_t)job.num_legs * sizeof *out);
    return SKL_OK;
}
