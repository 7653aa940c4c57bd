/* SPDX-License-Identifier: MIT */
/* What a motion says as a whole: its legs, which way is up, whether it is a loop, when feet stand and how they are
 * held.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_up.h"
#include "core/base/status.h"
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

static skl_code check(const skl_plant_motion *motion, skl_plant_options *options, skl_status *status) {
    const int64_t num = motion->num_frames;
    if (motion->rig->num_legs < 1) return skl_fail(status, SKL_BAD_VALUE, "legs", "one leg is needed at least");
    if (num < 1) return skl_fail(status, SKL_BAD_VALUE, "num_frames", "one frame is needed at least");
    if (!(motion->fps >= 1e-12 && motion->fps <= 1e12))
        return skl_fail(status, SKL_BAD_VALUE, "fps", "frames per second are 1e-12 to 1e12");
    if (options->working.last < 0) options->working.last = num - 1;
    if (options->working.first < 0 || options->working.first > options->working.last || options->working.last >= num)
        return skl_fail(status, SKL_BAD_VALUE, "working", "0 <= first <= last < num_frames is needed");
    for (int64_t i = 0; i < num * motion->rig->skeleton->num_joints * 16; i++)
        if (!isfinite(motion->local[i])) {
            const int64_t joint = i / 16 % motion->rig->skeleton->num_joints;
            (void)skl_fail(status, SKL_BAD_VALUE, "local", "numbers must be finite");
            skl_fail_index(status, i / 16 / motion->rig->skeleton->num_joints);
            skl_fail_index(status, joint);
            return status->code;
        }
    return SKL_OK;
}

static skl_code lacks_memory(skl_status *status) { return skl_fail(status, SKL_NO_MEMORY, "local", ""); }

/* The legs' motion; lone frames take the pose of the motion beside them. */
static skl_code read_motion(skl_planting *p, skl_status *status) {
    const int64_t num = p->motion.num_frames, joints = p->motion.rig->skeleton->num_joints;
    skl_read_tracks_job job = {.rig = p->motion.rig,
                               .num_frames = num,
                               .local = p->motion.local,
                               .arena = &p->arena,
                               .tracks = SKL_ZEROS(&p->arena, skl_track, p->motion.rig->num_legs)};
    p->clip_alone = SKL_TAKE(&p->arena, uint8_t, num);
    p->clip = (double *)p->motion.local;
    if (p->arena.failed) return lacks_memory(status);
    skl_code code = skl_read_tracks_run(&job);
    memset(p->clip_alone, 0, (size_t)num);
    if (code == SKL_OK && p->options.loop != SKL_LOOP_GIVEN &&
        !skl_lone_frames(job.rig->num_legs, job.tracks, p->motion.fps, &p->arena, p->clip_alone))
        return lacks_memory(status);
    if (code == SKL_OK && memchr(p->clip_alone, 1, (size_t)num)) {
        int64_t *nearest = SKL_TAKE(&p->arena, int64_t, num);
        p->clip = SKL_TAKE(&p->arena, double, 16 * joints * num);
        if (p->arena.failed) return lacks_memory(status);
        skl_nearest_real(p->clip_alone, num, nearest);
        skl_poses_of_frames(p->motion.local, joints, nearest, num, p->clip);
        job.local = p->clip;
        code = skl_read_tracks_run(&job);
    }
    p->clip_legs = job.tracks;
    if (code != SKL_OK) *status = job.status;
    return code;
}

