/* SPDX-License-Identifier: MIT */
/* Where feet stand of all that was found: inside of the range, on ground to stand on; how they are held there. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "engine_constants.h"
#include "refit_soles.h"
#include "planting/curves/curves.h"
#include "planting/ground/given_roll.h"
#include "planting/ground/read_footholds.h"
#include "scene.h"

int64_t skl_fade_frames(const skl_scene *scene) { return (int64_t)fmax(1.0, rint(scene->options->blend * scene->fps)); }

int64_t skl_held_fade_frames(const skl_scene *scene) { return skl_more(1, skl_fade_frames(scene) / 2); }

int skl_feet_are_pinned(const skl_scene *scene) {
    const int on_it = !scene->standing.moves || scene->options->belt != SKL_BELT_UNKNOWN;
    return on_it && scene->options->mode != SKL_CONTACTS_GROUND_ONLY;
}

/* --- the ground below contacts -------------------------------------------------------------------------------------
 */

static int any_contact(const skl_spans *contacts, int64_t legs) {
    for (int64_t k = 0; k < legs; k++)
        if (contacts[k].count) return 1;
    return 0;
}

/* Cut contacts to a range, and to the frames further than a fade from lone ones; of a longer one a single frame is no
 * contact. 0 where memory failed. */
static int contacts_in_range(const skl_scene *scene, skl_spans contacts, skl_span range, skl_spans *out) {
    const int64_t num = scene->num_frames, window = skl_fade_frames(scene);
    skl_arena *arena = scene->arena;
    skl_spans cut = {SKL_TAKE(arena, skl_span, contacts.count), 0};
    for (int64_t i = 0; cut.at && i < contacts.count; i++) {
        const skl_span whole = contacts.at[i];
        const skl_span own = {skl_more(whole.first, range.first), skl_fewer(whole.last, range.last)};
        /* A contact given as one frame stands; one frame that cutting leaves of a longer one is an edge. */
        if (own.last > own.first || (whole.first == whole.last && own.first == own.last)) cut.at[cut.count++] = own;
    }
    *out = cut;
    if (!cut.at || !memchr(scene->alone, 1, (size_t)num)) return cut.at != NULL;
    double *far = SKL_TAKE(arena, double, num);
    uint8_t *free = SKL_TAKE(arena, uint8_t, num);
    out->at = SKL_TAKE(arena, skl_span, contacts.count + skl_most_runs(num));
    if (arena->failed) return 0;
    skl_frames_to_nearest(scene->alone, num, far);
    for (int64_t f = 0; f < num; f++) free[f] = far[f] > (double)window;
    out->count = skl_runs_within(cut, free, out->at);
    return 1;
}

/* Leave out contacts without ground to stand on, and read how it slopes and moves under the others. */
static skl_code read_ground(skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs;
    skl_footholds_job job = {.num_legs = legs,
                             .num_frames = scene->num_frames,
                             .legs = SKL_ZEROS(scene->arena, skl_foothold_leg, legs),
                             .ground = scene->ground,
                             .weight = scene->options->align,
                             .steepest = cos(scene->options->max_slope * SKL_DEGREE),
                             .window = skl_fade_frames(scene),
                             .pin = skl_feet_are_pinned(scene)};
    for (int64_t k = 0; job.legs && k < legs; k++)
        job.legs[k] =
            (skl_foothold_leg){.track = &scene->tracks[k], .model = &scene->models[k], .contacts = scene->contacts[k]};
    if (scene->arena->failed) return skl_scene_lacks_memory(scene);
    if (skl_footholds_run(&job, scene->arena) != SKL_OK) return skl_pass_on(&job.status, &scene->status);
    if (job.nowhere) {
        skl_fail_in(&scene->status, "ankle", 0, 0,
                    "no ground is below or above any foot in any frame: check that it is in the clip's space, unit and "
                    "axes");
        return skl_fail_vector(&scene->status, scene->tracks[0].ankle);
    }
    scene->holes = job.holes;
    scene->steep = job.steep;
    for (int64_t k = 0; k < legs; k++) {
        scene->contacts[k] = job.legs[k].contacts;
        scene->footholds[k] = job.legs[k].slopes ? &job.legs[k].hold : NULL;
    }
    return SKL_OK;
}

