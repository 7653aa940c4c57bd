/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"

/* Per leg, room for a number per contact, all 0. NULL where memory failed. */
static double **no_rises(const skl_spans *contacts, int64_t legs, skl_arena *arena) {
    double **out = SKL_TAKE(arena, double *, legs);
    for (int64_t k = 0; out && k < legs; k++) out[k] = SKL_ZEROS(arena, double, contacts[k].count);
    return arena->failed ? NULL : out;
}

/* Per contact the place over which its ball stands, where that is given; heights that are given become rises. */
static void take_pins(const skl_scene *scene, int64_t k, double *rises, double *places) {
    const skl_spans contacts = scene->contacts[k];
    const double level = scene->ground ? scene->ground->level : scene->levels.ground;
    const skl_plant_given *given = scene->options->mode == SKL_CONTACTS_GIVEN ? &scene->options->given[k] : NULL;
    for (int64_t n = 0; n < contacts.count; n++) {
        const int64_t at = contacts.at[n].first, frame = skl_clip_frame(scene, at);
        places[3 * n] = NAN;
        for (int64_t i = 0; given && i < given->num_pins; i++) {
            const skl_plant_pin *pin = &given->pins[i];
            if (frame < pin->span.first || frame > pin->span.last) continue;
            if (!isnan(pin->height) && scene->has_levels) rises[n] = pin->height - level;
            if (isnan(pin->place[0])) continue;
            if (scene->loop)
                skl_loop_carried(scene->loop, pin->place, at, places + 3 * n);
            else
                memcpy(places + 3 * n, pin->place, sizeof pin->place);
        }
    }
}

static int never_lifts(skl_spans contacts, int64_t num_frames) {
    return contacts.count == 1 && contacts.at[0].first == 0 && contacts.at[0].last == num_frames - 1;
}

/* How far the ground below a foot goes per frame: as a belt does, or as a loop's foot creeps that never leaves it. */
static int take_step(const skl_scene *scene, int64_t k, double *step, skl_stance *out) {
    const skl_loop *loop = scene->loop;
    if (loop && scene->num_frames == skl_loop_frames(loop) && never_lifts(scene->contacts[k], scene->num_frames)) {
        out->foot.ground_step = step;
        return skl_loop_creep(loop, &scene->tracks[k], &scene->models[k].sole, scene->holds[k].turn, scene->up,
                              scene->arena, step);
    }
    for (int i = 0; i < 3; i++) step[i] = scene->standing.velocity[i] / scene->fps;
    out->foot.ground_step = scene->standing.moves ? step : NULL;
    return 1;
}

/* NULL where memory failed. */
static skl_stance *held_feet(const skl_scene *scene, double *const *rises) {
    const int64_t legs = scene->rig->num_legs;
    skl_arena *arena = scene->arena;
    skl_stance *out = SKL_ZEROS(arena, skl_stance, legs);
    double *steps = SKL_TAKE(arena, double, 3 * legs);
    for (int64_t k = 0; !arena->failed && k < legs; k++) {
        double *places = SKL_TAKE(arena, double, 3 * scene->contacts[k].count);
        const skl_hold hold = scene->holds[k];
        out[k] = (skl_stance){.foot = {.track = &scene->tracks[k],
                                       .sole = &scene->models[k].sole,
                                       .contacts = scene->contacts[k],
                                       .turn = hold.turn,
                                       .ground = scene->footholds[k],
                                       .pinned = skl_feet_are_pinned(scene)},
                              .held = hold.spans,
                              .rises = rises[k],
                              .places = places};
        if (arena->failed || !take_step(scene, k, steps + 3 * k, &out[k])) return NULL;
        take_pins(scene, k, rises[k], places);
    }
    return arena->failed ? NULL : out;
}

/* At which heights feet stand; on ground that is given and not level, they stand where that is. */
static int read_rises(skl_scene *scene) {
    skl_feet feet = {.num_legs = scene->rig->num_legs,
                     .num_frames = scene->num_frames,
                     .tracks = scene->tracks,
                     .models = scene->models,
                     .contacts = scene->contacts,
                     .up = scene->up};
    scene->has_levels = !scene->ground || scene->ground->is_level;
    if (!scene->has_levels) return 1;
    if (!skl_read_levels(&feet, scene->ground != NULL, scene->arena, &scene->levels)) return 0;
    for (int64_t k = 0; k < feet.num_legs; k++)
        if (!skl_contact_rises(&feet, k, &scene->levels, scene->arena, scene->rises[k])) return 0;
    return 1;
}

skl_code skl_hold_feet(skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs;
    double **rises = no_rises(scene->contacts, legs, scene->arena);
    scene->rises = no_rises(scene->contacts, legs, scene->arena);
    scene->status.code = SKL_OK;
    if (scene->arena->failed || !read_rises(scene)) return skl_scene_lacks_memory(scene);
    for (int64_t k = 0; k < legs; k++)
        memcpy(rises[k], scene->rises[k], (size_t)scene->contacts[k].count * sizeof *rises[k]);
    scene->stances = held_feet(scene, rises);
    return scene->stances ? SKL_OK : skl_scene_lacks_memory(scene);
}
