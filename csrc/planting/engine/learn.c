/* SPDX-License-Identifier: MIT */
/* What a motion says as a whole: its legs, which way is up, whether it is a loop, when feet stand and how they are
 * held.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_up.h"
#include "check_plant.h"
#include "core/base/status.h"
#include "core/base/validate.h"
#include "core/transforms/vector3.h"
#include "engine_constants.h"
#include "planting/motion/lone_frames.h"
#include "planting/motion/read_legs.h"
#include "planting_state.h"

void skl_plant_defaults(skl_plant_options *options) {
    *options = (skl_plant_options){.mode = SKL_CONTACTS_FOUND,
                                   .working = {0, -1},
                                   .sole = NAN,
                                   .align = 1.0,
                                   .max_slope = 60.0,
                                   .blend = 0.2,
                                   .reach = SKL_SOFTEN,
                                   .stretch = 1.0,
                                   .pelvis_acceleration = 20.0};
}

void skl_plant_free(skl_planting *planting) {
    if (!planting) return;
    skl_arena_free(&planting->arena);
    free(planting);
}

/* --- learn ---------------------------------------------------------------------------------------------------------
 */

skl_code skl_plant_lacks_memory(skl_status *status) { return skl_fail(status, SKL_NO_MEMORY, "local", ""); }

/* The legs' motion where lone frames have the pose of the motion beside them. */
static skl_code read_without(skl_planting *p, skl_read_tracks_job *job) {
    const int64_t num = p->motion.num_frames, pose = 16 * p->motion.rig->skeleton->num_joints;
    int64_t *nearest = SKL_TAKE(&p->arena, int64_t, num);
    p->clip = SKL_TAKE(&p->arena, double, pose *num);
    if (p->arena.failed) return skl_plant_lacks_memory(&job->status);
    skl_nearest_real(p->clip_alone, num, nearest);
    for (int64_t f = 0; f < num; f++)
        memcpy(p->clip + pose * f, p->motion.local + pose * nearest[f], (size_t)pose * sizeof *p->clip);
    job->local = p->clip;
    job->legs = NULL;
    memset(job->no_bones, 0, 6 * (size_t)job->rig->num_legs * sizeof *job->no_bones);
    return skl_read_tracks_run(job);
}

/* The legs' motion without that of lone frames. */
static skl_code read_motion(skl_planting *p, skl_status *status) {
    const int64_t num = p->motion.num_frames, legs = p->motion.rig->num_legs;
    skl_read_tracks_job job = {.rig = p->motion.rig,
                               .num_frames = num,
                               .local = p->motion.local,
                               .arena = &p->arena,
                               .tracks = SKL_ZEROS(&p->arena, skl_track, legs),
                               .no_bones = SKL_ZEROS(&p->arena, int64_t, 6 * legs)};
    p->no_bones = job.no_bones;
    p->clip_alone = SKL_TAKE(&p->arena, uint8_t, num);
    p->clip_legs = job.tracks;
    p->clip = (double *)p->motion.local;
    uint8_t *jumps = SKL_ZEROS(&p->arena, uint8_t, num);
    if (p->arena.failed) return skl_plant_lacks_memory(status);
    skl_code code = skl_flat_frames(&job, p->clip_alone);
    if (code == SKL_OK)
        code = memchr(p->clip_alone, 1, (size_t)num) ? read_without(p, &job) : skl_read_tracks_run(&job);
    if (code == SKL_OK && p->options.loop != SKL_LOOP_GIVEN &&
        !skl_lone_frames(legs, job.tracks, p->motion.fps, &p->arena, jumps))
        code = skl_plant_lacks_memory(&job.status);
    if (code == SKL_OK && memchr(jumps, 1, (size_t)num)) {
        for (int64_t f = 0; f < num; f++) p->clip_alone[f] |= jumps[f];
        code = read_without(p, &job);
    }
    if (code != SKL_OK) *status = job.status;
    return code;
}