/* Contacts inside of the range, and of those the ones with ground to stand on. */
static skl_code stand_on_ground(skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs, last = scene->num_frames - 1, window = skl_fade_frames(scene);
    skl_span inside = scene->frames;
    if (inside.first > 0) inside.first += window;
    if (inside.last < last) inside.last -= window;
    scene->contacts = SKL_ZEROS(scene->arena, skl_spans, legs);
    scene->footholds = SKL_ZEROS(scene->arena, const skl_foothold *, legs);
    if (scene->arena->failed) return skl_scene_lacks_memory(scene);
    for (int64_t k = 0; k < legs; k++)
        if (!contacts_in_range(scene, scene->standing.contacts[k], inside, &scene->contacts[k]))
            return skl_scene_lacks_memory(scene);
    scene->contacts_outside = any_contact(scene->standing.contacts, legs) && !any_contact(scene->contacts, legs);
    if (!scene->ground || scene->ground->is_level || !any_contact(scene->contacts, legs)) return SKL_OK;
    return read_ground(scene);
}

/* --- how feet are held ---------------------------------------------------------------------------------------------
 */

/* The legs' motion with feet as they are where the ground is level and still; NULL where memory failed. */
static skl_track *level_tracks(const skl_scene *scene) {
    skl_track *out = SKL_TAKE(scene->arena, skl_track, scene->rig->num_legs);
    for (int64_t k = 0; out && k < scene->rig->num_legs; k++) {
        out[k] = scene->tracks[k];
        if (!scene->footholds[k] || !skl_ground_undo(scene->footholds[k])) continue;
        double *feet = SKL_TAKE(scene->arena, double, 9 * scene->num_frames);
        if (!feet) return NULL;
        skl_level_feet(scene->footholds[k], out[k].foot, feet);
        out[k].foot = feet;
    }
    return out;
}

/* The contacts in which feet may be held flat: all but those that are given for heel or ball alone. */
static int flat_contacts(const skl_scene *scene, skl_spans *out) {
    for (int64_t k = 0; k < scene->rig->num_legs; k++) {
        const int8_t *roll = scene->standing.rolls ? scene->standing.rolls[k] : NULL;
        const skl_spans own = scene->contacts[k];
        out[k] = own;
        if (!roll) continue;
        out[k] = (skl_spans){SKL_TAKE(scene->arena, skl_span, own.count), 0};
        for (int64_t i = 0; out[k].at && i < own.count; i++) {
            const skl_span span = own.at[i];
            if (memchr(roll + span.first, 0, (size_t)skl_span_frames(span))) out[k].at[out[k].count++] = span;
        }
    }
    return !scene->arena->failed;
}

/* The frames that describe the clip: of an unrolled motion one period. */
static uint8_t *own_frames(const skl_scene *scene) {
    uint8_t *out = SKL_TAKE(scene->arena, uint8_t, scene->num_frames);
    for (int64_t f = 0; out && f < scene->num_frames; f++)
        out[f] = !scene->loop || (f >= scene->loop->margin && f < scene->loop->margin + scene->loop->period);
    return out;
}

/* A foot that stands higher than its fellows throughout has a thicker sole. */
static int fit_uneven(skl_scene *scene, const skl_track *level, const double *clearance, uint8_t *const *still) {
    const int64_t legs = scene->rig->num_legs;
    skl_feet feet = {.num_legs = legs,
                     .num_frames = scene->num_frames,
                     .tracks = level,
                     .models = scene->models,
                     .contacts = scene->contacts,
                     .up = scene->up};
    double *raised = SKL_TAKE(scene->arena, double, legs);
    const skl_ground *ground = scene->ground && !scene->ground->is_level ? scene->ground : NULL;
    if (!raised || !skl_uneven_soles(&feet, scene->fps, ground, scene->footholds, scene->arena, raised)) return 0;
    for (int64_t k = 0; k < legs; k++) {
        const skl_fit_hints hints = {.clearance = clearance[k], .raised = raised[k]};
        if (raised[k] != 0.0 && (isnan(clearance[k]) || !(scene->ground || skl_sole_is_given(scene))) &&
            !skl_fit_turned(scene, &level[k], scene->holds[k].turn, still[k], &hints, &scene->models[k]))
            return 0;
    }
    return 1;
}

