/* SPDX-License-Identifier: MIT */
#include "refit_soles.h"

#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "engine_constants.h"
#include "planting/motion/hold_flat.h"
#include "planting/motion/turn_dips.h"
#include "planting/motion/turns.h"

static int hold_alike(const skl_hold *a, const skl_hold *b, int64_t num_legs) {
    for (int64_t k = 0; k < num_legs; k++)
        if (!skl_same_spans(a[k].spans, b[k].spans)) return 0;
    return 1;
}

/* The turn that raises the ball of a foot where it dips, and the foot turned so; NULL where it never does. */
static double *raise_dips(const skl_scene *scene, int64_t k, skl_track *track, skl_foot_spin *spin) {
    const skl_dipping_foot foot = {.track = track,
                                   .sole = &scene->models[k].sole,
                                   .contacts = scene->contacts[k],
                                   .up = scene->up,
                                   .window = skl_fade_frames(scene)};
    double *turn = SKL_TAKE(scene->arena, double, 3 * scene->num_frames);
    if (!turn || !skl_turn_dips(&foot, scene->arena, turn)) return NULL;
    double *feet = SKL_TAKE(scene->arena, double, 9 * scene->num_frames);
    if (!feet) return NULL;
    skl_turn_feet(scene->num_frames, turn, track->foot, feet);
    track->foot = feet;
    skl_read_spin(track, scene->fps, scene->arena, spin);
    return turn;
}

/* How feet are held; with `raise` after balls that dip are raised, and returns whether any is. */
static int hold_all(const skl_scene *scene, const skl_refit *refit, const skl_foot_spin *spins, int raise,
                    skl_hold *holds) {
    int any = 0;
    for (int64_t k = 0; k < scene->rig->num_legs && !scene->arena->failed; k++) {
        skl_track track = refit->tracks[k];
        skl_foot_spin spin = spins[k];
        double *const dips = raise ? raise_dips(scene, k, &track, &spin) : NULL;
        const skl_flat_foot foot = {.track = &track,
                                    .model = &scene->models[k],
                                    .spin = &spin,
                                    .contacts = refit->flat[k],
                                    .up = scene->up,
                                    .fps = scene->fps,
                                    .window = skl_held_fade_frames(scene)};
        if (!scene->arena->failed) skl_hold_flat(&foot, scene->arena, &holds[k]);
        if (!dips || scene->arena->failed) continue;
        skl_turn_on(scene->num_frames, holds[k].turn, dips);
        holds[k].turn = dips;
        any = 1;
    }
    return any;
}

/* The frames that the soles of feet in contact are fitted to: those held, or the calmest; the clip's own, if it has
 * such. */
static void see_still(const skl_scene *scene, const skl_refit *refit, const skl_foot_spin *spins,
                      const skl_hold *holds) {
    const int64_t num = scene->num_frames;
    for (int64_t k = 0; k < scene->rig->num_legs; k++) {
        uint8_t *still = refit->still[k];
        if (!scene->contacts[k].count) continue;
        if (holds[k].spans.count)
            skl_span_mask(holds[k].spans, num, still);
        else
            skl_calmest(&spins[k], num, scene->contacts[k], scene->arena, still);
        int any = 0;
        for (int64_t f = 0; f < num; f++) any |= still[f] & refit->own[f];
        for (int64_t f = 0; any && f < num; f++) still[f] &= refit->own[f];
    }
    skl_without_tiptoe(scene->rig->num_legs, refit->tracks, scene->up, scene->fps, scene->arena, refit->still);
}

int skl_fit_turned(const skl_scene *scene, const skl_track *level, const double *turn, const uint8_t *still,
                   const skl_fit_hints *hints, skl_foot_model *out) {
    const skl_arena mark = *scene->arena;
    double *feet = SKL_TAKE(scene->arena, double, 9 * scene->num_frames);
    skl_track turned = *level;
    if (!feet) return 0;
    skl_turn_feet(scene->num_frames, turn, level->foot, feet);
    turned.foot = feet;
    skl_fit_foot(&turned, scene->up, still, hints, scene->arena, out);
    skl_arena_back(scene->arena, mark);
    return !scene->arena->failed;
}

/* Take over how a foot is held, unless it is not; and fit its sole to that. */
static int fit_held(skl_scene *scene, const skl_refit *refit, int64_t k, skl_hold hold) {
    const skl_fit_hints hints = {.clearance = refit->clearance[k]};
    scene->holds[k] = hold;
    if (!skl_feet_are_pinned(scene)) {
        memset(hold.turn, 0, (size_t)(3 * scene->num_frames) * sizeof *hold.turn);
        scene->holds[k].spans.count = 0;
    }
    return skl_fit_turned(scene, &refit->tracks[k], hold.turn, refit->still[k], &hints, &scene->models[k]);
}

/* Take over how feet are held, and fit their soles to that. */
static void take(skl_scene *scene, const skl_refit *refit, const skl_foot_spin *spins, const skl_hold *holds) {
    see_still(scene, refit, spins, holds);
    for (int64_t k = 0; k < scene->rig->num_legs && fit_held(scene, refit, k, holds[k]);) k++;
}

/* Hold and fit by turns, until no other moments are held; and on level ground once more with balls raised that dip. */
skl_code skl_hold_and_refit(skl_scene *scene, const skl_refit *refit) {
    const int64_t legs = scene->rig->num_legs;
    const int level = skl_feet_are_pinned(scene) && (!scene->ground || scene->ground->is_level);
    skl_arena *arena = scene->arena;
    skl_foot_spin *spins = SKL_ZEROS(arena, skl_foot_spin, legs);
    skl_hold *known = SKL_ZEROS(arena, skl_hold, legs), *next = SKL_ZEROS(arena, skl_hold, legs);
    for (int64_t k = 0; spins && k < legs; k++) skl_read_spin(&refit->tracks[k], scene->fps, arena, &spins[k]);
    for (int round = 0; round < SOLE_REFITS && !arena->failed && !skl_stopped(); round++) {
        (void)hold_all(scene, refit, spins, 0, next);
        if (arena->failed || (round && hold_alike(known, next, legs))) break;
        memcpy(known, next, (size_t)legs * sizeof *next);
        take(scene, refit, spins, next);
    }
    if (!arena->failed && level && hold_all(scene, refit, spins, 1, next)) take(scene, refit, spins, next);
    return arena->failed ? skl_scene_lacks_memory(scene) : skl_done(&scene->status);
}