/* The mean over joints of the rest pose, or over legs of paths. */
static void rest_direction(const skl_plant_rig *rig, double out[3]) {
    const double *rest = rig->skeleton->rest_global, legs = (double)rig->num_legs;
    for (int i = 0; i < 3; i++) {
        double top = 0.0, feet = 0.0;
        for (int64_t k = 0; k < rig->num_legs; k++) {
            top += rest[16 * rig->legs[k].chain[0] + 4 * i + 3];
            feet += rest[16 * rig->legs[k].chain[2] + 4 * i + 3];
        }
        out[i] = (rig->head < 0 ? top / legs : rest[16 * rig->head + 4 * i + 3]) - feet / legs;
    }
}

/* How high the lowest joint is along each axis, and against it: 6 x num_frames. */
static skl_code lowest_joints(const skl_planting *p, double *lowest, double *path, skl_status *status) {
    const skl_skeleton *skeleton = p->motion.rig->skeleton;
    const int64_t num = p->motion.num_frames;
    for (int64_t n = 0; n < 6 * num; n++) lowest[n] = INFINITY;
    for (int64_t joint = 0; joint < skeleton->num_joints; joint++) {
        const skl_code code = skl_joint_places(skeleton, num, p->clip, joint, path, status);
        if (code != SKL_OK) return code;
        for (int i = 0; i < 3; i++)
            for (int64_t f = 0; f < num; f++) {
                lowest[i * num + f] = fmin(lowest[i * num + f], path[3 * f + i]);
                lowest[(i + 3) * num + f] = fmin(lowest[(i + 3) * num + f], -path[3 * f + i]);
            }
    }
    return SKL_OK;
}

static skl_code look_for_floor(skl_planting *p, const skl_body_path *body, skl_status *status) {
    const int64_t num = p->motion.num_frames;
    if (!skl_up_is_doubtful(body, p->scene.up, p->up_share)) return SKL_OK;
    const skl_arena mark = p->arena;
    double *lowest = SKL_TAKE(&p->arena, double, 6 * num), *path = SKL_TAKE(&p->arena, double, 3 * num);
    if (p->arena.failed) return skl_plant_lacks_memory(status);
    const skl_code code = lowest_joints(p, lowest, path, status);
    if (code == SKL_OK) skl_floor_up(body, lowest, p->scene.up, &p->up_share);
    skl_arena_back(&p->arena, mark);
    return code;
}

static skl_code read_up(skl_planting *p, skl_status *status) {
    const skl_plant_rig *rig = p->motion.rig;
    const int64_t num = p->motion.num_frames;
    double rest[3];
    p->up_share = 1.0;
    if (p->options.up_is_given) {
        memcpy(p->scene.up, p->options.up, sizeof p->scene.up);
        return SKL_OK;
    }
    double *hips = SKL_ZEROS(&p->arena, double, 3 * num), *feet = SKL_ZEROS(&p->arena, double, 3 * num);
    double *head = SKL_TAKE(&p->arena, double, 3 * num);
    if (p->arena.failed) return skl_plant_lacks_memory(status);
    for (int64_t k = 0; k < rig->num_legs; k++)
        for (int64_t i = 0; i < 3 * num; i++) {
            hips[i] += p->clip_legs[k].hip[i] / (double)rig->num_legs;
            feet[i] += p->clip_legs[k].ankle[i] / (double)rig->num_legs;
        }
    const skl_code code =
        rig->head < 0 ? SKL_OK : skl_joint_places(rig->skeleton, num, p->clip, rig->head, head, status);
    rest_direction(rig, rest);
    const skl_body_path body = {num, rig->head < 0 ? hips : head, hips, feet, rest, p->motion.fps};
    if (code == SKL_OK && !skl_body_up(&body, p->scene.up, &p->up_share))
        return skl_fail(status, SKL_BAD_VALUE, "up", SKL_NO_UP);
    return code == SKL_OK ? look_for_floor(p, &body, status) : code;
}

int skl_plant_stands(const skl_planting *p) {
    for (int64_t k = 0; k < p->motion.rig->num_legs; k++)
        if (p->scene.contacts[k].count) return 1;
    return 0;
}