/* --- feet whose heel and ball are given ----------------------------------------------------------------------------
 */

/* One foot that is to stand so, and how it is held by itself. */
typedef struct given_foot {
    skl_scene *scene;
    int64_t leg;
    const uint8_t *own;
    double clearance;
    skl_given_roll roll;
    skl_hold before;
    uint8_t *wrong; /* num_frames */
} given_foot;

static int64_t count_of(const uint8_t *flags, int64_t num) {
    int64_t count = 0;
    for (int64_t f = 0; f < num; f++) count += flags[f];
    return count;
}

static int see_wrong(const given_foot *g, const double *turn) {
    return skl_roll_wrong(&g->roll, &g->scene->models[g->leg].sole, turn, g->scene->arena, g->wrong);
}

/* Nothing in the motion shows the sole flat of a foot that is to stand on its heel or its ball alone. */
static void fit_never_flat(const given_foot *g) {
    skl_scene *scene = g->scene;
    const skl_plant_leg *leg = &scene->rig->legs[g->leg];
    uint8_t *inside = SKL_TAKE(scene->arena, uint8_t, scene->num_frames);
    if (!inside || !leg->has_rest_up) return;
    skl_span_mask(g->roll.contacts, scene->num_frames, inside);
    for (int64_t f = 0; f < scene->num_frames; f++)
        if (inside[f] && !g->roll.given[f]) return;
    const skl_fit_hints hints = {.clearance = g->clearance, .rest_up = leg->rest_up};
    skl_fit_foot(g->roll.level, scene->up, inside, &hints, scene->arena, &scene->models[g->leg]);
}

/* Turn the foot, and fit its sole to that, by turns. 0 where memory failed. */
static int turn_and_fit(const given_foot *g) {
    skl_scene *scene = g->scene;
    const int64_t num = scene->num_frames;
    uint8_t *flat = SKL_TAKE(scene->arena, uint8_t, num), *own = SKL_TAKE(scene->arena, uint8_t, num);
    for (int round = 0; !scene->arena->failed && round < STANCE_REFITS; round++) {
        const skl_spans known = scene->holds[g->leg].spans;
        if (!skl_roll_hold(&g->roll, &scene->models[g->leg].sole, &g->before, scene->arena, &scene->holds[g->leg]))
            return 0;
        if (skl_same_spans(known, scene->holds[g->leg].spans)) break;
        skl_span_mask(scene->holds[g->leg].spans, num, flat);
        for (int64_t f = 0; f < num; f++) own[f] = flat[f] & g->own[f];
        const uint8_t *still = count_of(own, num) ? own : flat;
        if (!count_of(still, num)) break;
        const skl_fit_hints hints = {.clearance = g->clearance};
        if (!skl_fit_turned(scene, g->roll.level, scene->holds[g->leg].turn, still, &hints, &scene->models[g->leg]))
            return 0;
    }
    return !scene->arena->failed;
}