/* The mean over joints of the rest pose, or over legs of paths. */
static void rest_way(const skl_plant_rig *rig, double out[3]) {
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

static skl_code read_up(skl_planting *p, skl_status *status) {
    const skl_plant_rig *rig = p->motion.rig;
    const int64_t num = p->motion.num_frames;
    double *top = SKL_ZEROS(&p->arena, double, 3 * num), *feet = SKL_ZEROS(&p->arena, double, 3 * num), rest[3], share;
    if (p->arena.failed) return lacks_memory(status);
    if (p->options.up_is_given) {
        memcpy(p->scene.up, p->options.up, sizeof p->scene.up);
        return SKL_OK;
    }
    for (int64_t k = 0; k < rig->num_legs; k++)
        for (int64_t i = 0; i < 3 * num; i++) {
            top[i] += p->clip_legs[k].hip[i] / (double)rig->num_legs;
            feet[i] += p->clip_legs[k].ankle[i] / (double)rig->num_legs;
        }
    const skl_code code =
        rig->head < 0 ? SKL_OK : skl_joint_places(rig->skeleton, num, p->clip, rig->head, top, status);
    rest_way(rig, rest);
    if (code == SKL_OK && !skl_body_up(num, top, feet, rest, p->motion.fps, p->scene.up, &share))
        return skl_fail(status, SKL_BAD_VALUE, "up", "it must be given: no direction leads from the feet to the head");
    return code;
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

/* Find contacts in the scene's motion, and how feet are held in them. */
static skl_code read_scene(skl_planting *p, skl_status *status) {
    skl_code code = skl_find_contacts(&p->scene, p->scene.tracks, &p->scene.standing);
    if (code == SKL_OK) code = skl_plant_hold(p);
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

static const char CANNOT[] = "the clip is said to be a loop, and cannot be closed";

static skl_code is_no_loop(const skl_planting *p, skl_status *status) {
    return p->options.loop == SKL_LOOP_GIVEN ? skl_fail(status, SKL_BAD_VALUE, "loop", CANNOT) : SKL_OK;
}

/* The legs in the first two and the last two frames. */
static int take_ends(skl_planting *p, skl_loop_ends *out) {
    const int64_t legs = p->motion.rig->num_legs, last = p->motion.num_frames - 1;
    const int64_t rows[4] = {0, 1, last - 1, last};
    skl_track *tracks = SKL_TAKE(&p->arena, skl_track, legs);
    *out = (skl_loop_ends){.num_legs = legs, .tracks = tracks};
    memcpy(out->up, p->scene.up, sizeof out->up);
    for (int64_t k = 0; tracks && k < legs; k++) {
        const skl_track *from = &p->clip_legs[k];
        double *numbers = SKL_TAKE(&p->arena, double, 4 * 18);
        if (!numbers) return 0;
        tracks[k] = *from;
        tracks[k].num_frames = 4;
        tracks[k].hip = numbers;
        tracks[k].knee = numbers + 12;
        tracks[k].ankle = numbers + 24;
        tracks[k].foot = numbers + 36;
        tracks[k].flexion = NULL;
        for (int i = 0; i < 4; i++) {
            memcpy(numbers + 3 * i, from->hip + 3 * rows[i], 3 * sizeof *numbers);
            memcpy(numbers + 12 + 3 * i, from->knee + 3 * rows[i], 3 * sizeof *numbers);
            memcpy(numbers + 24 + 3 * i, from->ankle + 3 * rows[i], 3 * sizeof *numbers);
            memcpy(numbers + 36 + 9 * i, from->foot + 9 * rows[i], 9 * sizeof *numbers);
        }
    }
    return tracks != NULL;
}

/* Whether the clip is a loop: `p->loop`. */
static skl_code find_loop(skl_planting *p, int *found, skl_status *status) {
    const int64_t num = p->motion.num_frames;
    const int given = p->options.loop == SKL_LOOP_GIVEN;
    const int whole = p->options.working.first == 0 && p->options.working.last == num - 1;
    const double near = given ? SKL_LOOP_NEAR_GIVEN : SKL_LOOP_NEAR;
    const int uneven = p->given && !p->given->is_level;
    skl_loop_ends ends;
    skl_ground_at_ends below = {.rides = 1};
    skl_loop *loop = &p->loop;
    int moves = 0, even = 0;
    *found = 0;
    if (p->options.loop == SKL_LOOP_NONE || (!given && (!whole || p->options.mode == SKL_CONTACTS_NEVER)))
        return SKL_OK;
    if (!whole || num < 4) return is_no_loop(p, status);
    if (!take_ends(p, &ends) || !skl_loop_travel(&ends, near, uneven, &p->arena, loop->travel, &loop->gap) ||
        !skl_loop_seam(&ends, loop->travel, p->clip_legs, &p->arena, &moves, &even))
        return lacks_memory(status);
    if (loop->gap > near || !(given || (moves && even))) return is_no_loop(p, status);
    loop->period = num - 1;
    loop->margin = skl_loop_margin(loop->period, p->motion.fps);
    if (skl_loop_turns(loop->travel) && p->options.belt != SKL_BELT_UNKNOWN) return is_no_loop(p, status);
    loop->rides = !skl_loop_travels(loop->travel);
    memcpy(loop->planted, loop->travel, sizeof loop->planted);
    if (uneven) {
        if (!skl_compare_ground_at_ends(p->given, &ends, num, loop->travel, near, &p->arena, &below))
            return p->arena.failed ? lacks_memory(status) : skl_fail(status, SKL_STOPPED, "ground", "");
        if (below.other) return is_no_loop(p, status);
        for (int i = 0; i < 3; i++) loop->planted[4 * i + 3] += below.lift * p->scene.up[i];
        loop->rides = below.rides;
    }
    *found = 1;
    return SKL_OK;
}

/* The scene of the loop's endless motion. */
static skl_code take_loop(skl_planting *p, skl_status *status) {
    const skl_plant_rig *rig = p->motion.rig;
    const int64_t num = skl_loop_frames(&p->loop);
    skl_read_tracks_job job = {
        .rig = rig, .num_frames = num, .arena = &p->arena, .tracks = SKL_ZEROS(&p->arena, skl_track, rig->num_legs)};
    p->local = SKL_TAKE(&p->arena, double, 16 * rig->skeleton->num_joints * num);
    p->scene.alone = SKL_ZEROS(&p->arena, uint8_t, num);
    if (p->arena.failed) return lacks_memory(status);
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
static skl_code slips_away(const skl_planting *p, int *slips, skl_status *status) {
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
    return is_no_loop(p, status);
}

static skl_code learn(skl_planting *p, skl_status *status) {
    const int64_t num = p->motion.num_frames;
    int loops = 0, slips = 0;
    skl_code code = read_motion(p, status);
    if (code == SKL_OK) code = read_up(p, status);
    if (code != SKL_OK) return code;
    if (p->given) memcpy(p->given->up, p->scene.up, sizeof p->given->up);
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

skl_code skl_plant_learn(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground,
                         skl_planting **out, skl_status *status) {
    skl_planting *p = *out = calloc(1, sizeof *p);
    *status = (skl_status){.code = SKL_OK};
    if (!p) return lacks_memory(status);
    p->motion = *motion;
    p->options = *options;
    p->given = ground;
    p->scene = (skl_scene){.rig = motion->rig,
                           .options = &p->options,
                           .arena = &p->arena,
                           .num_frames = motion->num_frames,
                           .fps = motion->fps,
                           .ground = ground};
    skl_code code = check(motion, &p->options, status);
    if (code == SKL_OK) code = learn(p, status);
    if (code != SKL_OK) {
        skl_plant_free(p);
        *out = NULL;
    }
    return code;
}