const skl_ground *skl_plant_ground(const skl_planting *p) { return p->scene.ground ? p->scene.ground : &p->estimated; }

skl_code skl_plant_hold(skl_planting *p) {
    skl_scene *scene = &p->scene;
    skl_code code = skl_stand(scene);
    if (code == SKL_OK && skl_plant_stands(p)) code = skl_hold_feet(scene);
    p->estimated = (skl_ground){.is_level = 1, .level = scene->has_levels ? scene->levels.ground : 0.0};
    memcpy(p->estimated.up, scene->up, sizeof scene->up);
    return code;
}

/* Look for contacts once more by the soles that held feet show, until these stay the same: a foot rolls about a point
 * of a sole that is known only when it is known when it stands. */
static skl_code find_by_held_soles(skl_planting *p) {
    skl_scene *scene = &p->scene;
    const int64_t legs = scene->rig->num_legs;
    skl_code code = SKL_OK;
    for (int round = 0; code == SKL_OK && round < BY_SOLES && scene->standing.searched && skl_plant_stands(p);
         round++) {
        skl_spans *again = SKL_ZEROS(scene->arena, skl_spans, legs);
        if (!again) return skl_scene_lacks_memory(scene);
        memcpy(scene->standing.models, scene->models, (size_t)legs * sizeof *scene->models);
        if ((code = skl_find_contacts_again(scene, scene->tracks, scene->standing.on_ground ? scene->ground : NULL,
                                            again)) != SKL_OK)
            return code;
        int same = 1;
        for (int64_t k = 0; k < legs; k++) {
            const skl_spans found = again[k];
            if (scene->loop && !skl_loop_repeat(scene->loop, found, scene->arena, &again[k]))
                return skl_scene_lacks_memory(scene);
            same &= skl_same_spans(again[k], scene->standing.contacts[k]);
        }
        if (same) return SKL_OK;
        scene->standing.contacts = again;
        code = skl_plant_hold(p);
    }
    return code;
}

/* Find contacts in the scene's motion, and how feet are held in them. */
static skl_code read_scene(skl_planting *p, skl_status *status) {
    skl_code code = skl_find_contacts(&p->scene, p->scene.tracks, NULL, &p->scene.standing);
    if (code == SKL_OK) code = skl_plant_hold(p);
    if (code == SKL_OK) code = find_by_held_soles(p);
    if (code != SKL_OK) *status = p->scene.status;
    return code;
}

/* The scene of the clip as it is. */
static void take_clip(skl_planting *p) {
    p->local = p->clip;
    p->scene.num_frames = p->motion.num_frames;
    p->scene.tracks = p->clip_legs;
    p->scene.alone = p->clip_alone;
    p->scene.loop = NULL;
    p->scene.ground = p->given;
}

/* --- loops ---------------------------------------------------------------------------------------------------------
 */

/* A clip that cannot be kept closed: a failure where it is said to be a loop. */
static skl_code is_left_open(skl_planting *p, const char *why, skl_status *status) {
    p->why_open = why;
    return p->options.loop == SKL_LOOP_GIVEN && why ? skl_fail(status, SKL_BAD_VALUE, "loop", why) : SKL_OK;
}

/* Whether the clip is a loop: `p->loop`. */
static skl_code find_loop(skl_planting *p, int *found, skl_status *status) {
    skl_find_loop_job job = {.num_legs = p->motion.rig->num_legs,
                             .tracks = p->clip_legs,
                             .up = p->scene.up,
                             .fps = p->motion.fps,
                             .options = &p->options,
                             .ground = p->given,
                             .arena = &p->arena};
    if (skl_find_loop(&job) != SKL_OK) return skl_pass_on(&job.status, status);
    p->loop = job.loop;
    *found = job.comes_back && !job.why_open;
    return is_left_open(p, job.why_open, status);
}