/* Turn a foot whose heel and ball are given to stand so, and fit its sole to that. */
static skl_code hold_as_given(given_foot *g) {
    skl_scene *scene = g->scene;
    const int64_t num = scene->num_frames, k = g->leg;
    g->before = scene->holds[k];
    if (!(g->wrong = SKL_TAKE(scene->arena, uint8_t, num))) return skl_scene_lacks_memory(scene);
    fit_never_flat(g);
    if (scene->arena->failed || !see_wrong(g, g->before.turn)) return skl_scene_lacks_memory(scene);
    const uint8_t *first = memchr(g->wrong, 1, (size_t)num);
    if (!first) return SKL_OK;
    const int64_t frame = skl_clip_frame(scene, first - g->wrong);
    if (!skl_feet_are_pinned(scene))
        return skl_fail_in(&scene->status, "given", k, frame,
                           "heel and ball stand differently from the foot, and in a cycle in place only heights are "
                           "corrected: give the ground's velocity, or spans of the whole foot");
    if (skl_v3_length(scene->models[k].sole.along) <= NO_FOOT * scene->tracks[k].length)
        return skl_fail_in(&scene->status, "given", k, frame,
                           "heel and ball differ, and this foot has no toe or end site to distinguish them: "
                           "give spans of the whole foot");
    if (!turn_and_fit(g) || !see_wrong(g, scene->holds[k].turn)) return skl_scene_lacks_memory(scene);
    scene->rolls_left[k] = count_of(g->wrong, num);
    scene->rolled[k] = 1;
    return SKL_OK;
}

static skl_code hold_given_feet(skl_scene *scene, const skl_track *level, const double *clearance, const uint8_t *own) {
    for (int64_t k = 0; scene->standing.rolls && k < scene->rig->num_legs; k++) {
        if (!scene->standing.rolls[k] || !scene->contacts[k].count) continue;
        given_foot g = {.scene = scene, .leg = k, .own = own, .clearance = clearance[k]};
        g.roll = (skl_given_roll){.track = &scene->tracks[k],
                                  .level = &level[k],
                                  .ground = scene->footholds[k],
                                  .contacts = scene->contacts[k],
                                  .given = scene->standing.rolls[k],
                                  .up = scene->up,
                                  .fps = scene->fps,
                                  .held_window = skl_held_fade_frames(scene),
                                  .window = skl_fade_frames(scene)};
        const skl_code code = hold_as_given(&g);
        if (code != SKL_OK) return code;
    }
    return SKL_OK;
}

/* --- both ----------------------------------------------------------------------------------------------------------
 */

/* How feet are held by themselves, and as given. */
static skl_code hold_feet(skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs, num = scene->num_frames;
    skl_arena *arena = scene->arena;
    const skl_track *level = level_tracks(scene);
    const double *clearance = skl_sole_clearances(scene, scene->tracks);
    uint8_t **still = SKL_TAKE(arena, uint8_t *, legs), *own = own_frames(scene);
    skl_spans *flat = SKL_TAKE(arena, skl_spans, legs);
    for (int64_t k = 0; still && k < legs; k++)
        if ((still[k] = SKL_TAKE(arena, uint8_t, num))) memcpy(still[k], scene->standing.still[k], (size_t)num);
    if (arena->failed || !flat_contacts(scene, flat)) return skl_scene_lacks_memory(scene);
    const skl_refit refit = {level, clearance, flat, own, still};
    if (skl_hold_and_refit(scene, &refit) != SKL_OK) return scene->status.code;
    if (!fit_uneven(scene, level, clearance, still)) return skl_scene_lacks_memory(scene);
    return hold_given_feet(scene, level, clearance, own);
}

skl_code skl_stand(skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs;
    const size_t size = (size_t)legs * sizeof *scene->models;
    scene->status.code = SKL_OK;
    scene->models = SKL_TAKE(scene->arena, skl_foot_model, legs);
    scene->holds = SKL_ZEROS(scene->arena, skl_hold, legs);
    scene->rolls_left = SKL_ZEROS(scene->arena, int64_t, legs);
    scene->rolled = SKL_ZEROS(scene->arena, uint8_t, legs);
    if (scene->arena->failed) return skl_scene_lacks_memory(scene);
    memcpy(scene->models, scene->standing.models, size);
    scene->frames = scene->loop ? (skl_span){0, scene->num_frames - 1} : scene->options->working;
    const skl_code code = stand_on_ground(scene);
    return code == SKL_OK ? hold_feet(scene) : code;
}
