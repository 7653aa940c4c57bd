/* SPDX-License-Identifier: MIT */
/* How feet are held in a part of a motion, by what is known of the whole. */
#include <string.h>

#include "core/base/status.h"
#include "hold_feet.h"
#include "part_contacts.h"
#include "planting/motion/hold_flat.h"

/* What is left of contacts, and the ground below them. */
static skl_code stand(skl_hold_part_job *job, skl_scene *scene, const skl_foothold **footholds) {
    const int64_t legs = scene->rig->num_legs, num = job->part.num_frames;
    const int64_t window = skl_fade_frames(scene->options->blend, scene->fps);
    int any = 0;
    job->contacts = SKL_ZEROS(scene->arena, skl_spans, legs);
    if (!job->contacts) return skl_scene_lacks_memory(scene);
    for (int64_t k = 0; k < legs; k++) {
        if (!skl_contacts_in_range(job->part.contacts[k], job->range, job->alone, num, window, scene->arena,
                                   &job->contacts[k]))
            return skl_scene_lacks_memory(scene);
        any |= job->contacts[k].count > 0;
    }
    if (job->ground->is_level || !any) return SKL_OK;
    const skl_code code =
        skl_read_ground(scene, job->part.tracks, scene->first_models, job->ground, num, 1, job->contacts, footholds);
    for (int64_t k = 0; code == SKL_OK && k < legs; k++) {
        if (!footholds[k]) continue;
        skl_foothold *own = SKL_TAKE(scene->arena, skl_foothold, 1);
        if (!own) return skl_scene_lacks_memory(scene);
        *own = *footholds[k];
        own->along = job->along && job->along[k];
        footholds[k] = own;
    }
    return code;
}

/* How feet are held flat by the soles that those of the whole were held by. */
static skl_hold *hold_flat(const skl_hold_part_job *job, const skl_scene *scene, const skl_track *level) {
    const int64_t legs = scene->rig->num_legs, num = job->part.num_frames;
    const int64_t window = skl_fade_frames(scene->options->blend, scene->fps);
    skl_hold *out = SKL_ZEROS(scene->arena, skl_hold, legs);
    for (int64_t k = 0; out && k < legs; k++) {
        skl_foot_spin spin;
        skl_flat_foot foot = {.track = &level[k],
                              .model = &scene->hold_models[k],
                              .spin = &spin,
                              .contacts = job->contacts[k],
                              .fps = scene->fps,
                              .window = skl_more(1, window / 2)};
        memcpy(foot.up, scene->up, sizeof foot.up);
        if (!skl_feet_are_pinned(scene)) {
            out[k].turn = SKL_ZEROS(scene->arena, double, 3 * num);
            continue;
        }
        skl_read_spin(foot.track, foot.fps, scene->arena, &spin);
        if (scene->arena->failed) return NULL;
        skl_hold_flat(&foot, scene->arena, &out[k]);
    }
    return scene->arena->failed ? NULL : out;
}

static int read_rises(const skl_hold_part_job *job, const skl_scene *scene, const skl_track *level) {
    skl_feet feet = {.num_legs = scene->rig->num_legs,
                     .num_frames = job->part.num_frames,
                     .tracks = level,
                     .models = scene->models,
                     .contacts = job->contacts};
    memcpy(feet.up, scene->up, sizeof feet.up);
    for (int64_t k = 0; scene->has_levels && k < feet.num_legs; k++)
        if (!skl_contact_rises(&feet, k, &scene->levels, scene->arena, job->part.rises[k])) return 0;
    return 1;
}

static skl_code hold(skl_hold_part_job *job, skl_scene *scene) {
    const int64_t legs = scene->rig->num_legs;
    const skl_foothold **footholds = SKL_ZEROS(scene->arena, const skl_foothold *, legs);
    if (!footholds) return skl_scene_lacks_memory(scene);
    const skl_code code = stand(job, scene, footholds);
    if (code != SKL_OK) return code;
    const skl_track *level = skl_level_tracks(job->part.tracks, legs, footholds, scene->arena);
    job->part.contacts = job->contacts;
    job->part.footholds = footholds;
    job->part.holds = level ? hold_flat(job, scene, level) : NULL;
    job->part.rises = skl_no_rises(job->contacts, legs, scene->arena);
    if (!job->part.holds || !job->part.rises || !read_rises(job, scene, level)) return skl_scene_lacks_memory(scene);
    job->stances = skl_held_feet(scene, &job->part);
    return job->stances ? SKL_OK : skl_scene_lacks_memory(scene);
}

skl_code skl_hold_part(skl_hold_part_job *job) {
    skl_scene scene = *job->scene;
    scene.arena = job->arena;
    const skl_code code = hold(job, &scene);
    job->status = scene.status;
    job->status.code = code;
    return code;
}