/* The scene of the loop's endless motion. */
static skl_code take_loop(skl_planting *p, skl_status *status) {
    const skl_plant_rig *rig = p->motion.rig;
    const int64_t num = skl_loop_frames(&p->loop);
    skl_read_tracks_job job = {
        .rig = rig, .num_frames = num, .arena = &p->arena, .tracks = SKL_ZEROS(&p->arena, skl_track, rig->num_legs)};
    p->local = SKL_TAKE(&p->arena, double, 16 * rig->skeleton->num_joints * num);
    p->scene.alone = SKL_ZEROS(&p->arena, uint8_t, num);
    if (p->arena.failed) return skl_plant_lacks_memory(status);
    skl_loop_unroll(&p->loop, rig->skeleton, p->clip, p->local);
    job.local = p->local;
    const skl_code code = skl_read_tracks_run(&job);
    if (code != SKL_OK) *status = job.status;
    p->scene.num_frames = num;
    p->scene.tracks = job.tracks;
    p->scene.loop = &p->loop;
    if (p->given && !p->given->is_level && (skl_loop_travels(p->loop.travel) || p->given->moves)) {
        skl_loop_ground_of(p->given, &p->loop, &p->endless);
        p->scene.ground = &p->endless.ground;
    }
    return code;
}

/* A standing figure that slides away as it is comes back to its first pose all the time: on a floor that is no loop,
 * unless it is said to be one; on other ground a foot does not creep. */
static skl_code slips_away(skl_planting *p, int *slips, skl_status *status) {
    int never_lifts = 0;
    *slips = 0;
    for (int64_t k = 0; k < p->motion.rig->num_legs; k++) {
        const skl_spans own = p->scene.contacts[k];
        never_lifts |= own.count == 1 && own.at[0].first == 0 && own.at[0].last == p->scene.num_frames - 1;
    }
    if (p->loop.rides || !never_lifts) return SKL_OK;
    if (!p->given || p->given->is_level) {
        *slips = p->options.loop != SKL_LOOP_GIVEN;
        return SKL_OK;
    }
    *slips = 1;
    return is_left_open(p, "a foot never leaves the ground, which does not move with the body", status);
}

skl_code skl_plant_read_motion(skl_planting *p, skl_status *status) {
    const skl_code code = read_motion(p, status);
    return code == SKL_OK ? read_up(p, status) : code;
}

skl_code skl_plant_read_contacts(skl_planting *p, skl_status *status) {
    const int64_t num = p->motion.num_frames;
    int loops = 0, slips = 0;
    skl_code code;
    take_clip(p);
    if (!memchr(p->clip_alone, 1, (size_t)num) && (code = find_loop(p, &loops, status)) != SKL_OK) return code;
    if (loops) {
        code = take_loop(p, status);
        if (code == SKL_OK) code = read_scene(p, status);
        if (code == SKL_OK) code = slips_away(p, &slips, status);
        if (code != SKL_OK || !slips) return code;
        take_clip(p);
    }
    return read_scene(p, status);
}

skl_planting *skl_plant_new(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground) {
    skl_planting *p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->motion = *motion;
    p->options = *options;
    p->given = ground;
    p->scene = (skl_scene){.rig = motion->rig,
                           .options = &p->options,
                           .arena = &p->arena,
                           .num_frames = motion->num_frames,
                           .fps = motion->fps,
                           .ground = ground};
    return p;
}

skl_code skl_plant_learn(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground,
                         skl_planting **out, skl_status *status) {
    const skl_pointer pointers[] = {{motion, "motion"}, {options, "options"}, {out, "out"}};
    *status = (skl_status){.code = SKL_OK};
    if (out) *out = NULL;
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    skl_planting *p = *out = skl_plant_new(motion, options, ground);
    if (!p) return skl_plant_lacks_memory(status);
    skl_code code = skl_check_plant(motion, &p->options, ground, status);
    if (code == SKL_OK) code = skl_plant_read_motion(p, status);
    if (code == SKL_OK && ground) memcpy(ground->up, p->scene.up, sizeof ground->up);
    if (code == SKL_OK) code = skl_plant_read_contacts(p, status);
    if (code != SKL_OK) {
        skl_plant_free(p);
        *out = NULL;
    }
    return code;
}
