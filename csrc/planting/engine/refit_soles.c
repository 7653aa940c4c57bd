/* SPDX-License-Identifier: MIT */
#include "refit_soles.h"

#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "engine_constants.h"
#include "planting/motion/hold_flat.h"
#include "planting/motion/turns.h"

static int hold_alike(const skl_hold *a, const skl_hold *b, int64_t num_legs) {
    for (int64_t k = 0; k < num_legs; k++)
        if (!skl_same_spans(a[k].spans, b[k].spans)) return 0;
    return 1;
}

static void hold_all(const skl_scene *scene, const skl_refit *refit, const skl_foot_spin *spins, skl_hold *holds) {
    for (int64_t k = 0; k < scene->rig->num_legs; k++) {
        const skl_flat_foot foot = {.track = &refit->tracks[k],
                                    .model = &scene->models[k],
                                    .spin = &spins[k],
                                    .contacts = refit->flat[k],
                                    .up = scene->up,
                                    .fps = scene->fps,
                                    .window = skl_held_fade_frames(scene)};
        skl_hold_flat(&foot, scene->arena, &holds[k]);
    }
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

/* Hold and fit by turns, until no other moments are held. */
skl_code skl_hold_and_refit(skl_scene *scene, const skl_refit *refit) {
    const int64_t legs = scene->rig->num_legs;
    skl_arena *arena = scene->arena;
    skl_foot_spin *spins = SKL_ZEROS(arena, skl_foot_spin, legs);
    skl_hold *known = SKL_ZEROS(arena, skl_hold, legs), *next = SKL_ZEROS(arena, skl_hold, legs);
    for (int64_t k = 0; spins && k < legs; k++) skl_read_spin(&refit->tracks[k], scene->fps, arena, &spins[k]);
    for (int round = 0; round < SOLE_REFITS && !arena->failed && !skl_stopped(); round++) {
        hold_all(scene, refit, spins, next);
        if (arena->failed || (round && hold_alike(known, next, legs))) break;
        see_still(scene, refit, spins, next);
        memcpy(scene->hold_models, scene->models, (size_t)legs * sizeof *scene->models);
        for (int64_t k = 0; k < legs && fit_held(scene, refit, k, next[k]); k++) known[k] = next[k];
    }
    return arena->failed ? skl_scene_lacks_memory(scene) : skl_done(&scene->status);
}
